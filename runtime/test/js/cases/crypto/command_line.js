'use strict';
// On the command line `crypto` is the module, and the web's interface is a property of the global object.
const { spawnSync } = require('child_process');
for (const [option, code] of [
  ['-p', 'crypto.createHash("sha1").update("x").digest("hex")'], ['-p', 'typeof globalThis.crypto.createHash'], ['-p', 'const crypto = 5; crypto'],
  ['-e', 'console.log(typeof crypto.randomBytes, crypto === require("crypto"))'], ['-p', 'new Function("return typeof crypto.createHash")()'],
  ['-p', 'crypto = 7; [crypto, typeof globalThis.crypto]'], ['-e', 'const crypto = require("crypto"); console.log(typeof crypto.sign)'],
  ['-p', '"cryptography"'], ['-p', '({ crypto }).crypto === require("node:crypto")'],
]) {
  const { stdout, status } = spawnSync(process.execPath, [option, code], { encoding: 'utf8' });
  console.log(option, code, '->', stdout.trim(), status);
}
