'use strict';

// worker_threads.moveMessagePortToContext: a port whose object, events, data and errors belong to
// another context of node:vm.
//
// The port itself stays here. Code that runs in the context (`inContext`) makes the object there, from the context's
// own classes: each message is copied once more, into objects of that context. Objects that exist only here (files,
// keys, blobs) cannot be copied; such a message is a 'messageerror'.

const { E } = require('internal/errors');
const { inner } = require('internal/messaging');
const { kTransfer } = require('internal/structured_clone');
const types = require('internal/util/types');

E('ERR_CLOSED_MESSAGE_PORT', 'Cannot send data on closed MessagePort', Error);
E(
  'ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE',
  'A message object could not be deserialized successfully in the target vm.Context',
  Error,
);

const { kState, PortImpl } = inner;
const makers = new WeakMap(); // context -> what makes ports there

// The kind of a value, for code that has only its own classes.
function kindOf(value) {
  if (value instanceof PortImpl) return 'port';
  if (Array.isArray(value)) return 'array';
  for (const name of ['Map', 'Set', 'Date', 'RegExp', 'ArrayBuffer', 'BoxedPrimitive', 'SharedArrayBuffer']) {
    if (types[`is${name}`](value)) return name;
  }
  if (types.isNativeError(value)) return 'error';
  if (ArrayBuffer.isView(value)) return 'view';
  return Object.getPrototypeOf(value) === Object.prototype ? 'object' : 'unknown';
}

// Runs in the context, as text: from this file it sees only `host`.
const inContext = `(function(host) {
  'use strict';
  class DOMException extends Error {
    constructor(message, name, code) {
      super(message);
      for (const [key, value] of [['name', name], ['code', code]]) {
        Object.defineProperty(this, key, { value, writable: true, configurable: true, enumerable: false });
      }
    }
  }

  const errors = { __proto__: null, Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };
  function ownError(error) {
    if (typeof error.code === 'number') return new DOMException(error.message, error.name, error.code);
    const made = new (errors[error.name] ?? Error)(error.message);
    if (error.code !== undefined) made.code = error.code;
    return made;
  }

  function call(what, ...args) {
    try {
      return what(...args);
    } catch (error) {
      throw ownError(error);
    }
  }

  const makers = {
    __proto__: null,
    port: (port) => makePort(port),
    array: (list, seen) => fill(seen, list, [], (made, copy) => {
      made.length = list.length;
      for (const key of Object.keys(list)) made[key] = copy(list[key]);
    }),
    object: (object, seen) => fill(seen, object, {}, (made, copy) => {
      for (const key of Object.keys(object)) made[key] = copy(object[key]);
    }),
    Map: (map, seen) => fill(seen, map, new Map(), (made, copy) => {
      map.forEach((value, key) => made.set(copy(key), copy(value)));
    }),
    Set: (set, seen) => fill(seen, set, new Set(), (made, copy) => set.forEach((value) => made.add(copy(value)))),
    Date: (date) => new Date(date.getTime()),
    RegExp: (regexp) => new RegExp(regexp.source, regexp.flags),
    BoxedPrimitive: (box) => Object(box.valueOf()),
    ArrayBuffer: (buffer) => new Uint8Array(new Uint8Array(buffer)).buffer,
    SharedArrayBuffer: (buffer) => buffer,
    view: (view, seen) => {
      const View = globalThis[host.nameOf(view)];
      return new View(copyWith(seen, view.buffer), view.byteOffset, view.length ?? view.byteLength);
    },
    error: (error, seen) => fill(seen, error, ownError(error), (made, copy) => {
      const hidden = { writable: true, configurable: true, enumerable: false };
      Object.defineProperty(made, 'stack', { ...hidden, value: error.stack });
      if (Object.hasOwn(error, 'cause')) Object.defineProperty(made, 'cause', { ...hidden, value: copy(error.cause) });
    }),
    unknown: () => host.refuse(),
  };

  function fill(seen, from, made, add) {
    seen.set(from, made);
    add(made, (value) => copyWith(seen, value));
    return made;
  }

  function copyWith(seen, value) {
    if (typeof value !== 'object' || value === null) return value;
    let made = seen.get(value);
    if (made === undefined) seen.set(value, made = makers[host.kindOf(value)](value, seen));
    return made;
  }

  class MessageEvent {
    constructor(data, target, type, ports) {
      Object.assign(this, { data, target, type, ports });
    }
  }

  const inner = new WeakMap();
  const of = (port) => {
    if (!inner.has(port)) throw new TypeError('Illegal invocation');
    return inner.get(port);
  };
  class MessagePort {
    constructor() {
      throw Object.assign(new TypeError('Constructor cannot be called'), { code: 'ERR_CONSTRUCT_CALL_INVALID' });
    }
    postMessage(...args) {
      const port = of(this);
      if (Array.isArray(args[1])) args[1] = args[1].map((each) => inner.get(each) ?? each);
      call(host.post, port, args);
    }
    start() {
      call(host.start, of(this), (data, ports) => {
        const seen = new Map();
        let event;
        try {
          const own = copyWith(seen, data);
          event = new MessageEvent(own, this, 'message', Array.from(ports, (port) => copyWith(seen, port)));
        } catch (error) {
          event = new MessageEvent(ownError(error), this, 'messageerror', []);
        }
        this['on' + event.type]?.(event);
      });
    }
    close(...args) {
      call(host.close, of(this), args);
    }
    ref() {
      call(host.ref, of(this), true);
    }
    unref() {
      call(host.ref, of(this), false);
    }
    hasRef() {
      return call(host.hasRef, of(this));
    }
  }

  function makePort(port) {
    const made = Object.create(MessagePort.prototype);
    inner.set(made, host.take(port));
    return made;
  }
  return makePort;
})`;

// The old object can no longer be used.
function take(port) {
  const { target, commit } = port[kTransfer].prepare(port);
  commit();
  return target;
}

const host = {
  __proto__: null,
  kindOf,
  take,
  nameOf: (view) => view[Symbol.toStringTag] ?? 'DataView',
  refuse() {
    throw new (require('internal/errors').codes.ERR_MESSAGE_TARGET_CONTEXT_UNAVAILABLE)();
  },
  post: (port, args) => port.postMessage(...args),
  start: (port, hear) => port.addEventListener('message', ({ data, ports }) => hear(data, ports)),
  close: (port, args) => port.close(...args),
  ref: (port, on) => (on ? port.ref() : port.unref()),
  hasRef: (port) => port.hasRef(),
};

function wrong(text) {
  const error = new TypeError(text);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function moveMessagePortToContext(port, context) {
  if (!(port instanceof PortImpl) || port[kState] === undefined)
    throw wrong('The "port" argument must be a MessagePort instance');
  const { closed, closing, detached } = port[kState];
  if (closed || closing || detached) throw new (require('internal/errors').codes.ERR_CLOSED_MESSAGE_PORT)();
  const vm = require('vm');
  if (typeof context !== 'object' || context === null || !vm.isContext(context))
    throw wrong('Invalid context argument');
  let make = makers.get(context);
  if (make === undefined)
    makers.set(
      context,
      (make = vm.runInContext(inContext, context, { filename: 'node:internal/worker/moved_port' })(host)),
    );
  return make(port);
}

module.exports = { moveMessagePortToContext };
