'use strict';

// AbortController and AbortSignal. A signal made by AbortSignal.any holds its sources weakly unless somebody listens
// to it; a timeout signal that nobody holds must not keep the process alive, so its timer is not referenced.

const { codes } = require('internal/errors');
const { validateAbortSignal, validateUint32 } = require('internal/validators');
const {
  Event, EventTarget, defineEventHandler, kTrustEvent, kNewListener, kRemoveListener,
} = require('internal/event_target');

const { kMaxEventTargetListeners } = require('events');

const kAborted = Symbol('kAborted');
const kReason = Symbol('kReason');
const kSources = Symbol('kSources');
const kDependants = Symbol('kDependants');
const kTimeout = Symbol('kTimeout');
const kCreate = Symbol('kCreate');
const kInspect = Symbol.for('nodejs.util.inspect.custom');

let DOMExceptionClass;
function makeDOMException(message, name) {
  DOMExceptionClass ??= require('internal/dom_exception').DOMException;
  return new DOMExceptionClass(message, name);
}

// Timeout signals that somebody listens to must live until they fire, even when the program holds them no longer.
const heldSignals = new Set();

class AbortSignal extends EventTarget {
  constructor(create = undefined, aborted = false, reason = undefined) {
    if (create !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
    this[kAborted] = aborted;
    this[kReason] = reason;
    this[kSources] = undefined;
    this[kDependants] = undefined;
    this[kTimeout] = undefined;
    // Many may wait for one signal: there is no limit to warn of.
    this[kMaxEventTargetListeners] = 0;
  }

  get aborted() {
    checkSignal(this);
    return this[kAborted];
  }

  get reason() {
    checkSignal(this);
    return this[kReason];
  }

  throwIfAborted() {
    checkSignal(this);
    if (this[kAborted]) throw this[kReason];
  }

  [kInspect](depth, options) {
    return customInspect(this, { aborted: this.aborted }, depth, options);
  }

  static abort(reason = makeDOMException('This operation was aborted', 'AbortError')) {
    return new AbortSignal(kCreate, true, reason);
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kCreate);
    signal[kTimeout] = true;
    const weak = new WeakRef(signal);
    const timer = setTimeout(fireTimeout, delay, weak);
    timer.unref?.();
    return signal;
  }

  static any(signals) {
    if (signals === null || (typeof signals !== 'object' && typeof signals !== 'function') || typeof signals[Symbol.iterator] !== 'function') {
      throw argumentError('signals', signals, 'sequence');
    }
    signals = [...signals];
    for (let i = 0; i < signals.length; i++) {
      if (typeof signals[i] !== 'object' || signals[i] === null || signals[i][kAborted] === undefined) {
        throw argumentError(`signals[${i}]`, signals[i], 'AbortSignal');
      }
    }
    const result = new AbortSignal(kCreate);
    if (signals.length === 0) return result;
    for (let i = 0; i < signals.length; i++) {
      if (signals[i].aborted) {
        result[kAborted] = true;
        result[kReason] = signals[i].reason;
        return result;
      }
    }
    result[kSources] = new Set();
    for (let i = 0; i < signals.length; i++) {
      const signal = signals[i];
      if (signal[kSources] === undefined) {
        addSource(result, signal);
      } else {
        for (const source of signal[kSources]) {
          const strong = source.deref();
          if (strong === undefined) continue;
          if (strong.aborted) {
            result[kAborted] = true;
            result[kReason] = strong.reason;
            return result;
          }
          addSource(result, strong);
        }
      }
    }
    return result;
  }

  [kNewListener](size, type, listener, once, capture, passive, weak) {
    super[kNewListener](size, type, listener, once, capture, passive, weak);
    if ((this[kTimeout] || this[kSources] !== undefined) && type === 'abort' && !this[kAborted]) heldSignals.add(this);
  }

  [kRemoveListener](size, type, listener, capture) {
    super[kRemoveListener](size, type, listener, capture);
    if (size === 0 && type === 'abort') heldSignals.delete(this);
  }
}

