'use strict';

// Connected ports of different threads: messages are sent as bytes (V8's format), with ports and shared memory beside
// them. A link is one end of such a connection; a MessagePort whose state has one sends and receives through it.

const binding = internalBinding('worker');
const { Writer } = require('internal/v8/writer');
const { Reader } = require('internal/v8/reader');
const clone = require('internal/structured_clone');
const { inner } = require('internal/messaging');
const types = require('internal/util/types');

const { kState, kClose, PortState, PortImpl, sayMoved } = inner;
const { kPort, kShared, kFile } = require('internal/shared').messageThing;

// Kinds of objects that are not plain, as written after a host object's tag.
const kHostPort = 0;
const kHostCustom = 1;
const kHostMoved = 2;

function cloneError(text) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(text, 'DataCloneError');
}

// ---- serialization ----

// Other modules register how their objects are sent: { is(value), write(value) -> plain, read(plain) }, by name.
const cloneables = new Map();

// A module that is not loaded has no instances.
const { builtinCache } = internalBinding('runtime');
const ifLoaded = (id, is) => (value) => {
  const loaded = builtinCache.get(id)?.exports;
  return loaded !== undefined && is(loaded, value);
};

cloneables.set('QuotaExceededError', {
  is: (value) =>
    Object.prototype.toString.call(value) === '[object QuotaExceededError]' &&
    require('internal/dom_exception').isDOMException(value),
  write: ({ message, quota, requested }) => ({ message, quota, requested }),
  read({ message, quota, requested }) {
    const { QuotaExceededError } = require('internal/errors/quota_exceeded_error');
    return new QuotaExceededError(message, {
      ...(quota === null ? {} : { quota }),
      ...(requested === null ? {} : { requested }),
    });
  },
});

cloneables.set('DOMException', {
  is: (value) => require('internal/dom_exception').isDOMException(value),
  write: ({ message, name, stack }) => ({ message, name, stack }),
  read({ message, name, stack }) {
    const { DOMException } = require('internal/dom_exception');
    const made = new DOMException(message, name);
    Object.defineProperty(made, 'stack', {
      __proto__: null,
      value: stack,
      writable: true,
      configurable: true,
      enumerable: false,
    });
    return made;
  },
});

cloneables.set('KeyObject', {
  is: types.isKeyObject,
  write: (value) => require('internal/crypto/keys').toPlain(value),
  read: (plain) => require('internal/crypto/keys').fromPlain(plain),
});

cloneables.set('CryptoKey', {
  is: types.isCryptoKey,
  write: (value) => require('internal/crypto/web/key').toPlain(value),
  read: (plain) => require('internal/crypto/web/key').fromPlain(plain),
});

cloneables.set('File', {
  is: ifLoaded('internal/blob', ({ isFile }, value) => isFile(value)),
  write: (file) => ({ bytes: blobBytes(file), name: file.name, type: file.type, lastModified: file.lastModified }),
  read: ({ bytes, name, ...options }) => new (require('internal/blob').File)(bytes, name, options),
});

cloneables.set('Blob', {
  is: ifLoaded('internal/blob', ({ isBlob }, value) => isBlob(value)),
  write: (blob) => ({ bytes: blobBytes(blob), type: blob.type }),
  read: ({ bytes, type }) => new (require('internal/blob').Blob)(bytes, { type }),
});

function blobBytes(blob) {
  return blob[require('internal/blob').kParts].map((part) => new Uint8Array(part));
}

cloneables.set('SocketAddress', {
  is: ifLoaded('internal/net/socketaddress', ({ SocketAddress }, value) => SocketAddress.isSocketAddress(value)),
  write: (address) => address.toJSON(),
  read: (parts) => new (require('internal/net/socketaddress').SocketAddress)(parts),
});

// A copy of the rules; within one thread they are shared.
cloneables.set('BlockList', {
  is: ifLoaded('internal/net/blocklist', ({ BlockList }, value) => BlockList.isBlockList(value)),
  write: (list) => list.toJSON(),
  read(rules) {
    const list = new (require('internal/net/blocklist').BlockList)();
    list.fromJSON(rules);
    return list;
  },
});

cloneables.set('Histogram', {
  is: ifLoaded('internal/histogram', ({ isHistogram }, value) => isHistogram(value)),
  write: (value) => require('internal/histogram').toPlain(value),
  read: (plain) => require('internal/histogram').fromPlain(plain),
});

function cloneableFor(value) {
  for (const [name, each] of cloneables) if (each.is(value)) return [name, each];
  return undefined;
}

