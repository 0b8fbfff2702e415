'use strict';

// The start of a worker: it receives the data of its maker, adapts process, and runs the script. If the script fails,
// it tells the maker.

const binding = internalBinding('worker');
const runtime = internalBinding('runtime');
const { Link, receive } = require('internal/worker/link');

let control;
const thread = { parentPort: null, workerData: undefined, environmentData: new Map(), resourceLimits: {}, name: '' };

function run() {
  const start = receive(binding.take(binding.control));
  control = new Link(binding.control);
  control.onmessage = onControl;
  thread.workerData = start.workerData;
  thread.parentPort = start.port;
  thread.resourceLimits = start.resourceLimits;
  thread.name = start.name;
  thread.environmentData = start.environmentData;
  thread.stdin = start.stdin;
  runtime.stdioTouched = true;
  if (start.tracksDescriptors) internalBinding('fs').trackDescriptors((text) => process.emitWarning(text));
  if (runtime.observed !== undefined) observe(start);
  fitProcess(start);
  control.send({ type: 'online' });
  const main = require('internal/process/main');
  main.runThread(start);
}

// The loops are observed.
function observe({ eval: isText, script }) {
  require('internal/trace/install').install(runtime.observed);
  internalBinding('trace').script(isText ? '[worker eval]' : `${script}`);
}

// ---- messages of the maker ----

function onControl(message) {
  if (message.type === 'stdin') {
    const { stdin } = process;
    if (message.chunk === null) stdin.push(null);
    else stdin.push(Buffer.from(message.chunk));
  } else if (message.type === 'ask') {
    control.send({ type: 'answer', value: require('v8').getHeapStatistics() });
  } else if (message.type === 'message') {
    require('internal/worker/thread_messages').route(message);
  }
}

// ---- process ----

function unsupported(name, what = '', brackets = '()') {
  const refuse = () => {
    const { codes } = require('internal/errors');
    throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION(`${what}process.${name}${brackets}`);
  };
  refuse.disabled = true;
  return refuse;
}

const unsupportedNames = [
  'abort',
  'chdir',
  'initgroups',
  'setegid',
  'seteuid',
  'setgid',
  'setgroups',
  'setuid',
  'disconnect',
  'send',
  'execve',
  '_debugProcess',
  '_debugEnd',
  '_startProfilerIdleNotifier',
  '_stopProfilerIdleNotifier',
];

function fitProcess(start) {
  process.reallyExit = (code) => binding.exit(code ?? 0);
  for (const name of unsupportedNames) if (typeof process[name] === 'function') process[name] = unsupported(name);
  // The process has a channel to its parent, but threads have not.
  if (start.env?.includes('NODE_CHANNEL_FD=')) {
    for (const name of ['send', 'disconnect']) process[name] = unsupported(name);
    for (const name of ['channel', 'connected']) {
      Object.defineProperty(process, name, {
        __proto__: null,
        configurable: true,
        enumerable: false,
        get: unsupported(name, '', ''),
      });
    }
  }
  const value = (name, what) =>
    Object.defineProperty(process, name, {
      __proto__: null,
      value: what,
      writable: true,
      configurable: true,
      enumerable: true,
    });
  if (start.argv !== undefined)
    value('argv', [process.execPath, start.eval ? '[worker eval]' : start.script, ...start.argv]);
  if (start.execArgv !== undefined) value('execArgv', start.execArgv);
  if (start.env !== undefined) value('env', environmentOf(start.env));
  require('internal/process/flags').readAgain();
  require('internal/process/object').takeFlags(process);
  if (typeof process.umask === 'function') {
    const { umask } = process;
    process.umask = (mask) => {
      if (mask !== undefined) unsupported('umask', 'Setting ')();
      return umask();
    };
  }
  value('title', process.title);
  // The main thread may change the directory at any time.
  const { cwd } = internalBinding('process');
  const remembered = process.cwd;
  process.cwd = () => {
    const found = cwd();
    return typeof found === 'string' ? found : remembered();
  };
  lazily('stdout', () => output('stdout'));
  lazily('stderr', () => output('stderr'));
  lazily('stdin', () => input(start.stdin));
}

