'use strict';

// ChildProcess: a process that was started, its streams and its end.
// 'exit' comes when it ended; 'close' when its streams have, too.

const binding = internalBinding('child');
const EventEmitter = require('events');
const { codes, ErrnoException } = require('internal/errors');
const { convertToValidSignal } = require('internal/util');
const { validateString, validateObject, validateOneOf } = require('internal/validators');
const { getValidStdio, forNative } = require('internal/child_process/stdio');

const UV_EACCES = -13;
const UV_EAGAIN = -11;
const UV_EINVAL = -22;
const UV_EMFILE = -24;
const UV_ENFILE = -23;
const UV_ENOENT = -2;
const UV_ENOSYS = -38;
const UV_ESRCH = -3;
const later = new Set([UV_EACCES, UV_EAGAIN, UV_EMFILE, UV_ENFILE, UV_ENOENT]);

const kDetached = 8; // UV_PROCESS_DETACHED
const kSetUid = 1;
const kSetGid = 2;

const kUsedAsStdio = Symbol('kIsUsedAsStdio');

let signalNames;
function signalName(number) {
  signalNames ??= new Map(Object.entries(require('os').constants.signals).map(([name, value]) => [value, name]));
  return signalNames.get(number);
}

// What owns the number that C gave.
class Process {
  constructor(id, pid) {
    this.id = id;
    this.pid = pid;
  }

  kill(signal) {
    return binding.kill(this.id, signal);
  }

  close() {
    binding.close(this.id);
    this.id = -1;
  }

  ref() {
    binding.reference(this.id, 1);
  }

  unref() {
    binding.reference(this.id, 0);
  }

  hasRef() {
    return binding.reference(this.id, 2);
  }
}

function nativeOptions(options) {
  let flags = 0;
  if (options.detached) flags |= kDetached;
  if (options.uid !== undefined && options.uid !== null) flags |= kSetUid;
  if (options.gid !== undefined && options.gid !== null) flags |= kSetGid;
  const { kinds, values } = forNative(options.stdio);
  return [options.file, options.args, options.envPairs, options.cwd || undefined, flags, options.uid ?? 0, options.gid ?? 0, kinds, values];
}

function ChildProcess() {
  EventEmitter.call(this);
  this._closesNeeded = 1;
  this._closesGot = 0;
  this.connected = false;
  this.signalCode = null;
  this.exitCode = null;
  this.killed = false;
  this.spawnfile = null;
  this._handle = new Process(-1, 0);
}
Object.setPrototypeOf(ChildProcess.prototype, EventEmitter.prototype);
Object.setPrototypeOf(ChildProcess, EventEmitter);

function onexit(child, exitCode, signal) {
  if (signal) child.signalCode = signalName(signal) ?? null;
  else child.exitCode = exitCode;
  if (child.stdin) child.stdin.destroy();
  if (child._handle) {
    child._handle.close();
    child._handle = null;
  }
  if (exitCode < 0) {
    const syscall = child.spawnfile ? `spawn ${child.spawnfile}` : 'spawn';
    const error = new ErrnoException(exitCode, syscall);
    if (child.spawnfile) error.path = child.spawnfile;
    error.spawnargs = child.spawnargs.slice(1);
    child.emit('error', error);
  } else {
    child.emit('exit', child.exitCode, child.signalCode);
  }
  // What nobody reads must not keep 'close' from coming.
  process.nextTick(flushStdio, child);
  maybeClose(child);
}

function flushStdio(child) {
  if (!child.stdio) return;
  for (const stream of child.stdio) {
    if (!stream || !stream.readable || stream[kUsedAsStdio]) continue;
    stream.resume();
  }
}

function maybeClose(child) {
  child._closesGot++;
  if (child._closesGot === child._closesNeeded) child.emit('close', child.exitCode, child.signalCode);
}

function onErrorNT(child, err) {
  onexit(child, err, 0);
}

function onSpawnNT(child) {
  child.emit('spawn');
}

function createSocket(handle, readable) {
  const { Socket } = require('net');
  return new Socket({ handle, readable });
}

