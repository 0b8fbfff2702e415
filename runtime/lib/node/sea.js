'use strict';

// node:sea: a program and its script in one file. rota does not make such files; isSea() returns false.

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');

function missing() {
  return new codes.ERR_NOT_IN_SINGLE_EXECUTABLE_APPLICATION();
}

function getRawAsset(key) {
  validateString(key, 'key');
  throw missing();
}

function getAsset(key, encoding) {
  if (encoding !== undefined) validateString(encoding, 'encoding');
  return getRawAsset(key);
}

const getAssetAsBlob = (key) => getRawAsset(key);
// options, which are not used here
Object.defineProperty(getAssetAsBlob, 'length', { __proto__: null, value: 2, configurable: true });

module.exports = {
  isSea: () => false,
  getAsset,
  getRawAsset,
  getAssetAsBlob,
  getAssetKeys() {
    throw missing();
  },
};
