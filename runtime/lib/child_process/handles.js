'use strict';

// Handles that are sent to another process with a message: for each type, how it is sent, and what is made from it on
// the other side. The names of the types, and of the messages about connections, are Node's: one side may be Node.
//
// A server still counts connections that it has sent: a RemoteCount represents those in one child, in which a
// LocalCount counts them.

const EventEmitter = require('events');
const { codes } = require('internal/errors');
const { TCP, Pipe } = require('internal/stream_base');

// A raw handle needs nothing.
const native = { give: (handle) => handle, take: (note, handle, channel, made) => made(handle) };

const kinds = {
  'net.Socket': {
    give(socket, note, options, channel) {
      const handle = socket._handle;
      if (!handle) return undefined;
      const { server } = socket;
      if (server) {
        note.key = server._connectionKey;
        remoteCountFor(channel, server, note.key);
      }
      if (!options.keepOpen) {
        // The socket goes on in the other process: here it ends, without closing what was sent.
        handle.onread = () => {};
        handle.reading = false;
        handle.readStop();
        if (socket._server) {
          socket._server._connections--;
          socket._server = null;
        }
        socket._handle = null;
        socket.setTimeout(0);
      }
      return handle;
    },
    given(handle, options) {
      if (!options.keepOpen) handle.close();
    },
    take(note, handle, channel, made) {
      const socket = new (require('net').Socket)({ handle, readable: true, writable: true });
      if (note.key) localCountFor(channel, note.key).add(socket);
      made(socket);
    },
  },
  'net.Server': {
    give: (server) => server._handle,
    take(note, handle, channel, made) {
      const server = new (require('net').Server)();
      server.listen(handle, () => made(server));
    },
  },
  'net.Native': native,
  'dgram.Socket': {
    give(socket, note) {
      note.dgramType = socket.type;
      return socket[require('internal/dgram').kHandleOf]();
    },
    take(note, handle, channel, made) {
      const socket = new (require('dgram').Socket)(note.dgramType);
      socket.bind(handle, () => made(socket));
    },
  },
  'dgram.Native': native,
};

function kindOf(value) {
  const net = require('net');
  if (value instanceof net.Socket) return 'net.Socket';
  if (value instanceof net.Server) return 'net.Server';
  if (value instanceof TCP || value instanceof Pipe) return 'net.Native';
  if (value instanceof require('internal/dgram').UDP) return 'dgram.Native';
  if (value instanceof require('dgram').Socket) return 'dgram.Socket';
  throw new codes.ERR_INVALID_HANDLE_TYPE();
}

const remoteCounts = new WeakMap(); // channel -> Map of key -> RemoteCount
const localCounts = new WeakMap();

function within(maps, channel, key, make) {
  let map = maps.get(channel);
  if (map === undefined) maps.set(channel, (map = new Map()));
  let entry = map.get(key);
  if (entry === undefined) map.set(key, (entry = make()));
  return entry;
}

function remoteCountFor(channel, server, key) {
  within(remoteCounts, channel, key, () => {
    const remote = new RemoteCount(channel, key);
    server._setupWorker(remote);
    return remote;
  });
}

function localCountFor(channel, key) {
  return within(localCounts, channel, key, () => new LocalCount(channel, key));
}

class RemoteCount extends EventEmitter {
  #channel;
  #key;

  constructor(channel, key) {
    super();
    this.#channel = channel;
    this.#key = key;
    channel.target.once('exit', () => this.emit('exit'));
  }

  #ask(question, answer, callback) {
    const { target } = this.#channel;
    const key = this.#key;
    const done = (err, message) => {
      target.removeListener('internalMessage', hear);
      target.removeListener('disconnect', leave);
      callback(err, message);
    };
    const hear = (message) => {
      if (message.cmd === answer && message.key === key) done(null, message);
    };
    const leave = () => done(new codes.ERR_CHILD_CLOSED_BEFORE_REPLY());
    if (!target.connected) return leave();
    target.on('internalMessage', hear);
    target.once('disconnect', leave);
    this.#channel.post({ cmd: question, key }, undefined, { swallowErrors: true });
  }

  close(callback) {
    this.#ask('NODE_SOCKET_NOTIFY_CLOSE', 'NODE_SOCKET_ALL_CLOSED', callback);
  }

  getConnections(callback) {
    this.#ask('NODE_SOCKET_GET_COUNT', 'NODE_SOCKET_COUNT', (err, message) =>
      err ? callback(err) : callback(null, message.count),
    );
  }
}

class LocalCount {
  #count = 0;
  #told = () => {}; // to be called when none is left

  constructor(channel, key) {
    const tell = (message) => {
      if (channel.target.connected) channel.post({ ...message, key }, undefined, { swallowErrors: true });
    };
    const answers = {
      NODE_SOCKET_GET_COUNT: () => tell({ cmd: 'NODE_SOCKET_COUNT', count: this.#count }),
      NODE_SOCKET_NOTIFY_CLOSE: () => {
        this.#told = () => tell({ cmd: 'NODE_SOCKET_ALL_CLOSED' });
        if (this.#count === 0) this.#told();
      },
    };
    channel.target.on('internalMessage', (message) => {
      if (message.key === key && Object.hasOwn(answers, message.cmd)) answers[message.cmd]();
    });
  }

  add(socket) {
    this.#count++;
    socket.once('close', () => {
      if (--this.#count === 0) this.#told();
    });
  }
}

module.exports = { kinds, kindOf };
