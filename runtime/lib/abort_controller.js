'use strict';

// AbortController and AbortSignal of the DOM Standard. A signal made by AbortSignal.any refers to its source signals
// (never to ones that depend on others themselves), and these refer to it, weakly unless it has listeners.

const { codes } = require('internal/errors');
const {
  validateAbortSignal,
  validateObject,
  validateUint32,
  kValidateObjectAllowObjects,
} = require('internal/validators');
const { kMaxEventTargetListeners } = require('events');
const {
  Event,
  EventTarget,
  defineEventHandler,
  hasListeners,
  kTrustEvent,
  kNewListener,
  kRemoveListener,
} = require('internal/event_target');

const { dispatchEvent } = EventTarget.prototype;
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');
const kAborted = Symbol('kAborted');
const kClone = Symbol.for('rota.clone');
const kTransfer = Symbol.for('rota.transfer');
const permission = Symbol('permission'); // a holder of this symbol may make signals

// A signal with listeners that only a timer or another signal would abort must not be collected.
const awaited = new Set();
// The timers of collected signals are stopped.
const unusedTimers = new (internalBinding('runtime').FinalizationRegistry)((timer) => clearTimeout(timer));

function domException(message, name) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, name);
}

let fire; // (signal, reason)
let link; // (signal, source)
let share; // (signal) -> the same signal, which may now be sent in messages

class AbortSignal extends EventTarget {
  #reason = undefined;
  #aborted = false;
  #sources = undefined; // of one made by any()
  #dependents = undefined; // WeakRefs
  #driven = false; // by a timer or other signals
  #shared = false;

  constructor(key) {
    if (key !== permission) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this[kMaxEventTargetListeners] = 0;
    Object.defineProperty(this, kAborted, { get: () => this.#aborted });
  }

  static #check(signal) {
    if (!(typeof signal === 'object' && signal !== null && #aborted in signal))
      throw new codes.ERR_INVALID_THIS('AbortSignal');
    return signal;
  }

  static {
    fire = (signal, reason) => {
      if (signal.#aborted) return;
      const all = [signal];
      for (const ref of signal.#dependents ?? []) {
        const each = ref.deref();
        if (each !== undefined && !each.#aborted) all.push(each);
      }
      // First all of them are aborted, then the events come.
      for (const each of all) {
        each.#aborted = true;
        each.#reason = reason;
      }
      for (const each of all) {
        // An event that nobody would see is not made.
        if (each.dispatchEvent !== dispatchEvent || hasListeners(each, 'abort'))
          each.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
        awaited.delete(each);
        each.#sources = each.#dependents = undefined;
      }
    };
    link = (signal, source) => {
      for (const origin of source.#sources ?? [source]) {
        signal.#driven = true;
        (signal.#sources ??= new Set()).add(origin);
        origin.#dependents = (origin.#dependents ?? []).filter((ref) => ref.deref() !== undefined);
        origin.#dependents.push(new WeakRef(signal));
      }
    };
    share = (signal) => {
      signal.#shared = true;
      return signal;
    };
  }

  get aborted() {
    return AbortSignal.#check(this).#aborted;
  }

  get reason() {
    return AbortSignal.#check(this).#reason;
  }

  throwIfAborted() {
    if (AbortSignal.#check(this).#aborted) throw this.#reason;
  }

  static abort(reason = domException('This operation was aborted', 'AbortError')) {
    const signal = new AbortSignal(permission);
    signal.#aborted = true;
    signal.#reason = reason;
    return signal;
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(permission);
    signal.#driven = true;
    const ref = new WeakRef(signal);
    const timer = setTimeout(() => {
      const target = ref.deref();
      if (target !== undefined) fire(target, domException('The operation was aborted due to timeout', 'TimeoutError'));
    }, delay).unref();
    unusedTimers.register(signal, timer);
    return signal;
  }

  static any(signals) {
    if (typeof signals?.[Symbol.iterator] !== 'function' || typeof signals === 'string') {
      throw sequenceError('signals cannot be converted to sequence.');
    }
    const list = [...signals];
    list.forEach((each, index) => {
      if (!(typeof each === 'object' && each !== null && #aborted in each))
        throw sequenceError(`signals[${index}] is not of type AbortSignal.`);
    });
    const result = new AbortSignal(permission);
    const over = list.find((each) => each.#aborted);
    if (over !== undefined) {
      result.#aborted = true;
      result.#reason = over.#reason;
    } else {
      for (const each of new Set(list)) link(result, each);
    }
    return result;
  }

  [kNewListener](size, type, ...rest) {
    super[kNewListener](size, type, ...rest);
    if (type === 'abort' && this.#driven && !this.#aborted) awaited.add(this);
  }

  [kRemoveListener](size, type, ...rest) {
    super[kRemoveListener](size, type, ...rest);
    if (type === 'abort' && size === 0) awaited.delete(this);
  }

  [inspectCustom](depth, options) {
    return show(this, { aborted: this.aborted }, depth, options);
  }

  // A copy on the other side of a message is aborted together with this one.
  #copy() {
    const copy = share(new AbortSignal(permission));
    if (this.#aborted) {
      copy.#aborted = true;
      copy.#reason = this.#reason;
    } else {
      this.addEventListener('abort', () => setImmediate(() => fire(copy, this.#reason)), { once: true });
    }
    return copy;
  }

  get [kClone]() {
    return #shared in this && this.#shared ? () => this.#copy() : undefined;
  }

  get [kTransfer]() {
    return #shared in this && this.#shared ? { prepare: () => ({ target: this.#copy(), commit() {} }) } : undefined;
  }
}

function sequenceError(message) {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

function show(object, fields, depth, options) {
  const { name } = object.constructor;
  if (depth < 0) return object;
  const { inspect } = require('internal/util/inspect');
  return `${name} ${inspect(fields, { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
}

class AbortController {
  #signal = new AbortSignal(permission);

  get signal() {
    if (!(typeof this === 'object' && this !== null && #signal in this))
      throw new codes.ERR_INVALID_THIS('AbortController');
    return this.#signal;
  }

  abort(reason = domException('This operation was aborted', 'AbortError')) {
    fire(this.signal, reason);
  }

  [inspectCustom](depth, options) {
    return show(this, { signal: this.signal }, depth, options);
  }
}

Object.defineProperty(AbortSignal.prototype, 'aborted', { enumerable: true });
for (const name of ['signal', 'abort']) Object.defineProperty(AbortController.prototype, name, { enumerable: true });
for (const made of [AbortSignal, AbortController]) {
  Object.defineProperty(made.prototype, Symbol.toStringTag, { value: made.name, configurable: true });
}
Object.defineProperty(AbortSignal, 'length', { value: 0, configurable: true });
defineEventHandler(AbortSignal.prototype, 'abort');

// util.aborted: a promise that is dropped when the resource is collected.
async function aborted(signal, resource) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateObject(resource, 'resource', kValidateObjectAllowObjects);
  if (signal.aborted) return undefined;
  const held = new WeakRef(resource);
  const { promise, resolve } = Promise.withResolvers();
  signal.addEventListener(
    'abort',
    () => {
      if (held.deref() !== undefined) resolve();
    },
    { once: true },
  );
  return promise;
}

const isSignal = (value) => typeof value === 'object' && value !== null && kAborted in value;

module.exports = {
  AbortController,
  AbortSignal,
  aborted,
  isShared: (signal) => signal[kTransfer] !== undefined,
  transferableAbortSignal(signal) {
    if (!isSignal(signal)) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
    return share(signal);
  },
  transferableAbortController() {
    const controller = new AbortController();
    share(controller.signal);
    return controller;
  },
};
