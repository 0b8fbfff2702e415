'use strict';
// node:constants has the numbers of files, cryptography and the system in one object.
const constants = require('constants');

const own = Object.keys(constants);
for (const [name, part] of Object.entries({ fs: require('fs').constants, crypto: require('crypto').constants, ...require('os').constants })) {
  if (typeof part !== 'object') continue;
  const missing = Object.keys(part).filter((key) => constants[key] !== part[key]);
  console.log(name, missing.join());
}
console.log(Object.isFrozen(constants), own.length > 200, constants.O_RDONLY, constants.S_IFMT, constants.F_OK, constants.SIGTERM, constants.RSA_PKCS1_PADDING);