// The words of Web IDL for a value of the wrong kind.
function argumentError(name, value, type) {
  const error = new codes.ERR_INVALID_ARG_TYPE(name, type, value);
  error.message = type === 'sequence' ? `${name} cannot be converted to sequence.` : `${name} is not of type ${type}.`;
  return error;
}

function fireTimeout(weak) {
  const signal = weak.deref();
  if (signal !== undefined) {
    heldSignals.delete(signal);
    abortSignal(signal, makeDOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }
}

function addSource(result, source) {
  result[kSources].add(new WeakRef(source));
  source[kDependants] ??= new Set();
  source[kDependants].add(new WeakRef(result));
}

function customInspect(self, object, depth, options) {
  if (depth < 0) return self;
  const inner = { ...options, depth: options.depth === null ? null : options.depth - 1 };
  return `${self.constructor.name} ${require('internal/util/inspect').inspect(object, inner)}`;
}

function checkSignal(value) {
  if (typeof value !== 'object' || value === null || value[kAborted] === undefined) throw new codes.ERR_INVALID_THIS('AbortSignal');
}

Object.defineProperties(AbortSignal.prototype, {
  aborted: { __proto__: null, enumerable: true },
  reason: { __proto__: null, enumerable: true },
  throwIfAborted: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'AbortSignal' },
});
Object.defineProperties(AbortSignal, {
  abort: { __proto__: null, enumerable: true },
  timeout: { __proto__: null, enumerable: true },
  any: { __proto__: null, enumerable: true },
});
defineEventHandler(AbortSignal.prototype, 'abort');

// All dependants are marked before any event is dispatched, so that every listener sees the same state.
function abortSignal(signal, reason) {
  if (signal[kAborted]) return;
  signal[kAborted] = true;
  signal[kReason] = reason;
  const toRun = [signal];
  const collect = (source) => {
    if (source[kDependants] === undefined) return;
    for (const weak of source[kDependants]) {
      const dependant = weak.deref();
      if (dependant !== undefined && !dependant[kAborted]) {
        dependant[kAborted] = true;
        dependant[kReason] = reason;
        toRun.push(dependant);
      }
    }
  };
  collect(signal);
  for (const each of toRun) {
    heldSignals.delete(each);
    each.dispatchEvent(new Event('abort', { [kTrustEvent]: true }));
  }
}

class AbortController {
  #signal;

  get signal() {
    checkController(this, (self) => #signal in self);
    this.#signal ??= new AbortSignal(kCreate);
    return this.#signal;
  }

  abort(reason = makeDOMException('This operation was aborted', 'AbortError')) {
    checkController(this, (self) => #signal in self);
    abortSignal(this.#signal ??= new AbortSignal(kCreate), reason);
  }

  [kInspect](depth, options) {
    return customInspect(this, { signal: this.signal }, depth, options);
  }
}

function checkController(value, isOne) {
  if (typeof value !== 'object' || value === null || !isOne(value)) throw new codes.ERR_INVALID_THIS('AbortController');
}

Object.defineProperties(AbortController.prototype, {
  signal: { __proto__: null, enumerable: true },
  abort: { __proto__: null, enumerable: true },
  [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'AbortController' },
});

// A promise for the abort of a signal, for as long as the resource lives.
async function aborted(signal, resource) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  if (resource === null || (typeof resource !== 'object' && typeof resource !== 'function')) {
    throw new codes.ERR_INVALID_ARG_TYPE('resource', 'Object', resource);
  }
  if (signal.aborted) return Promise.resolve();
  const weak = new WeakRef(resource);
  return new Promise((resolve) => {
    signal.addEventListener('abort', (event) => {
      if (weak.deref() !== undefined) resolve(event);
    }, { __proto__: null, once: true });
  });
}

module.exports = {
  AbortController,
  AbortSignal,
  aborted,
  kAborted,
  isAbortSignal: (value) => typeof value === 'object' && value !== null && kAborted in value,
  ClonedAbortSignal() {
    return new AbortSignal(kCreate);
  },
  transferableAbortSignal(signal) {
    if (signal?.[kAborted] === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
    return signal;
  },
  transferableAbortController() {
    return new AbortController();
  },
};
