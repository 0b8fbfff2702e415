'use strict';

// State that several modules share, and that is read before the module that owns it is loaded.
// This module loads nothing.

module.exports = {
  // Whether this process is a worker of a cluster: decided before any part of the cluster is loaded.
  cluster: { worker: false, id: undefined },
  // The diagnostics channels of the console. diagnostics_channel puts them here after their first use.
  consoleChannels: { any: false, log: undefined, warn: undefined, error: undefined, info: undefined, debug: undefined },
  // Tell keys from other objects. Before the modules of cryptography are loaded there are no keys.
  keys: { isKeyObject: () => false, isCryptoKey: () => false },
  // All module namespace objects, which nothing else distinguishes from similar objects.
  namespaces: new WeakSet(),
  // Source text that is in no file (-e, standard input, data: URLs), by the name under which it was compiled.
  sources: new Map(),
};
