'use strict';

// node:diagnostics_channel: named channels through which parts of a program publish messages. A channel without
// subscribers costs one check of `hasSubscribers`. Lists of subscribers are replaced, never changed, so a message
// reaches the subscribers at the time of publishing.

const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const known = new Map(); // name -> WeakRef of a channel
const used = new Set(); // channels with subscribers or stores must not be collected
const forgotten = new (internalBinding('runtime').FinalizationRegistry)((name) => {
  if (known.get(name)?.deref() === undefined) known.delete(name);
});

// A subscriber's error is an uncaught exception; it is not thrown to the publisher.
function throwLater(error) {
  process.nextTick(() => require('internal/process/execution').onUncaught(error, false));
}

// Restores the values that the stores had.
class RunStoresScope {
  #scopes = [];

  constructor(channel, data) {
    for (const [store, transform] of channel._stores ?? []) {
      let value = data;
      if (transform !== undefined) {
        try {
          value = transform(data);
        } catch (error) {
          throwLater(error);
          continue;
        }
      }
      this.#scopes.push(store.withScope?.(value) ?? enter(store, value));
    }
    channel.publish(data);
  }

  [Symbol.dispose]() {
    for (const scope of this.#scopes.splice(0).reverse()) scope[Symbol.dispose]();
  }
}

function enter(store, value) {
  const before = store.getStore();
  store.enterWith(value);
  return {
    [Symbol.dispose]() {
      store.enterWith(before);
    },
  };
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    this._index = undefined;
    known.set(name, new WeakRef(this));
    forgotten.register(this, name);
  }

  #update() {
    if (this.hasSubscribers) used.add(this);
    else used.delete(this);
  }

  get hasSubscribers() {
    return this._subscribers !== undefined || this._stores !== undefined;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = [...(this._subscribers ?? []), subscription];
    this.#update();
  }

  unsubscribe(subscription) {
    const at = this._subscribers?.indexOf(subscription) ?? -1;
    if (at === -1) return false;
    const rest = this._subscribers.toSpliced(at, 1);
    this._subscribers = rest.length === 0 ? undefined : rest;
    this.#update();
    return true;
  }

  bindStore(store, transform) {
    this._stores = new Map(this._stores).set(store, transform);
    this.#update();
  }

  unbindStore(store) {
    if (!this._stores?.has(store)) return false;
    const rest = new Map(this._stores);
    rest.delete(store);
    this._stores = rest.size === 0 ? undefined : rest;
    this.#update();
    return true;
  }

  publish(data) {
    const list = this._subscribers;
    if (list === undefined) return;
    for (let i = 0; i < list.length; i++) {
      try {
        list[i](data, this.name);
      } catch (error) {
        throwLater(error);
      }
    }
  }

  runStores(data, fn, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const scope = new RunStoresScope(this, data);
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      scope[Symbol.dispose]();
    }
  }

  withStoreScope(data) {
    return this.hasSubscribers ? new RunStoresScope(this, data) : { [Symbol.dispose]() {} };
  }
}

function channel(name) {
  const present = known.get(name)?.deref();
  if (present !== undefined) return present;
  if (typeof name !== 'string' && typeof name !== 'symbol')
    throw new codes.ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  const made = new Channel(name);
  if (typeof name === 'string' && name.startsWith('console.')) tellConsole(name.slice(8), made);
  return made;
}

// The console uses this instead of loading this module.
function tellConsole(method, made) {
  const { consoleChannels: table } = require('internal/state');
  if (!(method in table) || method === 'any') return;
  table[method] = made;
  table.any = true;
}

const subscribe = (name, subscription) => channel(name).subscribe(subscription);
const unsubscribe = (name, subscription) => channel(name).unsubscribe(subscription);
const hasSubscribers = (name) => known.get(name)?.deref()?.hasSubscribers ?? false;

// ---- tracing channels ----

function group(target, names, nameOrChannels, kind) {
  const isName = typeof nameOrChannels === 'string';
  if (!isName && (typeof nameOrChannels !== 'object' || nameOrChannels === null)) {
    throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', kind], nameOrChannels);
  }
  for (const name of names) {
    const value = isName ? channel(`tracing:${nameOrChannels}:${name}`) : nameOrChannels[name];
    if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
    if (!(value instanceof Channel)) throw new codes.ERR_INVALID_ARG_TYPE(`nameOrChannels.${name}`, ['Channel'], value);
    Object.defineProperty(target, name, { value });
  }
}

