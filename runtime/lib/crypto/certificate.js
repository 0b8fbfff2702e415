'use strict';

// Certificate: SPKAC, a public key that was signed together with a challenge, as old browsers sent it.

const { codes, binding, getArrayBufferOrView, toBytes } = require('internal/crypto/util');
const { Buffer } = require('internal/buffer/class');

const questions = { verifySpkac: 0, exportPublicKey: 1, exportChallenge: 2 };
const mostBytes = 2 ** 31 - 1;

function ask(name, spkac, encoding) {
  const bytes = toBytes(getArrayBufferOrView(spkac, 'spkac', encoding));
  if (bytes.byteLength > mostBytes)
    throw new codes.ERR_OUT_OF_RANGE('spkac.byteLength', `<= ${mostBytes}`, bytes.byteLength);
  if (bytes.byteLength === 0) return '';
  const answer = binding.spkac(bytes, questions[name]);
  if (typeof answer === 'boolean') return answer;
  return answer === undefined ? '' : Buffer.from(answer);
}

// May be called without `new`. Its functions are both static methods and methods of instances.
function Certificate() {
  if (!(this instanceof Certificate)) return new Certificate();
}
for (const name of ['verifySpkac', 'exportPublicKey', 'exportChallenge']) {
  const method = { [name]: (spkac, encoding) => ask(name, spkac, encoding) }[name];
  Certificate[name] = method;
  Certificate.prototype[name] = method;
}

module.exports = { Certificate };
