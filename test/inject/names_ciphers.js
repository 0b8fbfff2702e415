'use strict';
// What a program can observe of crypto, and of a callback of its functions: with names and without, it must print the same.
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const util = require('util');

const clean = (text) => String(text).replaceAll(__dirname, '.');
const show = (...values) => console.log(...values.map(clean));

function kind(value) {
  if (value instanceof Error) return clean(`${value.name} ${value.code} ${value.message}`);
  if (value instanceof crypto.KeyObject) return `${value.type} key`;
  return Buffer.isBuffer(value) ? `buffer of ${value.length}` : value === null ? 'null' : typeof value;
}

for (const key of Object.keys(crypto)) {
  const { value, ...flags } = Object.getOwnPropertyDescriptor(crypto, key);
  if (typeof value === 'function') show(key, value.name, value.length, Object.keys(value).join(), typeof value.prototype, util.inspect(value), util.inspect(flags));
}

const { privateKey, publicKey } = crypto.generateKeyPairSync('ed25519');
const [one, other] = [crypto.generateKeyPairSync('x25519'), crypto.generateKeyPairSync('x25519')];
const text = Buffer.from('text');
const signature = crypto.sign(null, text, privateKey);
const pem = { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } };
const calls = [
  ['pbkdf2', 'a', 'b', 1, 9, 'sha1'],
  ['pbkdf2', 'a', 'b', 1, 9, 'none'],
  ['scrypt', 'a', 'b', 9],
  ['scrypt', 'a', 'b', 9, { N: 3 }],
  ['hkdf', 'sha256', 'a', 'b', 'c', 9],
  ['argon2', 'argon2id', { message: 'a', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 16, memory: 16, passes: 1 }],
  ['randomBytes', 4],
  ['randomBytes', -1],
  ['randomFill', Buffer.alloc(4), 1, 2],
  ['randomInt', 5],
  ['generateKey', 'hmac', { length: 64 }],
  ['generateKeyPair', 'ed25519', {}],
  ['generateKeyPair', 'ed25519', pem],
  ['generateKeyPair', 'none', {}],
  ['generatePrime', 32],
  ['checkPrime', 7n],
  ['sign', null, text, privateKey],
  ['verify', null, text, publicKey, signature],
  ['diffieHellman', { privateKey: one.privateKey, publicKey: other.publicKey }],
  ['encapsulate', one.publicKey],
];

const pause = () => new Promise((resolve) => setTimeout(resolve, 1));

function called([key, ...values], object = crypto) {
  return new Promise((resolve) => {
    const returned = object[key](...values, function callback(...results) {
      const self = this === undefined ? 'undefined' : this === globalThis ? 'global' : this.constructor.name;
      for (const value of results) if (value instanceof fs.Dir) value.closeSync(); // else the collector closes it, with a warning, if it runs
      resolve(show(key, 'calls back', self, results.map(kind), new Error('in the callback').stack));
    });
    show(key, 'returns', kind(returned));
  });
}

async function compare(call) {
  const [key, ...values] = call;
  const ways = [() => called(call), () => show(key, kind(crypto[key](...values))), () => show(key, kind(crypto[key](...values, 'no function')))];
  for (const way of ways) {
    try {
      await way();
    } catch (error) {
      show(key, 'throws', error.stack);
    }
    await pause();
  }
  const promised = await util.promisify(crypto[key])(...values).catch((error) => error);
  show(key, 'promised', kind(promised), promised !== null && typeof promised === 'object' && Object.keys(promised));
}

(async () => {
  // diffieHellman takes a callback where there is encapsulate.
  for (const call of calls) if (crypto[call[0]] !== undefined && (call[0] !== 'diffieHellman' || crypto.encapsulate)) await compare(call);
  const file = path.join(__dirname, 'nowhere', 'file');
  for (const call of [['stat', __filename], ['writeFile', file, 'x'], ['appendFile', file, 'x'], ['readFile', __filename], ['rm', file], ['opendir', '.']]) await called(call, fs);
  // The last one ends the program.
  crypto[process.argv[2]](...calls.find(([key]) => key === process.argv[2]).slice(1), () => undefined.property);
})();
