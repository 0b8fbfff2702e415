'use strict';

// The `stdio` option: each descriptor of a child as an entry { type, ... }: ignore; pipe (a handle of ours at the other
// end, or bytes to write); fd (one of ours); stream (the handle of a stream).

const { codes } = require('internal/errors');
const { Pipe, Handle } = require('internal/stream_base');

const shorthands = {
  __proto__: null,
  ignore: ['ignore', 'ignore', 'ignore'],
  pipe: ['pipe', 'pipe', 'pipe'],
  overlapped: ['overlapped', 'overlapped', 'overlapped'],
  inherit: [0, 1, 2],
};

function threeOf(word) {
  const three = shorthands[word];
  if (three === undefined) throw new codes.ERR_INVALID_ARG_VALUE('stdio', word);
  return three;
}

function handleOf(value) {
  return [value, value._handle, value.handle].find((candidate) => candidate instanceof Handle);
}

const isPipeWord = (value) => value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0);

class Table {
  entries = [];
  channel; // the handle of the channel for messages
  channelFd;
  #sync;
  #ours = []; // handles made here, which are closed if an error follows

  constructor(list, sync) {
    this.#sync = sync;
    try {
      for (let i = 0; i < Math.max(list.length, 3); i++)
        this.entries.push(this.#entry(list[i] ?? (i < 3 ? 'pipe' : 'ignore'), i));
    } catch (error) {
      for (const handle of this.#ours) handle.close();
      throw error;
    }
  }

  #pipe(ipc) {
    const handle = new Pipe(undefined, ipc);
    this.#ours.push(handle);
    return handle;
  }

  #entry(value, fd) {
    if (value === 'ignore') return { type: 'ignore' };
    if (isPipeWord(value)) return { type: 'pipe', handle: this.#sync ? undefined : this.#pipe(false) };
    if (value === 'ipc') return this.#channelEntry(fd);
    if (value === 'inherit') return { type: 'fd', fd };
    if (typeof value === 'number') return { type: 'fd', fd: value };
    if (typeof value.fd === 'number') return { type: 'fd', fd: value.fd };
    const handle = handleOf(value);
    if (handle !== undefined) return { type: 'stream', handle, stream: value };
    if (typeof value !== 'string' && !ArrayBuffer.isView(value)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', value);
    if (this.#sync) return { type: 'pipe', handle: undefined };
    throw new codes.ERR_INVALID_SYNC_FORK_INPUT(require('internal/util/inspect').inspect(value));
  }

  #channelEntry(fd) {
    if (this.#sync) throw new codes.ERR_IPC_SYNC_FORK();
    if (this.channel !== undefined) throw new codes.ERR_IPC_ONE_PIPE();
    this.channel = this.#pipe(true);
    this.channelFd = fd;
    return { type: 'pipe', handle: this.channel, ipc: true };
  }
}

// -> { stdio: entries, channel, channelFd }
function stdioFor(stdio, sync) {
  if (typeof stdio !== 'string' && !Array.isArray(stdio)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
  const { entries, channel, channelFd } = new Table(typeof stdio === 'string' ? threeOf(stdio) : stdio, sync);
  return { stdio: entries, channel, channelFd };
}

// The entry for C: one of childStdio (internal/shared), and its value.
const { kIgnore, kPipe, kFd, kStream } = require('internal/shared').childStdio;
const native = {
  ignore: () => [kIgnore, 0],
  pipe: ({ handle, input }) => [kPipe, handle === undefined ? input : handle.id],
  fd: ({ fd }) => [kFd, fd],
  stream: ({ handle }) => (handle.id < 0 ? [kFd, handle.fd] : [kStream, handle.id]),
};

// -> [kinds, values]
function forNative(entries) {
  const pairs = entries.map((entry) => native[entry.type](entry));
  return [pairs.map(([kind]) => kind), pairs.map(([, value]) => value)];
}

module.exports = { stdioFor, forNative, threeOf };
