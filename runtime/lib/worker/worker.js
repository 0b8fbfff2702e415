'use strict';

// Worker: a thread as its maker sees it. One link controls it (its start, its output, its failure), another
// one is its parentPort.

const EventEmitter = require('events');
const path = require('path');
const { codes, E } = require('internal/errors');
const permission = require('internal/process/permission');
const { validateArray, validateNumber, validateObject, validateString } = require('internal/validators');
const { Link, onEnded, listen } = require('internal/worker/link');
const { MessageChannel } = require('internal/messaging');
const { often } = require('internal/async/bound');
const { thread } = require('internal/worker/thread');

E(
  'ERR_WORKER_PATH',
  (file) =>
    'The worker script or module filename must be an absolute path or a relative path starting with ' +
    `'./' or '../'.${file.startsWith('file://') ? ' Wrap file:// URLs with `new URL`.' : ''}${
      file.startsWith('data:text/javascript') ? ' Wrap data: URLs with `new URL`.' : ''
    } Received "${file}"`,
  TypeError,
);
E(
  'ERR_WORKER_INVALID_EXEC_ARGV',
  (list, text = 'invalid execArgv flags') => `Initiated Worker with ${text}: ${list.join(', ')}`,
  Error,
);
E('ERR_WORKER_UNSERIALIZABLE_ERROR', 'Serializing an uncaught exception failed', Error);
E('ERR_WORKER_INIT_FAILED', 'Worker initialization failure: %s', Error);
E('ERR_WORKER_OUT_OF_MEMORY', 'Worker terminated due to reaching memory limit: %s', Error);
E('ERR_WORKER_NOT_RUNNING', 'Worker instance not running', Error);
E('ERR_WORKER_UNSUPPORTED_OPERATION', '%s is not supported in workers', TypeError);

const binding = internalBinding('worker');
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
const kInternalScript = Symbol('internal script'); // an option: a built-in module whose run() is the thread
const kAskEvery = 20;
const workers = new Map(); // that run, by number

// ---- arguments ----

