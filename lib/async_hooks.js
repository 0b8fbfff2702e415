'use strict';

// node:async_hooks: AsyncLocalStorage, AsyncResource, and createHook as far as the engine allows.

const { codes } = require('internal/errors');
const { validateFunction, validateObject, validateString } = require('internal/validators');
const hooks = require('internal/async_hooks');
const frame = require('internal/async_context');

const { state } = hooks;

// ---------------------------------------------------------------- AsyncLocalStorage

class RunScope {
  #previous;
  #disposed = false;

  constructor(storage, store) {
    this.#previous = frame.current;
    storage.enterWith(store);
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    frame.current = this.#previous;
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

class AsyncLocalStorage {
  #defaultValue = undefined;
  #name = undefined;

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() {
    return this.#name || '';
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    const kept = frame.current;
    return function runInAsyncScope(fn, ...args) {
      const before = frame.current;
      frame.current = kept;
      try {
        return Reflect.apply(fn, this, args);
      } finally {
        frame.current = before;
      }
    };
  }

  disable() {
    if (frame.current?.has(this)) {
      const next = new Map(frame.current);
      next.delete(this);
      frame.current = next.size === 0 ? undefined : next;
    }
  }

  enterWith(store) {
    const next = new Map(frame.current);
    next.set(this, store);
    frame.current = next;
  }

  run(store, callback, ...args) {
    const before = frame.current;
    if (before?.has(this) && Object.is(before.get(this), store)) return Reflect.apply(callback, null, args);
    this.enterWith(store);
    try {
      return Reflect.apply(callback, null, args);
    } finally {
      frame.current = before;
    }
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  getStore() {
    const { current } = frame;
    if (current === undefined || !current.has(this)) return this.#defaultValue;
    return current.get(this);
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

// ---------------------------------------------------------------- AsyncResource

const registry = typeof FinalizationRegistry === 'function' ? new FinalizationRegistry((asyncId) => {
  hooks.emitDestroy(asyncId);
}) : undefined;

class AsyncResource {
  #asyncId;
  #triggerAsyncId;
  #frame;
  #destroyed = false;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let triggerAsyncId = options;
    let requireManualDestroy = false;
    if (typeof options !== 'number') {
      triggerAsyncId = options.triggerAsyncId === undefined ? state.executionAsyncId : options.triggerAsyncId;
      requireManualDestroy = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(triggerAsyncId) || triggerAsyncId < -1) throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', triggerAsyncId);
    this.#frame = frame.current;
    this.#asyncId = hooks.newAsyncId();
    this.#triggerAsyncId = triggerAsyncId;
    if (state.hasHooks) {
      if (type.length === 0) throw new codes.ERR_ASYNC_TYPE(type);
      hooks.emitInit(this.#asyncId, type, triggerAsyncId, this);
      if (!requireManualDestroy) registry?.register(this, this.#asyncId, this);
    }
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const before = frame.current;
    frame.current = this.#frame;
    hooks.emitBefore(this.#asyncId, this.#triggerAsyncId, this);
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      hooks.emitAfter(this.#asyncId);
      frame.current = before;
    }
  }

  emitDestroy() {
    registry?.unregister(this);
    if (!this.#destroyed || state.hasHooks) hooks.emitDestroy(this.#asyncId);
    this.#destroyed = true;
    return this;
  }

  asyncId() {
    return this.#asyncId;
  }

  triggerAsyncId() {
    return this.#triggerAsyncId;
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    let bound;
    if (thisArg === undefined) {
      bound = function (...args) {
        return resource.runInAsyncScope(fn, this, ...args);
      };
    } else {
      bound = (...args) => resource.runInAsyncScope(fn, thisArg, ...args);
    }
    Object.defineProperties(bound, {
      length: { __proto__: null, configurable: true, enumerable: false, value: fn.length, writable: false },
    });
    return bound;
  }

  static bind(fn, type, thisArg) {
    type ||= fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

// ---------------------------------------------------------------- hooks

class AsyncHook {
  #entry;

  constructor({ init, before, after, destroy, promiseResolve }) {
    for (const [name, fn] of Object.entries({ init, before, after, destroy, promiseResolve })) {
      if (fn !== undefined && typeof fn !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
    }
    this.#entry = { init, before, after, destroy, promiseResolve, owner: this };
  }

  enable() {
    if (!state.hooks.includes(this.#entry)) {
      state.hooks.push(this.#entry);
      state.hasHooks = true;
    }
    return this;
  }

  disable() {
    const position = state.hooks.indexOf(this.#entry);
    if (position !== -1) state.hooks.splice(position, 1);
    state.hasHooks = state.hooks.length > 0;
    return this;
  }
}

function createHook(callbacks) {
  return new AsyncHook(callbacks);
}

function executionAsyncId() {
  return state.executionAsyncId;
}

function triggerAsyncId() {
  return state.triggerAsyncId;
}

function executionAsyncResource() {
  return state.resource ?? hooks.topLevelResource;
}

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  asyncWrapProviders: Object.freeze({ __proto__: null, NONE: 0 }),
  AsyncResource,
};