// The transfer list, checked: ports and buffers.
function sortTransfers(list) {
  const ports = [];
  const buffers = [];
  const moves = new Map(); // what else is moved -> how
  const seen = new Set();
  for (const each of list) {
    if (seen.has(each)) {
      throw cloneError(
        `Transfer list contains duplicate ${types.isAnyArrayBuffer(each) ? 'ArrayBuffer' : 'MessagePort'}`,
      );
    }
    seen.add(each);
    if (clone.isMarkedAsUntransferable(each)) throw cloneError('Cannot transfer object of unsupported type.');
    if (types.isArrayBuffer(each)) {
      if (each.detached) throw cloneError('Cannot transfer object of unsupported type.');
      buffers.push(each);
    } else if (each?.[kState] !== undefined) {
      const state = each[kState];
      if (state.detached || state.closed || state.closing || (state.link !== undefined && state.ended))
        throw cloneError('MessagePort in transfer list is already detached');
      ports.push(each);
    } else if (typeof each !== 'object' || each === null) {
      const error = new TypeError('Found invalid object in transferList');
      error.code = 'ERR_INVALID_TRANSFER_OBJECT';
      throw error;
    } else {
      const move = require('internal/worker/transfer').begin(each);
      if (move === undefined) throw cloneError('Found invalid object in transferList');
      moves.set(each, move);
      ports.push(...move.ports);
    }
  }
  return { ports, buffers, moves };
}

// Returns { bytes, things } and detaches transferred objects from this thread.
function encode(message, list) {
  const { ports, buffers, moves } = sortTransfers(list);
  const held = [];
  const shared = new Map();
  const writer = new Writer({
    dataCloneError: cloneError,
    isHost: (value) => value[kState] !== undefined || moves.has(value) || mustBeAsked(value),
    hostObject(value) {
      const move = moves.get(value);
      if (move !== undefined) {
        writer.varint(kHostMoved);
        writer.value(move.name);
        writer.value(move.data);
        return;
      }
      if (value[kState] !== undefined) {
        const at = ports.indexOf(value);
        if (at === -1)
          throw cloneError('Object that needs transfer was found in message but not listed in transferList');
        writer.varint(kHostPort);
        writer.varint(at);
        return;
      }
      const found = cloneableFor(value);
      if (found === undefined) {
        if (clone.isUnsupported(value)) throw cloneError('Cannot clone object of unsupported type.');
        throw cloneError(
          value[clone.kTransfer] !== undefined || kindOf(value) !== undefined
            ? clone.kNeedsTransfer
            : `#<${value.constructor?.name ?? 'Object'}> could not be cloned.`,
        );
      }
      writer.varint(kHostCustom);
      writer.value(found[0]);
      writer.value(found[1].write(value));
    },
    sharedId(buffer) {
      let id = shared.get(buffer);
      if (id === undefined) {
        id = shared.size;
        shared.set(buffer, id);
        const address = binding.sharedHold(buffer);
        if (address === 0)
          throw cloneError(
            '#<SharedArrayBuffer> could not be cloned: this engine cannot share memory between threads.',
          );
        held.push(kShared, address);
      }
      return id;
    },
  });
  writer.header();
  writer.value(message);
  const bytes = writer.release();
  // Nothing can fail from here on.
  const things = [];
  for (const port of ports) things.push(kPort, detach(port));
  for (const buffer of buffers) buffer.transfer(0);
  for (const { commit, file } of moves.values()) {
    commit();
    if (file === undefined) continue;
    internalBinding('fs').handleGone(file);
    things.push(kFile, file);
  }
  things.push(...held);
  return { bytes, things };
}

// Whether it has state besides its properties.
function mustBeAsked(value) {
  const proto = Object.getPrototypeOf(value);
  if (proto === Object.prototype || proto === null) return clone.isUnsupported(value) || types.isArgumentsObject(value);
  return (
    value[clone.kTransfer] !== undefined ||
    cloneableFor(value) !== undefined ||
    clone.isUnsupported(value) ||
    kindOf(value) !== undefined ||
    value instanceof WebAssembly.Module ||
    value instanceof WebAssembly.Memory
  );
}

const kindOf = (value) => require('internal/worker/transfer').kindOf(value);

// Gives { data, ports, moved }, as cloneWithTransfer.
function decode([buffer, ...things]) {
  const ports = [];
  const shared = [];
  const files = new Map(); // by descriptor
  let moved;
  const arrive = (name, data, using) => {
    const { arrive } = require('internal/worker/transfer');
    const one = arrive(name, data, using);
    (moved ??= []).push(one);
    return one.value;
  };
  for (let i = 0; i < things.length; i += 2) {
    if (things[i] === kPort) {
      ports.push(attach(things[i + 1]));
    } else if (things[i] === kFile) {
      files.set(things[i + 1], arrive('FileHandle', things[i + 1], []));
    } else {
      const memory = new SharedArrayBuffer(0);
      binding.sharedGive(things[i + 1], memory);
      shared.push(memory);
    }
  }
  const reader = new Reader(new Uint8Array(buffer), {
    hostObject() {
      const kind = reader.varint();
      if (kind === kHostPort) return ports[reader.varint()];
      const name = reader.value();
      const data = reader.value();
      if (kind !== kHostMoved) return cloneables.get(name).read(data);
      return name === 'FileHandle' ? files.get(data) : arrive(name, data, []);
    },
  });
  shared.forEach((memory, i) => reader.transfer(i, memory));
  reader.header();
  const data = reader.value();
  return { data, ports, moved };
}

