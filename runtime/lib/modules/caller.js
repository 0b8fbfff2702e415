'use strict';

// Finds the caller of a built-in module: a deprecation warning is given for the program's own files, not for packages
// in node_modules.

function calledFromPackage() {
  const caller = require('util')
    .getCallSites(16)
    .find(({ scriptName }) => scriptName !== '' && !/^(?:node:|<|\[native)/.test(scriptName));
  return caller !== undefined && /[\\/]node_modules[\\/]/i.test(caller.scriptName);
}

module.exports = { calledFromPackage };
