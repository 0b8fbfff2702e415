'use strict';

// `for await` in a module that is a generator (internal/modules/esm/stepped): the iteration as the language describes
// it. What has to be awaited is yielded.

const { Adapted } = require('internal/async/delegate');

const { apply } = Reflect;
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isMissing = (value) => value === undefined || value === null;

class Each {
  #iterator;
  #next;
  #isOpen = false; // the loop has a value: leaving it closes the iterator
  #hasFailed = false;
  #error;
  value;

  over(iterable) {
    const method = iterable?.[Symbol.asyncIterator];
    const isAdapted = isMissing(method);
    const found = isAdapted ? iterable?.[Symbol.iterator] : method;
    if (typeof found !== 'function') throw new TypeError(`${String(iterable)} is not async iterable`);
    const iterator = apply(found, iterable, []);
    if (!isObject(iterator))
      throw new TypeError(`Result of the Symbol.${isAdapted ? 'iterator' : 'asyncIterator'} method is not an object`);
    this.#iterator = isAdapted ? new Adapted(iterator) : iterator;
    this.#next = this.#iterator.next;
  }

  // -> whether there is another value
  *step() {
    this.#isOpen = false;
    const result = yield apply(this.#next, this.#iterator, []);
    if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`);
    if (result.done) return false;
    this.value = result.value;
    this.#isOpen = true;
    return true;
  }

  fail(error) {
    this.#hasFailed = true;
    this.#error = error;
  }

  // The error of the loop has precedence over those of the iterator.
  *close() {
    try {
      const method = this.#isOpen ? this.#iterator.return : undefined;
      if (!isMissing(method)) {
        const result = yield apply(method, this.#iterator, []);
        if (!isObject(result)) throw new TypeError(`${String(result)} is not an object`);
      }
    } catch (error) {
      if (!this.#hasFailed) throw error;
    }
    if (this.#hasFailed) throw this.#error;
  }
}

module.exports = { Each };