// The data of a message that goes no further.
function receive(message) {
  const { data, moved } = decode(message);
  if (moved !== undefined) require('internal/worker/transfer').received(moved);
  return data;
}

// ---- links ----

const links = new Map(); // by the native port
let listening = false;
const onEnded = new Map(); // workers of this thread, by number
const others = []; // who else has news through the mailbox

function alsoHear(hear) {
  others.push(hear);
  listen();
}

// Internal messages of the runtime are not messages of the program.
const isPublic = (port) => links.has(port) && links.get(port).constructor !== Link;

function listen() {
  if (listening) return;
  listening = true;
  const { putOff } = require('internal/worker/delivery_delay');
  binding.listen((ready, ended) => {
    if (putOff !== null) [ready, ended] = putOff(ready, ended, isPublic);
    for (const port of ready) links.get(port)?.news();
    for (let i = 0; i < ended.length; i += 2) {
      const tell = onEnded.get(ended[i]);
      onEnded.delete(ended[i]);
      // After the messages that came with it, and everything that waited for those.
      if (tell !== undefined) setImmediate(tell, ended[i + 1]);
    }
    for (const hear of others) hear();
  });
}

// One end of a connection: its maker handles messages, and the end of the other side.
class Link {
  #native;

  constructor(native) {
    this.#native = native;
    listen();
    links.set(native, this);
  }

  get open() {
    return this.#native !== undefined;
  }

  send(message, list = []) {
    const { bytes, things } = encode(message, list);
    this.sendBytes(bytes, things);
  }

  sendBytes(bytes, things) {
    if (this.#native !== undefined) binding.send(this.#native, bytes, things);
    else binding.discard(things);
  }

  broadcast(message) {
    const { bytes } = encode(message, []);
    if (this.#native !== undefined) binding.broadcast(this.#native, bytes);
  }

  // The next message, null when there will be none, undefined when there is none yet.
  take() {
    return this.#native === undefined ? undefined : binding.take(this.#native);
  }

  news() {
    for (;;) {
      const message = this.take();
      if (message === undefined) return;
      if (message === null) {
        this.close();
        this.onclose?.();
        return;
      }
      this.onmessage?.(receive(message));
    }
  }

  // Releases the native port.
  leave() {
    const native = this.#native;
    links.delete(native);
    this.#native = undefined;
    return native;
  }

  close() {
    if (this.#native === undefined) return;
    binding.close(this.leave());
  }
}

// The end of a MessagePort: messages go into its queue, once it was started.
class PortLink extends Link {
  #state;

  constructor(native, state) {
    super(native);
    this.#state = state;
    state.link = this;
  }

  post(message, list, port) {
    void port;
    const state = this.#state;
    if (state.closed || state.detached) {
      binding.discard(encode(message, list).things);
      return;
    }
    this.send(message, list);
  }

  news() {
    const state = this.#state;
    // A port without a listener is still told that the other end is closed.
    if (state.started || !state.closing) this.pull();
  }

  pull() {
    const state = this.#state;
    for (;;) {
      const message = this.take();
      if (message === undefined) break;
      if (message === null) {
        this.close();
        if (state.closing || state.closed) return;
        state.ended = true;
        state.queue.push(kClose);
        break;
      }
      let entry;
      try {
        entry = decode(message);
      } catch (error) {
        state.owner?.dispatchEvent(Object.assign(new Event('messageerror'), { data: error }));
        continue;
      }
      state.queue.push(entry);
    }
    state.schedule();
  }
}

// A native port becomes a MessagePort of this thread.
function attach(native) {
  const state = new PortState();
  const port = new PortImpl(state);
  new PortLink(native, state);
  return port;
}

// A MessagePort becomes a native port; its object here can no longer be used.
function detach(port) {
  const state = port[kState];
  let native;
  if (state.link !== undefined) {
    native = state.link.leave();
    state.link = undefined;
  } else {
    const [here, there] = binding.pair();
    const { peer } = state;
    const link = peer === null || peer.closed ? undefined : new PortLink(here, peer);
    for (const entry of state.queue) {
      if (entry === kClose) continue;
      const { bytes, things } = encode(entry.data, [...entry.ports, ...(entry.moved ?? []).map(({ value }) => value)]);
      binding.send(here, bytes, things);
    }
    if (link === undefined) binding.close(here);
    else peer.peer = null;
    native = there;
  }
  state.queue = [];
  state.keep.set(false);
  const gone = new PortState();
  gone.detached = true;
  gone.closed = true;
  port[kState] = gone;
  sayMoved(port);
  return native;
}

// ---- broadcast channels ----

class ChannelLink extends Link {
  #state;

  constructor(native, state) {
    super(native);
    this.#state = state;
    state.link = this;
  }

  news() {
    this.pull();
  }

  pull() {
    for (;;) {
      const message = this.take();
      if (message === undefined || message === null) break;
      this.#state.queue.push(decode(message));
    }
    this.#state.schedule();
  }
}

function joinChannel(state, name) {
  new ChannelLink(binding.channel(name), state);
}

module.exports = { Link, attach, receive, joinChannel, onEnded, listen, alsoHear };
