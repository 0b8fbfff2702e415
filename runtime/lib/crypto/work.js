'use strict';

// Work for the binding that can be done synchronously or in the thread pool. A function of crypto and its
// `Sync` twin are made from one description: how the arguments are checked, what the binding does with them,
// and how its result is converted.

const { binding, job, dropJob } = require('internal/crypto/util');
const { derivation } = require('internal/shared');
const { validateFunction } = require('internal/validators');

// The types of asynchronous resources, by what the binding does; a derivation's by its kind.
const types = new Map([
  [binding.randomFill, 'KEYGENREQUEST'],
  [binding.keyGenerate, 'KEYPAIRGENREQUEST'],
  [binding.sign, 'SIGNREQUEST'],
  [binding.generatePrime, 'RANDOMPRIMEREQUEST'],
  [binding.checkPrime, 'CHECKPRIMEREQUEST'],
  [binding.agree, 'DERIVEBITSREQUEST'],
  [binding.messageCipher, 'CIPHERREQUEST'],
  [binding.rsaCrypt, 'CIPHERREQUEST'],
  [binding.messageHmac, 'SIGNREQUEST'],
  [binding.encapsulate, 'KEMENCAPSULATEREQUEST'],
]);
const derivations = {
  [derivation.kPbkdf2]: 'PBKDF2REQUEST',
  [derivation.kScrypt]: 'SCRYPTREQUEST',
  [derivation.kHkdf]: 'DERIVEBITSREQUEST',
};

class Work {
  constructor(native, given, finish) {
    this.native = native;
    this.given = given;
    this.finish = finish; // (the answer) -> the result, or throws
  }

  get #type() {
    return this.native === binding.derive ? derivations[this.given[0]] : (types.get(this.native) ?? 'HASHREQUEST');
  }

  now() {
    return this.finish(this.native(-1, ...this.given));
  }

  // callback(error), or callback(nothing, result), where nothing is null or undefined
  later(callback, nothing = null) {
    const { finish } = this;
    const id = job((error, value) => {
      let result;
      if (!error) {
        try {
          result = finish(value);
        } catch (failure) {
          error = failure;
        }
      }
      if (error) callback(error);
      else callback(nothing, result);
    }, this.#type);
    // If the binding returns null at once, the work was not begun, and `finish` gives the reason.
    if (this.native(id, ...this.given) !== null) return;

    dropJob(id);
    finish(null);
  }
}

// prepare(...arguments) -> Work. The callback follows the arguments; those from `optional` on may be
// left out before it.
function twoForms(name, count, prepare, { optional = count, callbackFirst = false, nothing = null } = {}) {
  const later = function (...given) {
    let callback = given[count];
    for (let i = optional; i < count; i++) {
      if (typeof given[i] === 'function') {
        callback = given[i];
        given.length = i;
        break;
      }
    }
    given.length = Math.min(given.length, count);
    if (callbackFirst) validateFunction(callback, 'callback');
    const work = prepare(...given);
    if (!callbackFirst) validateFunction(callback, 'callback');
    work.later(callback, nothing);
  };
  const now = (...given) => prepare(...given.slice(0, count)).now();
  for (const [form, shown, length] of [
    [later, name, count + 1],
    [now, `${name}Sync`, count],
  ]) {
    Object.defineProperty(form, 'name', { value: shown, configurable: true });
    Object.defineProperty(form, 'length', { value: length, configurable: true });
  }
  return [later, now];
}

// A class that may also be called without `new`, as old programs do.
function callable(Kind, name) {
  const function_ = {
    [name]: function (...given) {
      return Reflect.construct(Kind, given, new.target ?? function_);
    },
  }[name];
  function_.prototype = Kind.prototype;
  Object.defineProperty(Kind.prototype, 'constructor', {
    value: function_,
    writable: true,
    enumerable: false,
    configurable: true,
  });
  Object.setPrototypeOf(function_, Object.getPrototypeOf(Kind));
  Object.defineProperty(function_, 'length', { value: Kind.length, configurable: true });
  return function_;
}

// Errors with a code of crypto and a message of the caller.
function coded(Kind, code, message, extra) {
  return Object.assign(new Kind(message), { code, ...extra });
}

module.exports = { Work, callable, coded, twoForms };
