'use strict';

// What timeouts and immediates have in common: those that are referenced keep the loop alive, by a shared word that counts them.

const { words } = require('internal/process/shared');

const kRefed = Symbol('refed'); // null: over

function referenced(word) {
  const turn = (item, wanted) => {
    if (item[kRefed] === !wanted) {
      item[kRefed] = wanted;
      if (!item._destroyed) words[word] += wanted ? 1 : -1;
    }
    return item;
  };
  return class {
    ref() {
      return turn(this, true);
    }

    unref() {
      return turn(this, false);
    }

    hasRef() {
      return this[kRefed] === true;
    }
  };
}

// Methods are looked for on the class itself by some programs, so they are put there.
function give(target, word) {
  const source = referenced(word).prototype;
  for (const name of ['ref', 'unref', 'hasRef']) {
    Object.defineProperty(target, name, { value: source[name], writable: true, configurable: true, enumerable: false });
  }
}

function requireFunction(callback) {
  if (typeof callback === 'function') return;
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
}

module.exports = { kRefed, give, requireFunction };