ChildProcess.prototype.spawn = function(options) {
  validateObject(options, 'options');
  let stdio = options.stdio || 'pipe';
  const valid = getValidStdio(stdio, false);
  const { ipc, ipcFd } = valid;
  stdio = options.stdio = valid.stdio;
  validateOneOf(options.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  const serialization = options.serialization || 'json';
  if (ipc !== undefined) {
    if (options.envPairs === undefined) options.envPairs = [];
    else if (!Array.isArray(options.envPairs)) throw new codes.ERR_INVALID_ARG_TYPE('options.envPairs', 'Array', options.envPairs);
    options.envPairs.push(`NODE_CHANNEL_FD=${ipcFd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
  }
  validateString(options.file, 'options.file');
  this.spawnfile = options.file;
  if (options.args === undefined) this.spawnargs = [];
  else if (Array.isArray(options.args)) this.spawnargs = options.args;
  else throw new codes.ERR_INVALID_ARG_TYPE('options.args', 'Array', options.args);

  const id = binding.spawn((exitCode, signal) => onexit(this, exitCode, signal),
                           ...nativeOptions({ __proto__: null, ...options, args: this.spawnargs.length === 0 ? [options.file] : this.spawnargs }));
  const err = id < 0 ? id : 0;
  if (err === 0) {
    this._handle.id = id;
    this._handle.pid = binding.pid(id);
    process.nextTick(onSpawnNT, this);
  } else if (later.has(err)) {
    process.nextTick(onErrorNT, this, err);
    // Without descriptors there are no streams either.
    if (err === UV_EMFILE || err === UV_ENFILE) {
      for (const entry of stdio) if (entry.type === 'pipe' && entry.handle) entry.handle.close();
      return err;
    }
  } else {
    for (const entry of stdio) if (entry.type === 'pipe' && entry.handle) entry.handle.close();
    this._handle = null;
    throw new ErrnoException(err, 'spawn');
  }
  this.pid = err === 0 ? this._handle.pid : undefined;

  stdio.forEach((entry, i) => {
    if (entry.type === 'ignore' || entry.type === 'fd' || entry.type === 'inherit') return;
    if (entry.ipc) {
      this._closesNeeded++;
      return;
    }
    if (entry.type === 'wrap') {
      // The child reads from it now: we must not.
      entry.handle.reading = false;
      entry.handle.readStop?.();
      const { stream } = entry;
      if (stream?.pause) {
        stream.pause();
        stream.readableFlowing = false;
        if (stream._readableState) stream._readableState.reading = false;
      }
      stream[kUsedAsStdio] = true;
      return;
    }
    entry.socket = createSocket(entry.handle, i > 0);
    if (i > 0) {
      this._closesNeeded++;
      entry.socket.on('close', () => maybeClose(this));
    }
  });
  this.stdin = stdio[0].socket ?? null;
  this.stdout = stdio[1].socket ?? null;
  this.stderr = stdio[2].socket ?? null;
  this.stdio = stdio.map((entry) => entry.socket ?? null);
  if (ipc !== undefined) require('internal/child_process/ipc').setupChannel(this, ipc, serialization);
  return err;
};

ChildProcess.prototype.kill = function(sig) {
  const signal = sig === 0 ? sig : convertToValidSignal(sig === undefined ? 'SIGTERM' : sig);
  if (this._handle && this._handle.id >= 0) {
    const err = this._handle.kill(signal);
    if (err === 0) {
      this.killed = true;
      return true;
    }
    if (err === UV_EINVAL || err === UV_ENOSYS) throw new ErrnoException(err, 'kill');
    if (err !== UV_ESRCH) this.emit('error', new ErrnoException(err, 'kill'));
  }
  return false;
};

ChildProcess.prototype[Symbol.dispose] = function() {
  if (!this.killed) this.kill();
};

ChildProcess.prototype.ref = function() {
  if (this._handle) this._handle.ref();
};

ChildProcess.prototype.unref = function() {
  if (this._handle) this._handle.unref();
};

// A child that is waited for. -> { pid, status, signal, output, stdout, stderr, error }
function spawnSync(options) {
  const result = binding.spawnSync(Math.ceil(options.timeout ?? 0), options.maxBuffer === Infinity || options.maxBuffer == null ? -1 : options.maxBuffer,
                                   options.killSignal || 15, ...nativeOptions({ __proto__: null, ...options, args: options.args.length === 0 ? [options.file] : options.args }));
  const { Buffer } = require('buffer');
  const output = result.output?.map((memory) => (memory === null ? null : Buffer.from(memory))) ?? null;
  const final = {};
  if (result.error) {
    const error = new ErrnoException(result.error, `spawnSync ${options.file}`);
    error.path = options.file;
    error.spawnargs = options.args.slice(1);
    final.error = error;
  }
  final.status = result.status;
  final.signal = result.signal === null ? null : signalName(result.signal);
  final.output = output;
  final.pid = result.pid;
  if (output !== null && options.encoding && options.encoding !== 'buffer') {
    for (let i = 0; i < output.length; i++) if (output[i] !== null) output[i] = output[i].toString(options.encoding);
  }
  final.stdout = output?.[1];
  final.stderr = output?.[2];
  return final;
}

module.exports = { ChildProcess, spawnSync, maybeClose };
