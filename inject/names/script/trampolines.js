'use strict';
// Functions that are called on the way to those of the program. A native function in their place (names.h) names
// what it is given, or keeps the stack of its caller, and then calls the original. It stands in no stack, and in all
// else looks like the original.

const { native, process, builtin } = require('./host.js');

// enum names_trampoline
const CALLBACK = 0;
const SLOW = 1;
const PARSE = 2;
const MADE = 3;
const LAST = 4;

const trampolines = new Map(); // by the original

function replace(kind, object, key, title = key) {
  const original = object[key];
  const own = trampolines.get(original) ?? native.trampoline(kind, title, original);
  trampolines.set(original, own);
  for (const each of Reflect.ownKeys(original)) {
    if (each !== 'prototype') Reflect.defineProperty(own, each, Reflect.getOwnPropertyDescriptor(original, each));
  }
  Reflect.defineProperty(object, key, { ...Reflect.getOwnPropertyDescriptor(object, key), value: own });
}

const hasSync = (module, key) => typeof module[key] === 'function' && typeof module[`${key}Sync`] === 'function';

// Of these, Node keeps the callback where nobody can look it up. sign and verify are other functions by name, which a
// stack would show.
const CIPHERS = [
  ...['pbkdf2', 'scrypt', 'hkdf', 'argon2', 'randomBytes', 'randomFill', 'diffieHellman'],
  ...['generateKey', 'generateKeyPair', 'generatePrime', 'encapsulate', 'decapsulate'],
];

function replaceCiphers() {
  if (process.versions.openssl === undefined) return;
  const crypto = builtin('crypto');
  for (const key of CIPHERS) {
    if (typeof Reflect.getOwnPropertyDescriptor(crypto, key)?.value === 'function') replace(CALLBACK, crypto, key);
  }
}

// Callbacks of fs and of ciphers are named when they are called.
function nameCallbacks() {
  const fs = builtin('fs');
  const handler = { __proto__: null, apply: native.call };
  native.wraps((callback) => new Proxy(callback, handler)); // it is called with the same `this`
  const isJob = String(fs.writeFile).includes('.ondone ='); // since Node 26: the job has the callback
  const known = isJob ? ['readFile', 'writeFile', 'appendFile'] : ['readFile'];
  for (const key of Object.keys(fs)) if (hasSync(fs, key) && !known.includes(key)) replace(CALLBACK, fs, key);
  replaceCiphers();
}

// Those that Node computes with C++ before they return.
const SLOW_CIPHERS = [
  ...['pbkdf2Sync', 'scryptSync', 'hkdfSync', 'argon2Sync', 'randomFillSync', 'generateKeySync'],
  ...['generateKeyPairSync', 'generatePrimeSync', 'checkPrimeSync'],
];

function keepStacksOf(title, keys) {
  const module = builtin(title);
  for (const key of keys(module)) {
    if (typeof Reflect.getOwnPropertyDescriptor(module, key)?.value === 'function') {
      replace(SLOW, module, key, `${title}.${key}`);
    }
  }
}

// For samples and for the watchdog, which cannot see the stack while a function of C++ runs.
function keepStacks() {
  const fs = builtin('fs');
  const processes = builtin('child_process');
  if (process.versions.openssl !== undefined) keepStacksOf('crypto', () => SLOW_CIPHERS);
  keepStacksOf('zlib', (zlib) => Object.keys(zlib).filter((key) => key.endsWith('Sync')));
  for (const key of Object.keys(fs)) if (hasSync(fs, key)) replace(SLOW, fs, `${key}Sync`, `fs.${key}Sync`);
  for (const key of ['execFileSync', 'execSync', 'spawnSync']) replace(SLOW, processes, key, `child_process.${key}`);
  replace(SLOW, Atomics, 'wait', 'Atomics.wait');
  replace(PARSE, JSON, 'parse', 'JSON.parse');
  if (typeof process.execve === 'function') replace(LAST, process, 'execve');
}

// For `rota why`: where timers and immediates are made.
function rememberMakers() {
  const timers = builtin('timers');
  for (const key of ['setTimeout', 'setInterval', 'setImmediate']) {
    const original = timers[key];
    replace(MADE, timers, key);
    if (globalThis[key] !== original) continue;
    const descriptor = Reflect.getOwnPropertyDescriptor(globalThis, key);
    Reflect.defineProperty(globalThis, key, { ...descriptor, value: timers[key] });
  }
  for (const key of ['setTimeout', 'setImmediate']) replace(MADE, builtin('timers/promises'), key);
}

module.exports = { keepStacks, nameCallbacks, rememberMakers };
