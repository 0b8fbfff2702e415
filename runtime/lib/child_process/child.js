'use strict';

// ChildProcess and the synchronous run of a child, with the diagnostics channels of both.
//
// The diagnostics channels of child processes: the creation of one, and the result of its start.

const { channel } = require('diagnostics_channel');
const { ErrnoException, codes } = require('internal/errors');
const { once } = require('internal/async/bound');
const binding = internalBinding('child');
const EventEmitter = require('events');
const { convertToValidSignal } = require('internal/util');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const { stdioFor, forNative } = require('internal/child_process/stdio');
const { reference } = require('internal/shared');

const made = channel('child_process');
const [start, end, failed] = ['start', 'end', 'error'].map((name) => channel(`tracing:child_process.spawn:${name}`));

function tellMade(child) {
  if (made.hasSubscribers) made.publish({ process: child });
}

// Calls `begin`, which returns a number: a negative one is an error.
function traced(child, options, begin) {
  if (!start.hasSubscribers && !end.hasSubscribers && !failed.hasSubscribers) return begin();
  const message = { process: child, options };
  start.publish(message);
  const id = begin();
  if (id < 0) {
    message.error = new ErrnoException(id, 'spawn');
    failed.publish(message);
  } else {
    end.publish(message);
  }
  return id;
}

// ChildProcess: a process that was started, its streams and its end. 'exit' is emitted when it has ended; 'close'
// when everything that was opened for it has, too: the process, each stream that we read from, and the channel
// count as one each.

const UV_ENOENT = -2;
const UV_ESRCH = -3;
const UV_EAGAIN = -11;
const UV_EACCES = -13;
const UV_EINVAL = -22;
const UV_ENFILE = -23;
const UV_EMFILE = -24;
const UV_ENOSYS = -38;
// Errors of the environment, which are events; others are errors of the caller, and thrown.
const events = [UV_ENOENT, UV_EAGAIN, UV_EACCES, UV_ENFILE, UV_EMFILE];

const flags = { setUid: 1, setGid: 2, detached: 8 };
const CHANNEL_MS = 50; // that the end of a channel may take

const kLent = Symbol('lent to a child');

let namesBySignal; // where one has two names, the first
function signalName(number) {
  namesBySignal ??= new Map(
    Object.entries(require('os').constants.signals)
      .reverse()
      .map(([name, value]) => [value, name]),
  );
  return namesBySignal.get(number) ?? null;
}

// The arguments of C's spawn, after its first ones.
function forC({ file, args, envPairs, cwd, detached, uid, gid, stdio }) {
  const set = (detached ? flags.detached : 0) | (uid == null ? 0 : flags.setUid) | (gid == null ? 0 : flags.setGid);
  return [
    file,
    args.length === 0 ? [file] : args,
    envPairs,
    cwd || undefined,
    set,
    uid ?? 0,
    gid ?? 0,
    ...forNative(stdio),
  ];
}

// The owner of the number that C gave.
class Running {
  id = -1;
  pid = 0;

  kill(signal) {
    return binding.kill(this.id, signal);
  }

  ref() {
    binding.reference(this.id, reference.kHold);
  }

  unref() {
    binding.reference(this.id, reference.kDrop);
  }

  hasRef() {
    return binding.reference(this.id, reference.kAsk);
  }

  close() {
    binding.close(this.id);
    this.id = -1;
  }
}

function checkedList(options, name) {
  const list = options[name];
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, 'Array', list);
  return list;
}

class ChildProcess extends EventEmitter {
  #open = 1;
  #channel;

  connected = false;
  signalCode = null;
  exitCode = null;
  killed = false;
  spawnfile = null;
  _handle = new Running();

  constructor() {
    super();
    tellMade(this);
  }

