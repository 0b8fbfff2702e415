'use strict';

// Corrects an engine's wrong order of promise jobs in the program's text: loaders insert calls of these functions
// (internal/modules/order_edits), and only where a check of the engine itself has failed
// (runtime/engine/jobs/repair.c).
//
//   await x                     await __rota_import__.awaited(x)
//   for await (const x of y)    for await (const x of __rota_import__.iterable(y))
//   async function* f() {...}   with a yield* in it: a plain generator that yields what it waits for, and a driver

const { Adapted } = require('internal/async/delegate');
const frame = require('internal/async/context');

const { Promise } = globalThis;
const { apply, getPrototypeOf } = Reflect;
const { hasOwn } = Object;
const { then } = Promise.prototype;
const resolved = Promise.resolve.bind(Promise);
const kAsync = Symbol.asyncIterator;
const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const isMissing = (value) => value === undefined || value === null;

// Whether the engine can await it as it is. A promise of another class is first converted to another promise, which
// also takes one job too few.
function isPlain(value) {
  if (!(value instanceof Promise)) return false;
  return (
    (getPrototypeOf(value) === Promise.prototype && !hasOwn(value, 'constructor')) || value.constructor === Promise
  );
}

// A thenable is resolved by a promise of ours, since the engine takes one job too few. While contexts are followed, any
// other value becomes a promise as well, so that it is observed (internal/async/promises).
function awaited(value) {
  if (!isObject(value)) return frame.followed ? resolved(value) : value;
  if (isPlain(value)) return value;
  return new Promise((resolve) => {
    resolve(value);
  });
}

// A synchronous iterable is adapted here: the engine's own adapter never ends if one of its promises is rejected.
function iterable(value) {
  if (isMissing(value) || !isMissing(value[kAsync])) return value;
  const method = value[Symbol.iterator];
  if (typeof method !== 'function') return value;
  return {
    [kAsync]() {
      const inner = apply(method, value, []);
      return isObject(inner) ? new Adapted(inner) : inner;
    },
  };
}

// ---- asynchronous generators ----

const kAwait = 0;
const kYield = 1;
const kDelegate = 2;

class Wish {
  constructor(kind, value) {
    this.kind = kind;
    this.value = value;
  }
}
const toAwait = (value) => new Wish(kAwait, value);
const toYield = (value) => new Wish(kYield, value);
const toDelegate = (value) => new Wish(kDelegate, value);
const given = (value) => value;

const kStarts = 0;
const kRests = 1; // at a yield
const kRuns = 2; // or waits for something
const kEnded = 3;

const { prototype } = async function* () {
  yield 1;
}.constructor.prototype;

// The language's AsyncGenerator, request by request. `body` is a generator that yields what it waits for.
class Driver {
  state = kStarts;
  requests = [];
  inner; // the iterator of the current yield*: { iterator, next }
  constructor(body) {
    this.body = body;
  }

  add(mode, value) {
    return new Promise((resolve, reject) => {
      this.requests.push({ mode, value, resolve, reject });
      if (this.state !== kRuns) this.take();
    });
  }

  // Runs the first request, until something has to be awaited.
  take() {
    while (this.requests.length > 0 && this.state !== kRuns) {
      const { mode, value } = this.requests[0];
      if (this.state === kStarts && mode !== 'next') this.state = kEnded;
      if (this.state === kEnded) {
        if (mode === 'next') this.answer(undefined, true);
        else if (mode === 'throw') this.refuse(value);
        else
          this.wait(
            value,
            (given_) => this.end(given_),
            (error) => this.fail(error),
          );
      } else {
        this.resume(mode, value);
      }
    }
  }

  resume(mode, value) {
    const isStart = this.state === kStarts;
    this.state = kRuns;
    if (isStart) this.step('next', undefined);
    else if (mode === 'return')
      this.wait(
        value,
        (given_) => this.pass('return', given_),
        (error) => this.pass('throw', error),
      );
    else this.pass(mode, value);
  }

  // Resumes the body, or the iterator that it delegates to.
  pass(mode, value) {
    if (this.inner === undefined) this.step(mode, value);
    else this.delegate(mode, value);
  }

