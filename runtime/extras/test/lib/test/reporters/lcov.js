'use strict';

// Coverage in the format of lcov. Coverage is not collected (the engine does not provide it), so the output is empty.

const { generator } = require('internal/test/reporters/text');

module.exports = generator(() => ({ take: () => '' }));