  // Starts a plan (internal/child_process/plan.js). -> 0, or the negative error that will be emitted
  spawn(plan) {
    validateObject(plan, 'options');
    const reaped = once('PROCESSWRAP', (code, signal) => this.#reaped(code, signal));
    const { stdio, channel, channelFd } = stdioFor(plan.stdio || 'pipe', false);
    validateOneOf(plan.serialization, 'options.serialization', [undefined, 'json', 'advanced']);
    const serialization = plan.serialization || 'json';
    const envPairs = channel === undefined ? plan.envPairs : checkedList(plan, 'envPairs');
    if (channel !== undefined)
      envPairs.push(`NODE_CHANNEL_FD=${channelFd}`, `NODE_CHANNEL_SERIALIZATION_MODE=${serialization}`);
    validateString(plan.file, 'options.file');
    this.spawnfile = plan.file;
    this.spawnargs = checkedList(plan, 'args');

    const id = traced(this, plan, () =>
      binding.spawn(reaped, ...forC({ __proto__: null, ...plan, args: this.spawnargs, envPairs, stdio })),
    );
    if (id < 0) {
      const silent = id === UV_EMFILE || id === UV_ENFILE;
      const thrown = !events.includes(id);
      // Without descriptors there are no streams either.
      if (silent || thrown) for (const { type, handle } of stdio) if (type === 'pipe') handle.close();
      if (thrown) {
        this._handle = null;
        throw new ErrnoException(id, 'spawn');
      }
      process.nextTick(() => this.#ended(id, 0));
      if (silent) return id;
    } else {
      this._handle.id = id;
      this._handle.pid = binding.pid(id);
      process.nextTick(() => this.emit('spawn'));
    }
    this.pid = id < 0 ? undefined : this._handle.pid;
    this.stdio = stdio.map((entry, fd) => this.#streamFor(entry, fd));
    [this.stdin, this.stdout, this.stderr] = this.stdio;
    if (channel !== undefined) {
      this.#open++;
      this.#channel = require('internal/child_process/ipc').openChannel(this, channel, serialization, () =>
        this.#closed(),
      );
    }
    return Math.min(id, 0);
  }

  #streamFor({ type, handle, stream, ipc }, fd) {
    if (type === 'stream') lend(handle, stream);
    if (type !== 'pipe' || ipc) return null;
    const socket = new (require('net').Socket)({ handle, readable: fd > 0 });
    if (fd > 0) {
      this.#open++;
      socket.on('close', () => this.#closed());
    }
    return socket;
  }

  // The kernel closes the descriptors of a process before it reports its end; only an io_uring keeps them open for some
  // milliseconds more. The program sees that order: the end of the channel comes first. A grandchild may hold the
  // channel, hence the limit.
  #reaped(code, signal) {
    if (this.#channel === undefined || this.#channel.ended) {
      this.#ended(code, signal);
      return;
    }
    const end = () => {
      clearTimeout(timer);
      this.removeListener('disconnect', soon);
      this.#ended(code, signal);
    };
    const soon = () => setImmediate(end);
    const timer = setTimeout(end, CHANNEL_MS);
    this.once('disconnect', soon);
  }

  // The process has ended, or was never started (a negative code).
  #ended(code, signal) {
    if (signal) this.signalCode = signalName(signal);
    else this.exitCode = code;
    this.stdin?.destroy();
    this._handle?.close();
    this._handle = null;
    if (code < 0) {
      const { spawnfile, spawnargs } = this;
      const error = new ErrnoException(code, spawnfile ? `spawn ${spawnfile}` : 'spawn');
      if (spawnfile) error.path = spawnfile;
      error.spawnargs = spawnargs.slice(1);
      this.emit('error', error);
    } else {
      this.emit('exit', this.exitCode, this.signalCode);
    }
    // Unread output must not prevent 'close'.
    process.nextTick(() => {
      for (const stream of this.stdio ?? []) if (stream?.readable && !stream[kLent]) stream.resume();
    });
    this.#closed();
  }

  #closed() {
    if (--this.#open === 0) this.emit('close', this.exitCode, this.signalCode);
  }

  kill(sig = 'SIGTERM') {
    const signal = sig === 0 ? 0 : convertToValidSignal(sig);
    if (this._handle === null || this._handle.id < 0) return false;
    const err = this._handle.kill(signal);
    if (err === UV_EINVAL || err === UV_ENOSYS) throw new ErrnoException(err, 'kill');
    if (err === 0) this.killed = true;
    else if (err !== UV_ESRCH) this.emit('error', new ErrnoException(err, 'kill'));
    return err === 0;
  }

  ref() {
    this._handle?.ref();
  }

  unref() {
    this._handle?.unref();
  }

  [Symbol.dispose]() {
    if (!this.killed) this.kill();
  }
}

// A stream of ours from which the child reads now: we must not.
function lend(handle, stream) {
  handle.reading = false;
  handle.readStop?.();
  if (typeof stream.pause === 'function') {
    stream.pause();
    stream.readableFlowing = false;
    // Our next read, if there is one, begins again.
    if (stream._readableState) stream._readableState.reading = false;
  }
  stream[kLent] = true;
}

// Runs a child and waits for it. -> { pid, status, signal, output, stdout, stderr, error }
function waitFor(plan) {
  const { file, args, encoding, maxBuffer } = plan;
  const most = maxBuffer == null || maxBuffer === Infinity ? -1 : maxBuffer;
  const {
    error,
    status,
    signal,
    pid,
    output: memories,
  } = binding.spawnSync(Math.ceil(plan.timeout ?? 0), most, plan.killSignal || 15, ...forC(plan));
  const textual = encoding && encoding !== 'buffer';
  const { Buffer } = require('internal/buffer/class');
  const output =
    memories?.map((memory) => {
      if (memory === null) return null;
      const bytes = Buffer.from(memory);
      return textual ? bytes.toString(encoding) : bytes;
    }) ?? null;
  const result = {
    status,
    signal: signal === null ? null : signalName(signal),
    output,
    pid,
    stdout: output?.[1],
    stderr: output?.[2],
  };
  if (!error) return result;
  const problem = Object.assign(new ErrnoException(error, `spawnSync ${file}`), {
    path: file,
    spawnargs: args.slice(1),
  });
  return { error: problem, ...result };
}

// Programs that want to observe every child replace this function: process.binding('spawn_sync').
const waiting = { spawn: waitFor };

module.exports = { ChildProcess, waiting };