  step(mode, value) {
    let wish;
    try {
      const result = this.body[mode](value);
      if (result.done) {
        this.end(result.value);
        return;
      }
      wish = result.value;
    } catch (error) {
      this.fail(error);
      return;
    }
    const refused = (error) => this.step('throw', error);
    if (wish.kind === kAwait) {
      this.wait(wish.value, (given_) => this.step('next', given_), refused);
    } else if (wish.kind === kYield) {
      this.wait(wish.value, (given_) => this.rest(given_), refused);
    } else {
      try {
        this.inner = this.begin(wish.value);
      } catch (error) {
        this.step('throw', error);
        return;
      }
      this.delegate('next', undefined);
    }
  }

  begin(value) {
    const method = value[kAsync];
    const isAdapted = isMissing(method);
    const iterator = apply(isAdapted ? value[Symbol.iterator] : method, value, []);
    if (!isObject(iterator))
      throw new TypeError(`Result of the Symbol.${isAdapted ? 'iterator' : 'asyncIterator'} method is not an object`);
    const adapted = isAdapted ? new Adapted(iterator) : iterator;
    return { iterator: adapted, next: adapted.next };
  }

  delegate(mode, value) {
    const { iterator, next } = this.inner;
    const leave = (how, what) => {
      this.inner = undefined;
      this.step(how, what);
    };
    let promise;
    try {
      const method = mode === 'next' ? next : iterator[mode];
      if (isMissing(method) && mode === 'return') {
        this.wait(
          value,
          (given_) => leave('return', given_),
          (error) => leave('throw', error),
        );
        return;
      }
      if (isMissing(method)) {
        this.close(iterator, leave);
        return;
      }
      promise = apply(method, iterator, [value]);
    } catch (error) {
      leave('throw', error);
      return;
    }
    this.wait(
      promise,
      (result) => {
        let done;
        let found;
        try {
          if (!isObject(result)) throw new TypeError(`Iterator result ${String(result)} is not an object`);
          done = result.done;
          found = result.value;
        } catch (error) {
          leave('throw', error);
          return;
        }
        if (done) leave(mode === 'return' ? 'return' : 'next', found);
        else this.rest(found);
      },
      (error) => leave('throw', error),
    );
  }

  // The iterator has no method `throw`.
  close(iterator, leave) {
    const fail = () => leave('throw', new TypeError("The iterator does not provide a 'throw' method"));
    const method = iterator.return;
    if (isMissing(method)) fail();
    else this.wait(apply(method, iterator, []), fail, (error) => leave('throw', error));
  }

  wait(value, fulfilled, rejected) {
    this.state = kRuns;
    let promise;
    try {
      promise = resolved(value);
    } catch (error) {
      rejected(error);
      return;
    }
    apply(then, promise, [fulfilled, rejected]);
  }

  // A value has been yielded.
  rest(value) {
    this.state = kRests;
    this.answer(value, false);
    this.take();
  }

  end(value) {
    this.state = kEnded;
    this.answer(value, true);
    this.take();
  }

  fail(error) {
    this.state = kEnded;
    this.refuse(error);
    this.take();
  }

  answer(value, done) {
    this.requests.shift().resolve({ value, done });
  }

  refuse(error) {
    this.requests.shift().reject(error);
  }
}

class Driven {
  #driver;
  constructor(body) {
    this.#driver = new Driver(body);
  }
  next(value) {
    return this.#driver.add('next', value);
  }
  return(value) {
    return this.#driver.add('return', value);
  }
  throw(error) {
    return this.#driver.add('throw', error);
  }
}
Object.setPrototypeOf(Driven.prototype, Object.getPrototypeOf(prototype));
delete Driven.prototype.constructor;
Object.defineProperty(Driven.prototype, Symbol.toStringTag, { value: 'AsyncGenerator', configurable: true });
for (const name of ['next', 'return', 'throw']) Object.defineProperty(Driven.prototype, name, { enumerable: false });

// generate(new.target, this, arguments, function*): the result of calling an asynchronous generator function.
function generate(target, self, args, body) {
  if (target !== undefined) throw new TypeError('An asynchronous generator function is not a constructor');
  return new Driven(apply(body, self, args));
}

module.exports = { awaited, iterable, toAwait, toYield, toDelegate, given, generate };
