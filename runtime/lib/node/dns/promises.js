'use strict';

// The module `dns/promises`.

const { lookupPromise, lookupServicePromise } = require('internal/dns/lookup');
const {
  PromisesResolver,
  getDefaultPromisesResolver,
  setDefaultServers,
  addResolving,
  errorCodes,
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

addResolving(module.exports, getDefaultPromisesResolver);
