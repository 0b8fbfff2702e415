'use strict';

// Who can tell keys from other objects, for those that must ask without loading cryptography: before it is loaded there
// are none.

module.exports = { isKeyObject: () => false, isCryptoKey: () => false };
