'use strict';

// node:punycode, from the package of the same name; deprecated by Node in favour of it.

if (!require('internal/modules/caller').calledFromPackage()) {
  process.emitWarning(
    'The `punycode` module is deprecated. Please use a userland alternative instead.',
    'DeprecationWarning',
    'DEP0040',
  );
}
module.exports = require('internal/deps/punycode');
