'use strict';

// Finds the function that handles an import() in the code of a script or function of node:vm, by the name that was
// given to the text.

const { codes, E } = require('internal/errors');

E(
  'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG',
  'A dynamic import callback was invoked without --experimental-vm-modules',
  TypeError,
);

const kDefaultLoader = Symbol('vm_dynamic_import_main_context_default');

const importers = new Map(); // name -> { how, owner }

function set(name, how, owner) {
  importers.set(name, { how, owner });
}

// A promise, or undefined if the program's own loader handles it.
function ask(name, specifier) {
  const found = importers.get(name);
  if (found === undefined || found.how === kDefaultLoader) return undefined;
  if (!require('internal/process/flags').hasFlag('--experimental-vm-modules')) {
    return Promise.reject(new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG());
  }
  return (async () => found.how(specifier, found.owner, { __proto__: null }, 'evaluation'))();
}

module.exports = { kDefaultLoader, set, ask };
