'use strict';

// node:diagnostics_channel: named channels that anybody may publish to and subscribe to. A channel without subscribers
// is of another class, whose methods do nothing.

const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');

const channels = new Map();

// Channels are held weakly unless they have subscribers.
function remember(name, channel) {
  channels.set(name, new WeakRef(channel));
}

function lookup(name) {
  return channels.get(name)?.deref();
}

const held = new Set();

function markActive(channel) {
  Object.setPrototypeOf(channel, ActiveChannel.prototype);
  channel._subscribers = [];
  channel._stores = new Map();
  held.add(channel);
}

function maybeMarkInactive(channel) {
  if (!channel._subscribers.length && !channel._stores.size) {
    Object.setPrototypeOf(channel, Channel.prototype);
    channel._subscribers = undefined;
    channel._stores = undefined;
    held.delete(channel);
  }
}

function defaultTransform(data) {
  return data;
}

function wrapStoreRun(store, data, next, transform = defaultTransform) {
  return () => {
    let context;
    try {
      context = transform(data);
    } catch (err) {
      process.nextTick(() => {
        throw err;
      });
      return next();
    }
    return store.run(context, next);
  };
}

class RunStoresScope {
  #stack;

  constructor(channel, data) {
    this.#stack = [];
    if (channel._stores !== undefined) {
      for (const [store, transform] of channel._stores) {
        let context;
        try {
          context = transform === undefined ? data : transform(data);
        } catch (err) {
          process.nextTick(() => {
            throw err;
          });
          continue;
        }
        this.#stack.push(store.withScope(context));
      }
    }
    channel.publish(data);
  }

  [Symbol.dispose]() {
    while (this.#stack.length > 0) this.#stack.pop().dispose();
  }
}

class ActiveChannel {
  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    this._subscribers = this._subscribers.slice();
    this._subscribers.push(subscription);
  }

  unsubscribe(subscription) {
    const index = this._subscribers.indexOf(subscription);
    if (index === -1) return false;
    this._subscribers = this._subscribers.toSpliced(index, 1);
    maybeMarkInactive(this);
    return true;
  }

  bindStore(store, transform) {
    this._stores.set(store, transform);
  }

  unbindStore(store) {
    if (!this._stores.has(store)) return false;
    this._stores.delete(store);
    maybeMarkInactive(this);
    return true;
  }

  get hasSubscribers() {
    return true;
  }

  publish(data) {
    const subscribers = this._subscribers;
    for (let i = 0; i < (subscribers?.length || 0); i++) {
      try {
        const onMessage = subscribers[i];
        onMessage(data, this.name);
      } catch (err) {
        process.nextTick(() => {
          throw err;
        });
      }
    }
  }

  withStoreScope(data) {
    return new RunStoresScope(this, data);
  }

  runStores(data, fn, thisArg, ...args) {
    let run = () => {
      this.publish(data);
      return Reflect.apply(fn, thisArg, args);
    };
    for (const [store, transform] of this._stores.entries()) run = wrapStoreRun(store, data, run, transform);
    return run();
  }
}

class Channel {
  constructor(name) {
    this._subscribers = undefined;
    this._stores = undefined;
    this.name = name;
    remember(name, this);
  }

  static [Symbol.hasInstance](instance) {
    const prototype = Object.getPrototypeOf(instance);
    return prototype === Channel.prototype || prototype === ActiveChannel.prototype;
  }

  subscribe(subscription) {
    validateFunction(subscription, 'subscription');
    markActive(this);
    this.subscribe(subscription);
  }

  unsubscribe() {
    return false;
  }

  bindStore(store, transform) {
    markActive(this);
    this.bindStore(store, transform);
  }

  unbindStore() {
    return false;
  }

  get hasSubscribers() {
    return false;
  }

  publish() {}

  withStoreScope(data) {
    return new RunStoresScope(this, data);
  }

  runStores(data, fn, thisArg, ...args) {
    return Reflect.apply(fn, thisArg, args);
  }
}

function channel(name) {
  const existing = lookup(name);
  if (existing) return existing;
  if (typeof name !== 'string' && typeof name !== 'symbol') {
    throw new codes.ERR_INVALID_ARG_TYPE('channel', ['string', 'symbol'], name);
  }
  const made = new Channel(name);
  if (typeof name === 'string' && name.startsWith('console.')) {
    const table = require('internal/console/channels');
    const method = name.slice(8);
    if (method in table && method !== 'any') {
      table[method] = made;
      table.any = true;
      held.add(made);
    }
  }
  return made;
}

function subscribe(name, subscription) {
  return channel(name).subscribe(subscription);
}

function unsubscribe(name, subscription) {
  return channel(name).unsubscribe(subscription);
}

function hasSubscribers(name) {
  const existing = lookup(name);
  return existing ? existing.hasSubscribers : false;
}

