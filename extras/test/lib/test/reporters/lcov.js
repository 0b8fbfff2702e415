'use strict';

// Coverage in the format of lcov. Coverage is not collected (the engine does not tell it), so that there is nothing to
// say.

const { generator } = require('internal/test/reporters/text');

module.exports = generator(() => ({ take: () => '' }));
