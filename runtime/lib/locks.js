'use strict';

// navigator.locks: the Web Locks API. C keeps the locks of all threads (runtime/bind/worker/worker_lock.c); this module
// has the callbacks that run while a lock is held, and the promises of their results.

const binding = internalBinding('worker');
const { codes } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { DOMException } = require('internal/dom_exception');
const { channel } = require('diagnostics_channel');
const { once } = require('internal/async/bound');

const { kWait, kIfAvailable, kSteal } = require('internal/shared').lockWay;
const permission = Symbol('permission');

const told = Object.fromEntries(
  ['start', 'grant', 'miss', 'end'].map((name) => [name, channel(`locks.request.${name}`)]),
);

function notSupported(text) {
  return new DOMException(text, 'NotSupportedError');
}

function typeError(code, text) {
  return Object.assign(new TypeError(text), { code });
}

class Lock {
  #name;
  #mode;

  constructor(given, name, mode) {
    if (given !== permission) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    this.#name = name;
    this.#mode = mode;
  }

  get name() {
    return this.#name;
  }

  get mode() {
    return this.#mode;
  }
}

// ---- arguments ----

const asText = (value) => {
  if (typeof value === 'symbol')
    throw typeError('ERR_INVALID_ARG_TYPE', 'Value is a Symbol and cannot be converted to a string.');
  return `${value}`;
};

function readOptions(options) {
  if (options === undefined || options === null) options = {};
  else if (typeof options !== 'object' && typeof options !== 'function')
    throw typeError('ERR_INVALID_ARG_TYPE', 'Value cannot be converted to a dictionary');
  const { ifAvailable, mode = 'exclusive', signal, steal } = options;
  if (mode !== 'exclusive' && mode !== 'shared')
    throw typeError('ERR_INVALID_ARG_VALUE', `mode '${mode}' is not a valid enum value of type LockMode.`);
  if (signal !== undefined && (typeof signal !== 'object' || signal === null))
    throw typeError('ERR_INVALID_ARG_TYPE', 'signal is not an object.');
  return { ifAvailable: Boolean(ifAvailable), mode, signal, steal: Boolean(steal) };
}

const against = [
  [
    'signal cannot be used with steal or ifAvailable',
    ({ signal, steal, ifAvailable }) => signal !== undefined && (steal || ifAvailable),
  ],
  ['ifAvailable and steal are mutually exclusive', ({ steal, ifAvailable }) => steal && ifAvailable],
  ['mode: "shared" and steal are mutually exclusive', ({ steal, mode }) => steal && mode === 'shared'],
];

// ---- a request, from start to end ----

const requests = new Map(); // by C's number, those that wait and those that are held
let listening = false;

function hearNews() {
  for (const number of binding.lockNews()) {
    const request = requests.get(Math.abs(number));
    if (number > 0) request?.granted();
    else request?.stolen();
  }
}

class Request {
  #options;
  #callback;
  #number = 0;
  #outcome = Promise.withResolvers();
  #unwatch = () => {};

  constructor(name, options, callback) {
    this.#options = { name, ...options };
    this.#callback = once('LOCKS', callback);
  }

  get promise() {
    return this.#outcome.promise;
  }

  begin() {
    const { name, mode, steal, ifAvailable, signal } = this.#options;
    if (told.start.hasSubscribers) told.start.publish({ name, mode });
    const number = binding.lockRequest(name, mode === 'exclusive', steal ? kSteal : ifAvailable ? kIfAvailable : kWait);
    if (number === 0) {
      if (told.miss.hasSubscribers) told.miss.publish({ name, mode });
      this.#run(null);
      return;
    }
    this.#number = Math.abs(number);
    requests.set(this.#number, this);
    if (steal) hearNews(); // those of this thread that have lost it
    if (number > 0) {
      this.granted();
      return;
    }
    if (signal === undefined) return;
    let jobs = 2; // Node's promise follows another one, and begins to do so in a job
    queueMicrotask(() => {
      jobs = 1;
    });
    const abort = () => {
      this.#leave();
      this.#end(jobs, signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    this.#unwatch = () => signal.removeEventListener('abort', abort);
  }

  granted() {
    const { name, mode } = this.#options;
    this.#unwatch();
    if (told.grant.hasSubscribers) told.grant.publish({ name, mode });
    this.#run(new Lock(permission, name, mode));
  }

  stolen() {
    this.#leave();
    this.#end(1, new DOMException('The operation was aborted', 'AbortError'));
  }

  // A lock is released when the callback returns or, if that is a promise, when it is settled.
  #run(lock) {
    let value;
    try {
      value = this.#callback(lock);
    } catch (error) {
      this.#finish(error, undefined, true);
      return;
    }
    if (typeof value?.then !== 'function') {
      this.#finish(undefined, value, false);
      return;
    }
    Promise.resolve(value).then(
      (result) => this.#finish(undefined, result, false),
      (error) => this.#finish(error, undefined, true),
    );
  }

  #finish(error, value, failed) {
    this.#leave();
    this.#end(1, error, value, failed);
  }

  #leave() {
    if (requests.delete(this.#number)) binding.lockEnd(this.#number);
  }

  // The promise is settled so many jobs later, as in Node.
  #end(jobs, error, value, failed = true) {
    const { name, mode, steal, ifAvailable } = this.#options;
    if (told.end.hasSubscribers) told.end.publish({ name, mode, steal, ifAvailable, error });
    const { resolve, reject } = this.#outcome;
    const settle = failed ? () => reject(error) : () => resolve(value);
    queueMicrotask(jobs === 1 ? settle : () => queueMicrotask(settle));
    hearNews(); // the next request of this thread need not wait for the loop
  }
}

class LockManager {
  constructor(given) {
    if (given !== permission) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  request(name, options, callback = undefined) {
    try {
      return this.#ask(name, options, callback);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #ask(name, options, callback) {
    if (callback === undefined) [options, callback] = [undefined, options];
    name = asText(name);
    validateFunction(callback, 'callback');
    const asked = readOptions(options);
    if (name.startsWith('-')) throw notSupported('Lock name may not start with hyphen');
    for (const [text, isWrong] of against) if (isWrong(asked)) throw notSupported(text);
    if (asked.signal?.aborted) throw asked.signal.reason;
    if (!listening) {
      listening = true;
      require('internal/worker/link').alsoHear(hearNews);
    }
    const request = new Request(name, asked, callback);
    request.begin();
    return request.promise;
  }

  async query() {
    const found = binding.lockQuery();
    const snapshot = { held: [], pending: [] };
    const clientId = `node-${process.pid}-${binding.threadId}`;
    for (let i = 0; i < found.length; i += 3) {
      const [name, exclusive, held] = found.slice(i, i + 3);
      const info = { name, mode: exclusive ? 'exclusive' : 'shared', clientId };
      if (held)
        snapshot.held.unshift(info); // the newest first
      else snapshot.pending.push(info);
    }
    await undefined; // the answer takes as many jobs as in Node
    await undefined;
    return snapshot;
  }
}

for (const Class of [Lock, LockManager]) {
  Object.defineProperty(Class.prototype, Symbol.toStringTag, {
    __proto__: null,
    value: Class.name,
    configurable: true,
  });
}

module.exports = { locks: new LockManager(permission) };