function scriptOf(filename, options) {
  if (options.eval) {
    if (typeof filename !== 'string')
      throw new codes.ERR_INVALID_ARG_VALUE(
        'options.eval',
        options.eval,
        "must be false when 'filename' is not a string",
      );
    return { eval: true, script: filename };
  }
  const { isURL, fileURLToPath } = require('internal/url/files');
  if (isURL(filename)) {
    if (filename.protocol === 'data:') return { script: filename.href, url: true };
    return { script: fileURLToPath(filename) };
  }
  if (typeof filename !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  if (!path.isAbsolute(filename) && !/^\.\.?[\\/]/.test(filename)) throw new codes.ERR_WORKER_PATH(filename);
  return { script: path.resolve(filename) };
}

// One text for all of them: it is written and read much faster than a text for each.
function environmentFor(env) {
  if (env === SHARE_ENV) return undefined;
  if (env === undefined || env === null) return joined(process.env);
  if (typeof env !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE(
      'options.env',
      ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'],
      env,
    );
  }
  return joined(env);
}

function joined(env) {
  if (require('internal/process/object').isSystemEnv(env)) return internalBinding('process').envText();
  let text = '';
  for (const name of Object.keys(env)) text += `${name}=${env[name]}\0`;
  return text;
}

// Options of the process are not allowed for a thread.
const processOnly =
  /^--(?:title|redirect-warnings|v8-|max[-_]old[-_]space[-_]size|max[-_]semi[-_]space[-_]size|expose[-_]gc|inspect)/;

function isNoOptionOfThreads(word) {
  return word.startsWith('-') && (processOnly.test(word) || !internalBinding('process').isKnownOption(word));
}

// Options whose value may be the next word.
const withValue = new Set([
  '-r',
  '-C',
  '--require',
  '--import',
  '--conditions',
  '--loader',
  '--experimental-loader',
  '--input-type',
  '--unhandled-rejections',
  '--disable-warning',
  '--dns-result-order',
  '--stack-trace-limit',
  '--max-http-header-size',
  '--diagnostic-dir',
  '--localstorage-file',
]);

// The words that are options: up to a `--`, or to the first word that is neither an option nor an option's value.
function readExecArgv(given) {
  validateArray(given, 'options.execArgv');
  const list = given.map(String);
  const bad = [];
  let end = 0;
  while (end < list.length && list[end] !== '--' && list[end].startsWith('-')) {
    const word = list[end++];
    if (isNoOptionOfThreads(word)) bad.push(word);
    else if (withValue.has(word) && end++ === list.length) bad.push(`${word} requires an argument`);
  }
  if (bad.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(bad);
  return list.slice(0, end);
}

// The options of the process were checked at its start: a thread uses those that apply to it.
function checkNodeOptions(env) {
  const text = env?.NODE_OPTIONS;
  if (typeof text !== 'string' || text === require('internal/process/flags').environmentText()) return;
  const bad = text
    .split(/\s+/)
    .filter(isNoOptionOfThreads)
    .map((word) => `${word.replace(/=.*/s, '=')} is not allowed in NODE_OPTIONS`);
  if (bad.length > 0) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV(bad, 'invalid NODE_OPTIONS env variable');
}

const limitNames = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];

function limitsOf(asked) {
  const limits = { maxYoungGenerationSizeMb: 48, maxOldGenerationSizeMb: 2096, codeRangeSizeMb: 0, stackSizeMb: 4 };
  for (const name of limitNames) if (typeof asked?.[name] === 'number') limits[name] = asked[name];
  return limits;
}

// ---- errors of the thread ----

const errorClasses = { __proto__: null, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };

function revive(message) {
  if (message.unserializable) return new codes.ERR_WORKER_UNSERIALIZABLE_ERROR();
  if (message.text !== undefined) return message.text;
  if (message.symbol !== undefined) return Symbol.for(message.symbol);
  if (message.error === undefined) return message.value;
  const { name, message: text, stack, kind, extra, cause } = message.error;
  const Class = errorClasses[kind] ?? Error;
  const error = new Class(text);
  const hidden = (key, value) =>
    Object.defineProperty(error, key, {
      __proto__: null,
      value,
      writable: true,
      configurable: true,
      enumerable: false,
    });
  hidden('stack', stack);
  if (name !== undefined && name !== error.name) hidden('name', name);
  if (cause !== undefined) hidden('cause', revive(cause));
  return Object.assign(error, extra);
}

function checkUsage(usage) {
  validateObject(usage, 'prev');
  for (const name of ['user', 'system']) validateNumber(usage[name], `prev.${name}`, 0, Number.MAX_SAFE_INTEGER);
}

class Worker extends EventEmitter {
  #link;
  #port;
  #referenced = true;
  #isOver = false;
  #ending; // { promise, resolve } of terminate()
  #asking; // a timer, while it is ending
  #streams = {};
  #asked; // which of its output streams the program reads itself
  #control = (message) => this.#onControl(message);
  #end = (code) => this.#onEnded(code);
  #questions = []; // that the thread has not answered

  constructor(filename, options = {}) {
    super();
    validateObject(options ?? {}, 'options');
    options ??= {};
    permission.check(permission.kWorker);
    const execArgv =
      options.execArgv === undefined || options.execArgv === null ? process.execArgv : readExecArgv(options.execArgv);
    if (options.argv !== undefined && options.argv !== null) validateArray(options.argv, 'options.argv');
    const env = environmentFor(options.env);
    if (options.env && options.env !== SHARE_ENV && options.execArgv === undefined) checkNodeOptions(options.env);
    const named =
      options.name !== undefined ? (validateString(options.name, 'options.name'), options.name.trim()) : 'WorkerThread';
    const what = scriptOf(filename, options);
    const { port1, port2 } = new MessageChannel();
    const [here, there] = binding.pair();
    this.#link = new Link(here);
    this.resourceLimits = limitsOf(options.resourceLimits);
    this.threadName = named;
    const start = {
      ...what,
      env,
      port: port2,
      workerData: options.workerData,
      argv: options.argv ? options.argv.map(String) : [],
      execArgv,
      stdin: Boolean(options.stdin),
      resourceLimits: this.resourceLimits,
      tracksDescriptors: options.trackUnmanagedFds ?? true,
      environmentData: thread.environmentData,
      name: named,
      type: options.type,
      internalScript: options[kInternalScript],
    };
    this.#link.send(start, [port2, ...(options.transferList ?? [])]);
    this.#port = port1;
    this.#makeStreams(options);
    const within = often('WORKER', (run, what) => run(what), { hasRef: () => this.#hasRef() });
    this.#link.onmessage = (message) => within(this.#control, message);
    port1.on('message', (message) => this.emit('message', message));
    port1.on('messageerror', (error) => this.emit('messageerror', error));
    port1.unref();
    listen();
    const { stackSizeMb = 0, maxOldGenerationSizeMb = 0, maxYoungGenerationSizeMb = 0 } = options.resourceLimits ?? {};
    const heapMb = maxOldGenerationSizeMb > 0 ? maxOldGenerationSizeMb + maxYoungGenerationSizeMb : 0;
    const id = binding.start(there, stackSizeMb, heapMb, named);
    if (id < 0) {
      const [code] = require('internal/errors').uvErrmap(id);
      throw new codes.ERR_WORKER_INIT_FAILED(code);
    }
    this.threadId = id;
    workers.set(id, this);
    onEnded.set(id, (code) => within(this.#end, code));
    binding.keep(1);
    this.performance = { eventLoopUtilization: (...times) => this.#utilization(...times) };
    if (options[kInternalScript] === undefined) {
      const made = require('diagnostics_channel').channel('worker_threads');
      if (made.hasSubscribers) made.publish({ worker: this });
      process.nextTick(() => process.emit('worker', this));
    }
  }

  // For hooks: undefined once the end has been reported.
  #hasRef() {
    return this.#isOver ? undefined : this.#referenced;
  }

  // ---- streams ----

  // The streams of the thread's output are made on first use; until then its output goes directly to ours.
  #makeStreams({ stdin, stdout, stderr }) {
    this.#asked = { stdout, stderr };
    if (stdin) {
      this.#streams.stdin = new (require('stream').Writable)({
        write: (chunk, encoding, callback) => {
          this.#link.send({ type: 'stdin', chunk: new Uint8Array(chunk) });
          callback();
        },
        final: (callback) => {
          this.#link.send({ type: 'stdin', chunk: null });
          callback();
        },
      });
    }
  }

  #output(name) {
    let stream = this.#streams[name];
    if (stream === undefined) {
      stream = this.#streams[name] = new (require('stream').Readable)({ read() {} });
      if (!this.#asked[name]) stream.on('data', (chunk) => process[name].write(chunk));
      if (this.threadId === -1) stream.push(null);
    }
    return stream;
  }

  #written(name, chunk) {
    const stream = this.#streams[name] ?? (this.#asked[name] ? this.#output(name) : undefined);
    if (stream === undefined) {
      if (chunk !== null) process[name].write(Buffer.from(chunk));
    } else if (!stream.readableEnded && !stream.destroyed) {
      stream.push(chunk === null ? null : Buffer.from(chunk));
    }
  }

  get stdin() {
    return this.#streams.stdin ?? null;
  }

  get stdout() {
    return this.#output('stdout');
  }

  get stderr() {
    return this.#output('stderr');
  }

  // ---- messages of the thread ----

  #onControl(message) {
    switch (message.type) {
      case 'online':
        this.emit('online');
        break;
      case 'error':
        this.#takeMessages(); // what it said before
        this.emit('error', revive(message));
        break;
      case 'stdout':
      case 'stderr':
        this.#written(message.type, message.chunk);
        break;
      case 'answer':
        this.#questions.shift().resolve(message.value);
        break;
      case 'message':
        require('internal/worker/thread_messages').route(message, this.threadId);
        break;
    }
  }

  #onEnded(code) {
    const id = this.threadId;
    // Its last messages come before its end.
    this.#link.news();
    this.#link.close();
    this.#drainPort();
    if (this.#referenced) binding.keep(-1);
    workers.delete(id);
    this.threadId = -1;
    this.threadName = null;
    this.resourceLimits = {};
    for (const name of ['stdout', 'stderr']) {
      const stream = this.#streams[name];
      if (stream !== undefined && !stream.readableEnded) stream.push(null);
    }
    clearInterval(this.#asking);
    for (const { reject } of this.#questions) reject(new codes.ERR_WORKER_NOT_RUNNING());
    // A thread that could not be started has a system error as its code.
    if (code === binding.outOfMemory) this.emit('error', new codes.ERR_WORKER_OUT_OF_MEMORY('JS heap out of memory'));
    else if (code < 0) this.emit('error', new codes.ERR_WORKER_INIT_FAILED(require('util').getSystemErrorName(code)));
    this.emit('exit', code < 0 ? 1 : code);
    this.#isOver = true;
    this.#ending?.resolve(code < 0 ? 1 : code);
  }

  #drainPort() {
    const port = this.#port;
    this.#takeMessages();
    this.#port = null;
    port.close();
  }

  #takeMessages() {
    const { receiveMessageOnPort } = require('internal/messaging');
    for (let next; (next = receiveMessageOnPort(this.#port)) !== undefined;) this.emit('message', next.message);
  }

  // ---- methods ----

  postMessage(...args) {
    if (this.#port === null) return;
    Reflect.apply(this.#port.postMessage, this.#port, args);
  }

  terminate() {
    if (this.threadId === -1) return Promise.resolve();
    this.#ending ??= Promise.withResolvers();
    // Waiting for the end keeps the process alive until then.
    this.ref();
    binding.stop(this.threadId);
    // A thread that was just about to sleep (Atomics.wait) has not noticed the request.
    this.#asking ??= setInterval(() => binding.stop(this.threadId), kAskEvery).unref();
    return this.#ending.promise;
  }

  async [Symbol.asyncDispose]() {
    await this.terminate();
  }

  ref() {
    if (this.threadId === -1 || this.#referenced) return;
    this.#referenced = true;
    binding.keep(1);
  }

  unref() {
    if (this.threadId === -1 || !this.#referenced) return;
    this.#referenced = false;
    binding.keep(-1);
  }

  _send(message, list) {
    this.#link.send(message, list);
  }

  // Between two earlier readings (the later one first), from one until now, or from the start until now.
  #utilization(later, earlier) {
    const figures = binding.figures(this.threadId);
    if (figures === undefined) return { idle: 0, active: 0, utilization: 0 };
    const [waited, ran] = figures;
    const now = { idle: waited, active: Math.max(0, ran - waited) };
    const [to, from] = earlier === undefined ? [now, later ?? { idle: 0, active: 0 }] : [later, earlier];
    const [idle, active] = [to.idle - from.idle, to.active - from.active];
    return { idle, active, utilization: active / (idle + active) };
  }

  // Questions that the thread answers itself, as soon as it can.
  #ask(what) {
    if (this.threadId === -1) return Promise.reject(new codes.ERR_WORKER_NOT_RUNNING());
    const { promise, resolve, reject } = Promise.withResolvers();
    this.#questions.push({ resolve, reject });
    this.#link.send({ type: 'ask', what });
    return promise;
  }

  getHeapStatistics() {
    return this.#ask('heap');
  }

  cpuUsage(before) {
    if (before) checkUsage(before);
    const figures = binding.figures(this.threadId);
    if (figures === undefined) return Promise.reject(new codes.ERR_WORKER_NOT_RUNNING());
    const [, , user, system] = figures;
    return Promise.resolve({ user: user - (before?.user ?? 0), system: system - (before?.system ?? 0) });
  }

  getHeapSnapshot() {
    return this.#unavailable('getHeapSnapshot');
  }

  #unavailable(name) {
    if (this.threadId === -1) return Promise.reject(new codes.ERR_WORKER_NOT_RUNNING());
    return Promise.reject(new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`worker.${name}`));
  }
}

module.exports = { Worker, SHARE_ENV, workers, revive, kInternalScript };
