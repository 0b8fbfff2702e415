'use strict';

// The module `dns/promises`.

const { lookupPromise, lookupServicePromise } = require('internal/dns/lookup');
const {
  PromisesResolver,
  getDefaultPromisesResolver,
  setDefaultServers,
  errorCodes,
  kinds,
  getDefaultResultOrder,
  setDefaultResultOrder,
} = require('internal/dns/resolver');

module.exports = {
  lookup: {
    lookup(hostname, options) {
      return lookupPromise(hostname, options);
    },
  }.lookup,
  lookupService: {
    lookupService(address, port) {
      return lookupServicePromise(...arguments);
    },
  }.lookupService,
  Resolver: PromisesResolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: setDefaultServers,
  ...errorCodes,
};

for (const method of ['getServers', 'resolve', ...Object.keys(kinds).sort()]) {
  module.exports[method] = {
    [method](...args) {
      return getDefaultPromisesResolver()[method](...args);
    },
  }[method];
}