const some = (target, names) => names.some((name) => target[name].hasSubscribers);

function subscribeAll(target, names, handlers) {
  for (const name of names) {
    if (handlers[name]) target[name].subscribe(handlers[name]);
  }
}

function unsubscribeAll(target, names, handlers) {
  let all = true;
  for (const name of names) {
    if (handlers[name] && !target[name].unsubscribe(handlers[name])) all = false;
  }
  return all;
}

const kBounds = ['start', 'end'];
const kTraced = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];

class BoundedChannelScope {
  #channels;
  #context;
  #stores;

  constructor(channels, context) {
    if (!channels.hasSubscribers) return;
    this.#channels = channels;
    this.#context = context;
    this.#stores = channels.start.withStoreScope(context);
  }

  [Symbol.dispose]() {
    const channels = this.#channels;
    if (channels === undefined) return;
    this.#channels = undefined;
    channels.end.publish(this.#context);
    this.#stores[Symbol.dispose]();
  }
}

class BoundedChannel {
  constructor(nameOrChannels) {
    group(this, kBounds, nameOrChannels, 'BoundedChannel');
  }

  get hasSubscribers() {
    return some(this, kBounds);
  }
  subscribe(handlers) {
    subscribeAll(this, kBounds, handlers);
  }
  unsubscribe(handlers) {
    return unsubscribeAll(this, kBounds, handlers);
  }
  withScope(context = {}) {
    return new BoundedChannelScope(this, context);
  }

  run(context, fn, thisArg, ...args) {
    const scope = this.withScope(context ?? {});
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      scope[Symbol.dispose]();
    }
  }
}

class TracingChannel {
  constructor(nameOrChannels) {
    group(this, kTraced, nameOrChannels, 'TracingChannel');
  }

  get hasSubscribers() {
    return some(this, kTraced);
  }
  subscribe(handlers) {
    subscribeAll(this, kTraced, handlers);
  }
  unsubscribe(handlers) {
    return unsubscribeAll(this, kTraced, handlers);
  }

  // Between 'start' and 'end'; an error is published in between.
  #trace(context, body) {
    return this.start.runStores(context, () => {
      try {
        return body();
      } catch (error) {
        context.error = error;
        this.error.publish(context);
        throw error;
      } finally {
        this.end.publish(context);
      }
    });
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    return this.#trace(context, () => (context.result = Reflect.apply(fn, thisArg, args)));
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const settled = () => this.asyncStart.runStores(context, () => this.asyncEnd.publish(context));
    const fulfilled = (result) => {
      context.result = result;
      settled();
      return result;
    };
    const rejected = (error) => {
      context.error = error;
      this.error.publish(context);
      settled();
      throw error;
    };
    return this.#trace(context, () => {
      const given = Reflect.apply(fn, thisArg, args);
      if (typeof given?.then !== 'function') {
        process.emitWarning(
          `tracePromise was called with the function '${fn.name || '<anonymous>'}', which returned a non-thenable.`,
        );
        context.result = given;
        return given;
      }
      // A thenable that is no promise is returned as it is.
      if (Object.getPrototypeOf(given) === Promise.prototype) return given.then(fulfilled, rejected);
      given.then(fulfilled, (error) => {
        try {
          rejected(error);
        } catch {
          // the holder of the thenable gets the error
        }
      });
      return given;
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    const channels = this;
    function wrapped(error, result) {
      if (error) {
        context.error = error;
        channels.error.publish(context);
      } else {
        context.result = result;
      }
      return channels.asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, arguments);
        } finally {
          channels.asyncEnd.publish(context);
        }
      });
    }
    args.splice(position, 1, wrapped);
    return this.#trace(context, () => Reflect.apply(fn, thisArg, args));
  }
}

module.exports = {
  channel,
  hasSubscribers,
  subscribe,
  tracingChannel: (nameOrChannels) => new TracingChannel(nameOrChannels),
  unsubscribe,
  boundedChannel: (nameOrChannels) => new BoundedChannel(nameOrChannels),
  Channel,
  BoundedChannel,
};
