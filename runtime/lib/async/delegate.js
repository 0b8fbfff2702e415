'use strict';

// Iteration in asynchronous generators and modules, in the order of the language.
//
// `yield*` in an asynchronous generator. The engine awaits the result of the inner iterator's methods,
// which is right, and then awaits the value in it once more, which is wrong: each value comes one job late.
// Loaders put a call of delegate() around the operand; the iterator that it returns wraps results, so that
// the engine recognizes them (runtime/engine/jobs/repair.c).
//
// The engine would adapt a synchronous iterable itself, without this correction: here it is adapted
// as the language says.

const { delegated } = internalBinding('util');

const { Promise } = globalThis;
const { apply } = Reflect;
const { then } = Promise.prototype;
const resolved = Promise.resolve.bind(Promise);
const rejected = Promise.reject.bind(Promise);

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isMissing = (value) => value === undefined || value === null;

// A value that is no object is an error, which the engine reports.
const marked = (result) => (isObject(result) ? delegated(result) : result);

class Delegate {
  #inner;
  #next;
  constructor(inner) {
    this.#inner = inner;
    this.#next = inner.next;
  }
  next(value) {
    return marked(apply(this.#next, this.#inner, [value]));
  }
  get return() {
    return this.#passed('return');
  }
  get throw() {
    return this.#passed('throw');
  }
  #passed(name) {
    const inner = this.#inner;
    const method = inner[name];
    return typeof method === 'function' ? (value) => marked(apply(method, inner, [value])) : method;
  }
}

class Adapted {
  #inner;
  #next;
  constructor(inner) {
    this.#inner = inner;
    this.#next = inner.next;
  }
  next(value) {
    return this.#result(() => apply(this.#next, this.#inner, [value]), true);
  }
  return(value) {
    return this.#call('return', value, () => resolved({ value, done: true }), false);
  }
  throw(value) {
    return this.#call(
      'throw',
      value,
      () => {
        this.#close();
        return rejected(new TypeError("The iterator does not provide a 'throw' method"));
      },
      true,
    );
  }
  #call(name, value, otherwise, closes) {
    let method;
    try {
      method = this.#inner[name];
    } catch (error) {
      return rejected(error);
    }
    return isMissing(method) ? otherwise() : this.#result(() => apply(method, this.#inner, [value]), closes);
  }
  // The promise of a result whose value is settled. One that is rejected ends the iterator, unless it has ended itself.
  #result(step, closes) {
    let done;
    let value;
    try {
      const result = step();
      if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`);
      done = Boolean(result.done);
      value = result.value;
    } catch (error) {
      return rejected(error);
    }
    const failed =
      done || !closes
        ? undefined
        : (error) => {
            this.#close();
            throw error;
          };
    try {
      value = resolved(value);
    } catch (error) {
      if (failed !== undefined) this.#close();
      return rejected(error);
    }
    return apply(then, value, [(settled) => ({ value: settled, done }), failed]);
  }
  // After an error, which has precedence over errors of the iterator.
  #close() {
    try {
      this.#inner.return?.();
    } catch {
      /* see above */
    }
  }
}

function delegate(iterable) {
  if (isMissing(iterable)) return iterable;
  let method = iterable[Symbol.asyncIterator];
  const isAdapted = isMissing(method);
  if (isAdapted) method = iterable[Symbol.iterator];
  if (typeof method !== 'function') return iterable;
  const inner = apply(method, iterable, []);
  const iterator = !isObject(inner) ? inner : new Delegate(isAdapted ? new Adapted(inner) : inner);
  return { [Symbol.asyncIterator]: () => iterator };
}

// `for await` in a module that is a generator (internal/modules/esm/link): the iteration as the language describes
// it. What has to be awaited is yielded.

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

module.exports = { delegate, Adapted, Each };
