'use strict';

// The `stdio` option: what each descriptor of a child is to be.

const { codes } = require('internal/errors');
const { Pipe, Handle } = require('internal/stream_base');

// The numbers that C knows (enum rota_child_stdio).
const kIgnore = 0;
const kPipe = 1;
const kFd = 2;
const kStream = 3;

function expand(stdio) {
  switch (stdio) {
    case 'ignore':
    case 'overlapped':
    case 'pipe':
      return [stdio, stdio, stdio];
    case 'inherit':
      return [0, 1, 2];
    default:
      throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
}

function getHandle(value) {
  if (value instanceof Handle) return value;
  if (value?._handle instanceof Handle) return value._handle;
  if (value?.handle instanceof Handle) return value.handle;
  return undefined;
}

// -> { stdio: [{ type, ... }], ipc, ipcFd }
function getValidStdio(stdio, sync) {
  let ipc;
  let ipcFd;
  if (typeof stdio === 'string') {
    stdio = expand(stdio);
  } else if (!Array.isArray(stdio)) {
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
  }
  stdio = [...stdio];
  while (stdio.length < 3) stdio.push(undefined);
  const made = [];
  const cleanup = () => {
    for (const handle of made) handle.close();
  };
  const result = stdio.map((value, i) => {
    value ??= i < 3 ? 'pipe' : 'ignore';
    if (value === 'ignore') return { type: 'ignore' };
    if (value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0)) {
      const entry = { type: value === 'overlapped' ? 'overlapped' : 'pipe', readable: i === 0, writable: i !== 0 };
      if (!sync) made.push(entry.handle = new Pipe());
      return entry;
    }
    if (value === 'ipc') {
      if (sync || ipc !== undefined) {
        cleanup();
        throw sync ? new codes.ERR_IPC_SYNC_FORK() : new codes.ERR_IPC_ONE_PIPE();
      }
      ipc = new Pipe(undefined, true);
      ipcFd = i;
      made.push(ipc);
      return { type: 'pipe', handle: ipc, ipc: true };
    }
    if (value === 'inherit') return { type: 'inherit', fd: i };
    if (typeof value === 'number' || typeof value.fd === 'number') {
      return { type: 'fd', fd: typeof value === 'number' ? value : value.fd };
    }
    const handle = getHandle(value);
    if (handle !== undefined) return { type: 'wrap', handle, stream: value };
    if (ArrayBuffer.isView(value) || typeof value === 'string') {
      if (sync) return { type: 'pipe', readable: i === 0, writable: i !== 0 };
      cleanup();
      throw new codes.ERR_INVALID_SYNC_FORK_INPUT(require('internal/util/inspect').inspect(value));
    }
    cleanup();
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', value);
  });
  return { stdio: result, ipc, ipcFd };
}

// The two lists that C reads.
function forNative(stdio) {
  const kinds = [];
  const values = [];
  for (const entry of stdio) {
    switch (entry.type) {
      case 'ignore':
        kinds.push(kIgnore);
        values.push(0);
        break;
      case 'pipe':
      case 'overlapped':
        kinds.push(kPipe);
        values.push(entry.handle !== undefined ? entry.handle.id : entry.input);
        break;
      case 'wrap':
        if (entry.handle.id < 0) {
          kinds.push(kFd);
          values.push(entry.handle.fd);
        } else {
          kinds.push(kStream);
          values.push(entry.handle.id);
        }
        break;
      default:
        kinds.push(kFd);
        values.push(entry.fd);
    }
  }
  return { kinds, values };
}

module.exports = { getValidStdio, forNative, stdioStringToArray: expand };
