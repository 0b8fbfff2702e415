'use strict';

// fetch and its classes: the names are there, so that programs can look for them; using one says that it is not available.

const { codes } = require('internal/errors');

async function fetch() {
  throw new codes.ERR_FEATURE_NOT_AVAILABLE('fetch');
}

function missing(name) {
  return {
    [name]: class {
      constructor() {
        throw new codes.ERR_FEATURE_NOT_AVAILABLE(name);
      }
    },
  }[name];
}

module.exports = { fetch };
for (const name of ['Headers', 'Request', 'Response', 'FormData', 'WebSocket', 'CloseEvent', 'EventSource']) module.exports[name] = missing(name);
