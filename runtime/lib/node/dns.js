'use strict';

// The module `dns`.

const binding = internalBinding('dns');
const { lookup, lookupService } = require('internal/dns/lookup');
const {
  Resolver,
  getDefaultResolver,
  setDefaultServers,
  addResolving,
  errorCodes,
  getDefaultResultOrder,
  setDefaultResultOrder,
} = require('internal/dns/resolver');

module.exports = {
  lookup,
  lookupService,
  Resolver,
  getDefaultResultOrder,
  setDefaultResultOrder,
  setServers: setDefaultServers,
  ADDRCONFIG: binding.AI_ADDRCONFIG,
  ALL: binding.AI_ALL,
  V4MAPPED: binding.AI_V4MAPPED,
  ...errorCodes,
};

addResolving(module.exports, getDefaultResolver);

Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    return require('dns/promises');
  },
});