// ---------------------------------------------------------------- tracing

const traceEvents = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'];
const boundedEvents = ['start', 'end'];

function checkChannel(value, name) {
  if (!(value instanceof Channel)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Channel'], value);
}

function channelFrom(source, name) {
  if (typeof source === 'string') return channel(`tracing:${source}:${name}`);
  if (typeof source === 'object' && source !== null) {
    checkChannel(source[name], `nameOrChannels.${name}`);
    return source[name];
  }
  throw new codes.ERR_INVALID_ARG_TYPE('nameOrChannels', ['string', 'object', 'TracingChannel'], source);
}

function defineChannels(target, source, names) {
  for (const name of names) {
    Object.defineProperty(target, name, { __proto__: null, value: channelFrom(source, name), writable: false, enumerable: true, configurable: true });
  }
}

class BoundedChannelScope {
  #scope;
  #channel;
  #context;

  constructor(bounded, context) {
    this.#channel = bounded;
    this.#context = context;
    this.#scope = bounded.hasSubscribers ? bounded.start.withStoreScope(context) : undefined;
  }

  [Symbol.dispose]() {
    if (this.#scope === undefined) return;
    this.#channel.end.publish(this.#context);
    this.#scope[Symbol.dispose]();
    this.#scope = undefined;
  }
}

class BoundedChannel {
  constructor(nameOrChannels) {
    defineChannels(this, nameOrChannels, boundedEvents);
  }

  get hasSubscribers() {
    return boundedEvents.some((name) => this[name].hasSubscribers);
  }

  subscribe(handlers) {
    for (const name of boundedEvents) if (handlers[name]) this[name].subscribe(handlers[name]);
  }

  unsubscribe(handlers) {
    let done = true;
    for (const name of boundedEvents) if (handlers[name] && !this[name].unsubscribe(handlers[name])) done = false;
    return done;
  }

  run(context = {}, fn, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    return this.start.runStores(context, () => {
      try {
        return Reflect.apply(fn, thisArg, args);
      } finally {
        this.end.publish(context);
      }
    });
  }

  withScope(context = {}) {
    return new BoundedChannelScope(this, context);
  }
}

class TracingChannel {
  constructor(nameOrChannels) {
    defineChannels(this, nameOrChannels, traceEvents);
  }

  get hasSubscribers() {
    return traceEvents.some((name) => this[name].hasSubscribers);
  }

  subscribe(handlers) {
    for (const name of traceEvents) if (handlers[name]) this[name].subscribe(handlers[name]);
  }

  unsubscribe(handlers) {
    let done = true;
    for (const name of traceEvents) if (handlers[name] && !this[name].unsubscribe(handlers[name])) done = false;
    return done;
  }

  traceSync(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, error } = this;
    return start.runStores(context, () => {
      try {
        const result = Reflect.apply(fn, thisArg, args);
        context.result = result;
        return result;
      } catch (err) {
        context.error = err;
        error.publish(context);
        throw err;
      } finally {
        end.publish(context);
      }
    });
  }

  tracePromise(fn, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, asyncStart, asyncEnd, error } = this;
    const reject = (err) => {
      context.error = err;
      error.publish(context);
      asyncStart.publish(context);
      asyncEnd.publish(context);
      throw err;
    };
    const resolve = (result) => {
      context.result = result;
      asyncStart.publish(context);
      asyncEnd.publish(context);
      return result;
    };
    return start.runStores(context, () => {
      try {
        const promise = Reflect.apply(fn, thisArg, args);
        if (typeof promise?.then !== 'function') {
          context.result = promise;
          process.emitWarning('tracePromise was called with a function that did not return a promise or thenable');
          return promise;
        }
        return promise.then(resolve, reject);
      } catch (err) {
        context.error = err;
        error.publish(context);
        throw err;
      } finally {
        end.publish(context);
      }
    });
  }

  traceCallback(fn, position = -1, context = {}, thisArg, ...args) {
    if (!this.hasSubscribers) return Reflect.apply(fn, thisArg, args);
    const { start, end, asyncStart, asyncEnd, error } = this;
    function wrapped(err, res) {
      if (err) {
        context.error = err;
        error.publish(context);
      } else {
        context.result = res;
      }
      // The stores see the callback as part of asyncStart.
      asyncStart.runStores(context, () => {
        try {
          return Reflect.apply(callback, this, arguments);
        } finally {
          asyncEnd.publish(context);
        }
      });
    }
    const callback = args.at(position);
    validateFunction(callback, 'callback');
    args.splice(position, 1, wrapped);
    return start.runStores(context, () => {
      try {
        return Reflect.apply(fn, thisArg, args);
      } catch (err) {
        context.error = err;
        error.publish(context);
        throw err;
      } finally {
        end.publish(context);
      }
    });
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
