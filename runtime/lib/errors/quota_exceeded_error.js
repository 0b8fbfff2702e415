'use strict';

// QuotaExceededError: the DOMException that can say how much was wanted, and how much there is.

const { DOMException } = require('internal/dom_exception');

const kClone = Symbol.for('rota.clone');

function readAmount(options, name) {
  if (!(name in options)) return null;
  const amount = Number(options[name]);
  if (!Number.isFinite(amount))
    throw new TypeError(`Cannot convert options.${name} to a double: the value is ${amount}`);
  if (amount < 0) throw new RangeError(`options.${name} must not be negative`);
  return amount;
}

class QuotaExceededError extends DOMException {
  #quota;
  #requested;

  constructor(message = '', options = {}) {
    super(message, 'QuotaExceededError');
    this.#quota = readAmount(options, 'quota');
    this.#requested = readAmount(options, 'requested');
    if (this.#quota !== null && this.#requested !== null && this.#requested < this.#quota) {
      throw new RangeError('options.requested must not be less than options.quota');
    }
  }

  get quota() {
    return this.#quota;
  }

  get requested() {
    return this.#requested;
  }

  [kClone]() {
    const amounts = {};
    if (this.#quota !== null) amounts.quota = this.#quota;
    if (this.#requested !== null) amounts.requested = this.#requested;
    return new QuotaExceededError(this.message, amounts);
  }
}
for (const name of ['quota', 'requested'])
  Object.defineProperty(QuotaExceededError.prototype, name, { enumerable: true });
Object.defineProperty(QuotaExceededError.prototype, Symbol.toStringTag, {
  __proto__: null,
  configurable: true,
  value: 'QuotaExceededError',
});

module.exports = { QuotaExceededError };
