'use strict';

// Tells keys from other objects without loading the cryptography modules: before they are loaded there are no keys.

module.exports = { isKeyObject: () => false, isCryptoKey: () => false };
