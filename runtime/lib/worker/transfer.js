'use strict';

// Objects that can be moved, to another thread or within this one: streams, open files, signals. The message contains
// plain data and ports; the original object does the work at the other end of the port. A move has two steps, so that
// nothing is lost if the message cannot be made: begin() checks, commit() moves. What has arrived belongs to its
// message until that is received, and is closed with it if nobody does.

const { DOMException } = require('internal/dom_exception');

const { builtinCache } = internalBinding('runtime');
const classOf = (id, name) => builtinCache.get(id)?.exports[name]; // undefined while there can be no instance
const isOne = (id, name) => (value) => {
  const Class = classOf(id, name);
  return typeof Class === 'function' && value instanceof Class;
};

function refuse(text) {
  throw new DOMException(text, 'DataCloneError');
}

function channel() {
  return new (require('internal/messaging').MessageChannel)();
}

// A chunk that cannot be cloned ends the stream, on both sides.
function post(port, message) {
  try {
    port.postMessage(message);
  } catch (error) {
    port.postMessage({ type: 'error', reason: error });
    throw error;
  }
}

// A port that keeps its loop alive while a reply is awaited.
class Conversation {
  #port;
  #waiting;
  #lost;

  constructor(port, onLost) {
    this.#port = port;
    port.on('message', (message) => this.#hear(message));
    port.on('close', () => this.#hear(undefined));
    port.unref();
    this.#lost = onLost;
  }

  #hear(message) {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#port.unref();
    if (message === undefined || message.type === 'error') {
      const reason =
        message === undefined ? new DOMException("The stream's other side is gone", 'AbortError') : message.reason;
      this.#port.close();
      if (waiting !== undefined) waiting.reject(reason);
      else this.#lost(reason);
    } else {
      waiting?.resolve(message);
    }
  }

  ask(message) {
    this.#waiting = Promise.withResolvers();
    this.#port.ref();
    post(this.#port, message);
    return this.#waiting.promise;
  }

  end() {
    this.#lost = () => {};
    this.#port.close();
  }
}

// ---- readable ----

function serveReader(reader, port) {
  const asked = {
    async pull() {
      const { value, done } = await reader.read();
      if (done) reader.releaseLock();
      post(port, done ? { type: 'close' } : { type: 'chunk', value });
    },
    async cancel(reason) {
      await reader.cancel(reason);
      post(port, { type: 'close' });
    },
  };
  port.on('message', async ({ type, reason }) => {
    try {
      await asked[type](reason);
    } catch (error) {
      post(port, { type: 'error', reason: error });
      reader.cancel(error).catch(() => {});
    }
  });
  port.on('close', () =>
    reader.cancel(new DOMException("The stream's other side is gone", 'AbortError')).catch(() => {}),
  );
  port.unref();
}

function readableFrom(port) {
  let conversation;
  const { ReadableStream } = require('stream/web');
  return new ReadableStream(
    {
      start(controller) {
        conversation = new Conversation(port, (reason) => controller.error(reason));
      },
      async pull(controller) {
        const { type, value } = await conversation.ask({ type: 'pull' });
        if (type === 'chunk') {
          controller.enqueue(value);
        } else {
          controller.close();
          conversation.end();
        }
      },
      async cancel(reason) {
        await conversation.ask({ type: 'cancel', reason });
        conversation.end();
      },
    },
    { highWaterMark: 0 },
  );
}

// ---- writable ----

function serveWriter(writer, port) {
  const asked = {
    write: (value) => writer.write(value),
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  };
  port.on('message', async ({ type, value }) => {
    try {
      await asked[type](value);
      post(port, { type: 'done' });
    } catch (error) {
      post(port, { type: 'error', reason: error });
    }
  });
  writer.closed.catch((error) => post(port, { type: 'error', reason: error }));
  port.unref();
}

function writableTo(port) {
  let conversation;
  const { WritableStream } = require('stream/web');
  return new WritableStream({
    start(controller) {
      conversation = new Conversation(port, (reason) => controller.error(reason));
    },
    write: (value) => conversation.ask({ type: 'write', value }),
    async close() {
      await conversation.ask({ type: 'close' });
      conversation.end();
    },
    async abort(value) {
      await conversation.ask({ type: 'abort', value });
      conversation.end();
    },
  });
}

// ---- the kinds ----

// begin(object) -> { data, ports, file, commit }; arrive(data) -> the object in its new thread.
const kinds = {
  ReadableStream: {
    is: isOne('stream/web', 'ReadableStream'),
    begin(stream) {
      if (stream.locked) refuse('Cannot transfer a locked ReadableStream');
      const { port1, port2 } = channel();
      return { data: port2, ports: [port2], commit: () => serveReader(stream.getReader(), port1) };
    },
    arrive: readableFrom,
  },
  WritableStream: {
    is: isOne('stream/web', 'WritableStream'),
    begin(stream) {
      if (stream.locked) refuse('Cannot transfer a locked WritableStream');
      const { port1, port2 } = channel();
      return { data: port2, ports: [port2], commit: () => serveWriter(stream.getWriter(), port1) };
    },
    arrive: writableTo,
  },
  TransformStream: {
    is: isOne('stream/web', 'TransformStream'),
    begin({ readable, writable }) {
      if (readable.locked || writable.locked) refuse('Cannot transfer a locked TransformStream');
      const [out, into] = [kinds.ReadableStream.begin(readable), kinds.WritableStream.begin(writable)];
      return {
        data: [out.data, into.data],
        ports: [...out.ports, ...into.ports],
        commit() {
          out.commit();
          into.commit();
        },
      };
    },
    arrive([out, into]) {
      const { TransformStream } = require('stream/web');
      return Object.assign(new TransformStream(), { _readable: readableFrom(out), _writable: writableTo(into) });
    },
  },
  FileHandle: {
    is: isOne('internal/fs/file_handle', 'FileHandle'),
    begin(handle) {
      const { isBusy, giveUp } = require('internal/fs/file_handle');
      if (isBusy(handle)) refuse('Cannot transfer FileHandle while in use');
      const { fd } = handle;
      return { data: fd, ports: [], file: fd, commit: () => giveUp(handle) };
    },
    arrive: (fd) => new (require('internal/fs/file_handle').FileHandle)(fd, undefined, false),
    received: (handle) => require('internal/fs/file_handle').received(handle),
    forget: (handle) => require('internal/fs/file_handle').giveUp(handle),
    notReceived: (handle) => require('internal/fs/file_handle').notReceived(handle),
  },
  AbortSignal: {
    is: (value) =>
      isOne('internal/abort_controller', 'AbortSignal')(value) &&
      classOf('internal/abort_controller', 'isShared')(value),
    begin(signal) {
      const { aborted, reason } = signal;
      if (aborted) return { data: { aborted, reason }, ports: [], commit() {} };
      const { port1, port2 } = channel();
      return {
        data: { aborted, port: port2 },
        ports: [port2],
        commit() {
          port1.unref();
          signal.addEventListener('abort', () => post(port1, { reason: signal.reason }), { once: true });
        },
      };
    },
    arrive({ aborted, reason, port }) {
      const { AbortController, AbortSignal } = require('internal/abort_controller');
      if (aborted) return AbortSignal.abort(reason);
      const controller = new AbortController();
      port.once('message', (message) => {
        port.close();
        controller.abort(message.reason);
      });
      port.unref();
      return controller.signal;
    },
  },
};

function kindOf(value) {
  for (const name of Object.keys(kinds)) if (kinds[name].is(value)) return name;
  return undefined;
}

function begin(value) {
  const name = kindOf(value);
  return name === undefined ? undefined : { name, ...kinds[name].begin(value) };
}

// Something that has arrived, and the ports that it works by.
function arrive(name, data, ports) {
  return { name, ports, value: kinds[name].arrive(data) };
}

// The message could not be made: the original keeps what it has.
function forget(moved) {
  for (const { name, value } of moved) kinds[name].forget?.(value);
}

function received(moved) {
  for (const { name, value } of moved) kinds[name].received?.(value);
}

function notReceived(moved) {
  for (const { name, value, ports } of moved) {
    kinds[name].notReceived?.(value);
    for (const port of ports) port.close();
  }
}

module.exports = { kindOf, begin, arrive, forget, received, notReceived };
