'use strict';

// node:domain: errors of operations that were started inside of a domain go to the domain. The active domain is kept
// with timers, ticks and other callbacks like a value of AsyncLocalStorage.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const frame = require('internal/async/context');
const { setDomainHandler } = require('internal/process/execution');

const kDomain = { name: 'domain' }; // the key in the frame
const stack = [];
require('internal/async/promises').follow();
frame.stored = true;

function current() {
  return frame.current?.get(kDomain) ?? undefined;
}

function makeCurrent(domain) {
  const next = new Map(frame.current);
  if (domain === undefined || domain === null) next.delete(kDomain);
  else next.set(kDomain, domain);
  frame.current = next.size === 0 ? undefined : next;
}

Object.defineProperty(process, 'domain', {
  get: () => current() ?? null,
  set(domain) {
    makeCurrent(domain);
  },
  enumerable: true,
  configurable: true,
});

class Domain extends EventEmitter {
  constructor() {
    super();
    this.members = [];
  }

  enter() {
    stack.push({ domain: this, before: frame.current });
    makeCurrent(this);
  }

  exit() {
    let index = stack.length - 1;
    while (index >= 0 && stack[index].domain !== this) index--;
    if (index < 0) {
      if (current() === this) makeCurrent(undefined);
      return;
    }
    const { before } = stack[index];
    stack.length = index;
    frame.current = before;
  }

  add(emitter) {
    if (emitter.domain === this) return;
    emitter.domain?.remove?.(emitter);
    Object.defineProperty(emitter, 'domain', { value: this, writable: true, configurable: true, enumerable: false });
    this.members.push(emitter);
  }

  remove(emitter) {
    emitter.domain = null;
    const index = this.members.indexOf(emitter);
    if (index !== -1) this.members.splice(index, 1);
  }

  run(fn, ...args) {
    this.enter();
    const result = Reflect.apply(fn, this, args);
    this.exit();
    return result;
  }

  bind(callback) {
    const domain = this;
    function bound(...args) {
      domain.enter();
      const result = Reflect.apply(callback, this, args);
      domain.exit();
      return result;
    }
    Object.defineProperty(bound, 'domain', { value: this, writable: true, configurable: true, enumerable: true });
    return bound;
  }

  intercept(callback) {
    const domain = this;
    return function (error, ...args) {
      if (error && error instanceof Error) {
        error.domainBound = callback;
        error.domainThrown = false;
        Object.defineProperty(error, 'domain', {
          value: domain,
          writable: true,
          configurable: true,
          enumerable: false,
        });
        domain.emit('error', error);
        return;
      }
      domain.enter();
      const result = Reflect.apply(callback, this, args);
      domain.exit();
      return result;
    };
  }
}
Domain.prototype._errorHandler = function (error) {
  return handle(this, error);
};

// -> whether a domain has handled the error
function handle(domain, error) {
  if ((typeof error === 'object' && error !== null) || typeof error === 'function') {
    Object.defineProperty(error, 'domain', { value: domain, writable: true, configurable: true, enumerable: false });
    error.domainThrown = true;
  }
  let parent;
  for (let i = stack.length - 1; i >= 0; i--) {
    if (stack[i].domain === domain) {
      parent = stack[i].before?.get(kDomain);
      break;
    }
  }
  stack.length = 0;
  if (domain.listenerCount('error') === 0) return parent !== undefined && parent !== domain && handle(parent, error);
  makeCurrent(parent);
  try {
    domain.emit('error', error);
  } catch (second) {
    frame.current = undefined;
    if (parent !== undefined && parent !== domain) return handle(parent, second);
    throw second;
  }
  frame.current = undefined;
  return true;
}

setDomainHandler((error) => {
  const domain = current();
  return domain !== undefined && handle(domain, error);
});

// Emitters made inside of a domain belong to it: an 'error' without a listener goes there.
EventEmitter.usingDomains = true;
const { init } = EventEmitter;
EventEmitter.init = function (options) {
  Object.defineProperty(this, 'domain', { value: null, writable: true, configurable: true, enumerable: false });
  const domain = current();
  if (domain !== undefined && !(this instanceof Domain)) this.domain = domain;
  return Reflect.apply(init, this, [options]);
};

// A listener for the errors of a domain runs in the domain around it: what it throws does not come back to it.
function emitOutside(domain, error) {
  const [entered, context] = [stack.slice(), frame.current];
  const others = stack.filter((entry) => entry.domain !== domain);
  stack.length = 0;
  stack.push(...others);
  makeCurrent(others.at(-1)?.domain);
  domain.emit('error', error);
  stack.length = 0;
  stack.push(...entered);
  frame.current = context;
}

const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (...args) {
  const { domain } = this;
  if (domain === null || domain === undefined || this === process) return Reflect.apply(emit, this, args);
  if (args[0] === 'error' && this.listenerCount('error') === 0) {
    const error = args.length > 1 && args[1] ? args[1] : new codes.ERR_UNHANDLED_ERROR(args[1]);
    if (typeof error === 'object') {
      error.domainEmitter = this;
      Object.defineProperty(error, 'domain', { value: domain, writable: true, configurable: true, enumerable: false });
      error.domainThrown = false;
    }
    emitOutside(domain, error);
    return false;
  }
  domain.enter();
  const result = Reflect.apply(emit, this, args);
  domain.exit();
  return result;
};

function create() {
  return new Domain();
}

module.exports = { Domain, create, createDomain: create, _stack: stack };
Object.defineProperty(module.exports, 'active', {
  get: () => current() ?? null,
  set(domain) {
    makeCurrent(domain);
  },
  enumerable: true,
  configurable: true,
});