// Most threads write nothing: streams are loaded on first use.
function lazily(name, make) {
  let made;
  Object.defineProperty(process, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: () => (made ??= make()),
  });
}

function notForEnvironment(text) {
  const error = new TypeError(text);
  error.code = 'ERR_INVALID_OBJECT_DEFINE_PROPERTY';
  return error;
}

// An environment of its own: strings only, as in the real one.
function environmentOf(joined) {
  const target = { __proto__: Object.prototype };
  for (let at = 0, end; (end = joined.indexOf('\0', at)) !== -1; at = end + 1) {
    const equals = joined.indexOf('=', at);
    target[joined.slice(at, equals)] = joined.slice(equals + 1, end);
  }
  return new Proxy(target, {
    set(object, name, value) {
      if (typeof name === 'symbol' || typeof value === 'symbol')
        throw new TypeError('Cannot convert a Symbol value to a string');
      Object.defineProperty(object, name, {
        __proto__: null,
        value: `${value}`,
        writable: true,
        enumerable: true,
        configurable: true,
      });
      return true;
    },
    defineProperty(object, name, descriptor) {
      if (descriptor.get || descriptor.set)
        throw notForEnvironment("'process.env' does not accept an accessor(getter/setter) descriptor");
      if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
        throw notForEnvironment("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      }
      return Reflect.defineProperty(object, name, { ...descriptor, value: `${descriptor.value}` });
    },
  });
}

// Output is sent to the maker at once: it arrives even if the thread ends immediately afterwards.
function output(name) {
  const { Writable } = require('stream');
  const stream = new Writable({
    decodeStrings: true,
    write(chunk, encoding, callback) {
      control.send({ type: name, chunk: new Uint8Array(chunk) });
      callback();
    },
    final(callback) {
      control.send({ type: name, chunk: null });
      callback();
    },
  });
  stream._isStdio = true;
  stream.destroySoon = stream.destroy;
  stream.fd = name === 'stdout' ? 1 : 2;
  return stream;
}

function input(open) {
  const { Readable } = require('stream');
  let kept = false;
  const stream = new Readable({
    read() {
      if (!kept && open) {
        kept = true;
        binding.keep(1);
        stream.once('close', () => binding.keep(-1));
      }
    },
  });
  if (!open) stream.push(null);
  return stream;
}

// ---- the end ----

function describe(error) {
  const { types } = require('util');
  if (typeof error === 'symbol' && Symbol.keyFor(error) !== undefined) return { symbol: Symbol.keyFor(error) };
  if (!types.isNativeError(error)) return { value: error };
  const extra = {};
  for (const key of Object.keys(error)) extra[key] = error[key];
  if (error.code !== undefined) extra.code = error.code;
  return {
    error: {
      name: safely(() => String(error.name)),
      message: safely(() => String(error.message)),
      stack: safely(() => String(error.stack)),
      kind: kindOf(error),
      extra,
      cause: Object.hasOwn(error, 'cause') ? describe(error.cause) : undefined,
    },
  };
}

function kindOf(error) {
  for (const Class of [TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError])
    if (error instanceof Class) return Class.name;
  return 'Error';
}

function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function failed(error) {
  const tries = [
    () => describe(error),
    () => {
      const { error: plain } = describe(error);
      return { error: { ...plain, extra: {}, cause: undefined } };
    },
    () => ({ text: require('internal/util/inspect').inspect(error) }),
    () => ({ unserializable: true }),
  ];
  for (const each of tries) {
    try {
      control.send({ type: 'error', ...each() });
      return;
    } catch {
      // later errors give less information
    }
  }
}

module.exports = { run, failed, describe, thread, sendControl: (message, list) => control.send(message, list) };
