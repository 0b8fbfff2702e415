'use strict';

// Who called into a built-in module: a deprecation is told to the program's own files. Who uses a package cannot help
// it.

function calledFromPackage() {
  const caller = require('util')
    .getCallSites(16)
    .find(({ scriptName }) => scriptName !== '' && !/^(?:node:|<|\[native)/.test(scriptName));
  return caller !== undefined && /[\\/]node_modules[\\/]/i.test(caller.scriptName);
}

module.exports = { calledFromPackage };
