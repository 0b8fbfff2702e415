'use strict';

// Timers with a clock that tests advance: setTimeout, setInterval and setImmediate, also those of node:timers and
// node:timers/promises, scheduler.wait, AbortSignal.timeout and Date.

const { codes } = require('internal/errors');
const { PromisedTimers } = require('internal/test/mock_promised_timers');
const { validateNumber, validateStringArray } = require('internal/validators');

const supported = ['setTimeout', 'setInterval', 'setImmediate', 'Date', 'scheduler.wait', 'AbortSignal.timeout'];

const RealDate = Date;

function mockedDate(clock) {
  const Real = globalThis.Date;
  const Mocked = function Date(...args) {
    if (!new.target) return new Real(clock()).toString();
    return Reflect.construct(Real, args.length === 0 ? [clock()] : args, new.target === Mocked ? Real : new.target);
  };
  Object.setPrototypeOf(Mocked, Real);
  Mocked.prototype = Real.prototype;
  Mocked.now = clock;
  Mocked.isMock = true;
  Object.defineProperty(Mocked, 'toString', {
    __proto__: null,
    value: () => 'function Date() { [native code] }',
    configurable: true,
    writable: true,
  });
  return Mocked;
}

class MockTimers {
  #enabled = false;
  #now = 0;
  #queue = [];
  #nextId = 1;
  #kept = [];

  enable(options = { apis: supported, now: 0 }) {
    if (this.#enabled) throw new codes.ERR_INVALID_STATE('MockTimers is already enabled!');
    const { apis = supported, now = 0 } = options;
    validateStringArray(apis, 'options.apis');
    for (const api of apis) {
      if (!supported.includes(api))
        throw new codes.ERR_INVALID_ARG_VALUE('options.apis', api, `option ${api} is not supported`);
    }
    const epoch = now instanceof RealDate ? now.getTime() : now;
    if (typeof epoch !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('now', ['number', 'Date'], now);
    if (!(epoch >= 0)) throw new codes.ERR_INVALID_ARG_VALUE('now', epoch, 'must be a positive integer');
    if (apis.includes('Date') && globalThis.Date.isMock)
      throw new codes.ERR_INVALID_STATE('Date is already being mocked!');
    this.#now = epoch;
    this.#enabled = true;
    const replace = (holder, name, value) => {
      this.#kept.push([holder, name, Object.getOwnPropertyDescriptor(holder, name)]);
      Object.defineProperty(holder, name, {
        __proto__: null,
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    };
    const timers = require('timers');
    const clear = (timer) => this.#clear(timer);
    const promised = new PromisedTimers((callback, delay, interval) => this.#add(callback, delay, [], interval), clear);
    for (const [api, holder, name, value] of promised.replacements())
      if (apis.includes(api)) replace(holder, name, value);
    const add =
      (interval) =>
      (callback, delay = 1, ...args) =>
        this.#add(callback, delay, args, interval);
    if (apis.includes('setTimeout')) {
      for (const holder of [globalThis, timers]) {
        replace(holder, 'setTimeout', add(false));
        replace(holder, 'clearTimeout', clear);
      }
    }
    if (apis.includes('setInterval')) {
      for (const holder of [globalThis, timers]) {
        replace(holder, 'setInterval', add(true));
        replace(holder, 'clearInterval', clear);
      }
    }
    if (apis.includes('setImmediate')) {
      for (const holder of [globalThis, timers]) {
        replace(holder, 'setImmediate', (callback, ...args) => this.#add(callback, 0, args, false, true));
        replace(holder, 'clearImmediate', clear);
      }
    }
    if (apis.includes('AbortSignal.timeout')) {
      const { AbortSignal, AbortController } = globalThis;
      replace(AbortSignal, 'timeout', (delay) => {
        const controller = new AbortController();
        this.#add(() => controller.abort(), delay, [], false);
        return controller.signal;
      });
    }
    if (apis.includes('Date')) {
      replace(
        globalThis,
        'Date',
        mockedDate(() => this.#now),
      );
    }
    require('module').syncBuiltinESMExports();
  }

  #add(callback, delay, args, interval, first = false) {
    const timer = {
      id: this.#nextId++,
      callback,
      due: this.#now + (first ? 0 : Math.max(1, Number(delay) || 1)),
      args,
      interval: interval ? Math.max(1, delay) : undefined,
      first,
      ref() {
        return timer;
      },
      unref() {
        return timer;
      },
      hasRef: () => true,
      refresh: () => timer,
      [Symbol.toPrimitive]: () => timer.id,
      [Symbol.dispose]: () => this.#clear(timer),
      close: () => this.#clear(timer),
    };
    this.#queue.push(timer);
    return timer;
  }

  #clear(timer) {
    const id = typeof timer === 'object' ? timer?.id : timer;
    this.#queue = this.#queue.filter((each) => each.id !== id);
  }

  #check() {
    if (!this.#enabled)
      throw new codes.ERR_INVALID_STATE('You should enable MockTimers first by calling the .enable function');
  }

  tick(time = 1) {
    this.#check();
    validateNumber(time, 'time', 0);
    const end = this.#now + time;
    for (;;) {
      let next;
      for (const timer of this.#queue) {
        if (
          timer.due <= end &&
          (next === undefined || timer.due < next.due || (timer.due === next.due && timer.id < next.id))
        )
          next = timer;
      }
      if (next === undefined) break;
      this.#now = Math.max(this.#now, next.due);
      if (next.interval === undefined) this.#clear(next);
      else next.due += next.interval;
      Reflect.apply(next.callback, undefined, next.args);
    }
    this.#now = end;
  }

  runAll() {
    this.#check();
    const last = Math.max(this.#now, ...this.#queue.map((timer) => timer.due));
    this.tick(last - this.#now);
  }

  setTime(time) {
    this.#check();
    validateNumber(time, 'time', 0);
    this.#now = time;
  }

  reset() {
    if (!this.#enabled) return;
    for (const [holder, name, descriptor] of this.#kept.reverse()) {
      if (descriptor === undefined) delete holder[name];
      else Object.defineProperty(holder, name, descriptor);
    }
    this.#kept = [];
    this.#queue = [];
    this.#enabled = false;
    require('module').syncBuiltinESMExports();
  }

  [Symbol.dispose]() {
    this.reset();
  }
}

module.exports = { MockTimers };
