'use strict';

// The process object. Rarely used properties are made on first use.

const binding = internalBinding('process');
const { identity } = require('internal/shared');

const version = 'v26.10.0';

function lazy(target, name, make) {
  Object.defineProperty(target, name, {
    get() {
      const value = make();
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
      return value;
    },
    set(value) {
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
    },
    configurable: true,
    enumerable: true,
  });
}

function errors() {
  return require('internal/errors');
}

function fail(errno, syscall, extra) {
  const { uvException } = errors();
  throw uvException({ errno, syscall, ...extra });
}

// ---- the environment ----

const kOddValue =
  'Assigning any value other than a string, number, or boolean to a process.env property is deprecated. Please make ' +
  'sure ' +
  'to convert the value to a string before setting process.env with it.';

// With --pending-deprecation, a value that is no string gives a warning, once.
let watchesValues;
function warnOfValue(value) {
  watchesValues ??=
    process.env.NODE_PENDING_DEPRECATION === '1' || require('internal/process/flags').hasFlag('--pending-deprecation');
  if (!watchesValues || ['string', 'number', 'boolean'].includes(typeof value)) return;
  watchesValues = false;
  process.emitWarning(kOddValue, 'DeprecationWarning', 'DEP0104');
}

let systemEnv; // the proxy below

function makeEnv() {
  const { envGet, envSet, envNames } = binding;
  const invalid = (text) => Object.assign(new TypeError(text), { code: 'ERR_INVALID_OBJECT_DEFINE_PROPERTY' });
  return (systemEnv = new Proxy(
    {},
    require('internal/process/startup').traced({
      get(target, key) {
        if (typeof key === 'symbol') return target[key];
        return envGet(key) ?? target[key];
      },
      set(target, key, value) {
        if (typeof key === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
        if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
        if (watchesValues !== false && typeof value !== 'string') warnOfValue(value);
        envSet(key, `${value}`);
        return true;
      },
      has(target, key) {
        return typeof key === 'symbol' ? key in target : envGet(key) !== undefined || key in target;
      },
      deleteProperty(target, key) {
        if (typeof key !== 'symbol') envSet(key);
        return true;
      },
      ownKeys() {
        return [...new Set(envNames())];
      },
      getOwnPropertyDescriptor(target, key) {
        const value = typeof key === 'symbol' ? undefined : envGet(key);
        return value === undefined ? undefined : { value, writable: true, enumerable: true, configurable: true };
      },
      defineProperty(target, key, descriptor) {
        if ('value' in descriptor) {
          if (!descriptor.configurable || !descriptor.writable || !descriptor.enumerable) {
            throw invalid("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
          }
          envSet(key, `${descriptor.value}`);
          return true;
        }
        if (descriptor.get || descriptor.set)
          throw invalid("'process.env' does not accept an accessor(getter/setter) descriptor");
        throw invalid("'process.env' only accepts a configurable, writable, and enumerable data descriptor");
      },
    }),
  ));
}

// ---- clocks ----

const pair = new Float64Array(2); // filled in by the binding
const whole = new BigUint64Array(1);

function hrtime(time) {
  binding.hrtime(pair);
  if (time !== undefined) {
    const { validateArray } = require('internal/validators');
    validateArray(time, 'time');
    if (time.length !== 2) throw new (errors().codes.ERR_OUT_OF_RANGE)('time', 2, time.length);
    let seconds = pair[0] - time[0];
    let nanoseconds = pair[1] - time[1];
    if (nanoseconds < 0) {
      seconds--;
      nanoseconds += 1e9;
    }
    return [seconds, nanoseconds];
  }
  return [pair[0], pair[1]];
}
hrtime.bigint = function bigint() {
  binding.nanoseconds(whole);
  return whole[0];
};

// The engine does not count array buffers apart from other memory outside of its heap.
function memoryUsage() {
  const figures = new Float64Array(4);
  binding.memoryUsage(figures);
  const [rss, heapTotal, heapUsed, external] = figures;
  return { rss, heapTotal, heapUsed, external, arrayBuffers: external };
}
memoryUsage.rss = () => binding.rss();

// What cpuUsage has returned before needs no closer look, which would load more.
function isUsage(value) {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false;
  const { user, system } = value;
  return typeof user === 'number' && typeof system === 'number' && user >= 0 && system >= 0 && user + system < 2 ** 53;
}

function requireUsage(value) {
  const { codes } = errors();
  require('internal/validators').validateObject(value, 'prevValue');
  for (const key of ['user', 'system']) {
    if (typeof value[key] !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`prevValue.${key}`, 'number', value[key]);
    if (!(value[key] >= 0 && value[key] <= Number.MAX_SAFE_INTEGER)) {
      throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${key}`, value[key]);
    }
  }
}

function cpuUsage(previous) {
  const isGiven = previous !== undefined && previous !== null && previous !== false;
  if (isGiven && !isUsage(previous)) requireUsage(previous);
  const pair = new Float64Array(2);
  binding.cpuUsage(pair);
  const result = { user: pair[0], system: pair[1] };
  if (previous) {
    result.user -= previous.user;
    result.system -= previous.system;
  }
  return result;
}

// ---- directories, users ----

function failCwd(errno) {
  const [code, text] = errors().uvErrmap(errno);
  const reason =
    `process.cwd failed with error ${text}, the current working directory was likely removed without ` +
    `changing the working directory`;
  fail(errno, 'uv_cwd', code === 'ENOENT' ? { code, message: reason } : undefined);
}

let cachedCwd = '';
function cwd() {
  if (cachedCwd === '') {
    const result = binding.cwd();
    if (typeof result === 'number') failCwd(result);
    cachedCwd = result;
  }
  return cachedCwd;
}

function chdir(directory) {
  require('internal/validators').validateString(directory, 'directory');
  const err = binding.chdir(directory);
  if (err < 0) fail(err, 'chdir', { path: cwd(), dest: directory });
  cachedCwd = '';
}

function umask(mask) {
  if (mask === undefined) return binding.umask();
  const { parseFileMode } = require('internal/validators');
  return binding.umask(parseFileMode(mask, 'mask') & 0o777);
}

function kill(pid, signal) {
  const { codes } = errors();

  if (pid != (pid | 0)) throw new codes.ERR_INVALID_ARG_TYPE('pid', 'number', pid);
  let number;
  if (typeof signal === 'number') {
    number = signal;
  } else {
    signal ||= 'SIGTERM';
    number = require('internal/process/signals').numbers[signal];
    if (number === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  }
  const err = process._kill(pid | 0, number);
  if (err) throw new (errors().ErrnoException)(err, 'kill');
  return true;
}

// ---- exit ----

function validateExitCode(code, name) {
  const { codes } = errors();
  let value = code;
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') {
    value = Number(value);
    if (!Number.isInteger(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', code);
  }
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', code);
  if (!Number.isInteger(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', code);
  return value;
}

let exitCode;

// --trace-exit: prints where the program, or the thread, was ended.
function traceExit() {
  if (!require('internal/process/flags').hasFlag('--trace-exit')) return;
  const { threadId, isMainThread } = require('worker_threads');
  const held = {};
  Error.captureStackTrace(held, traceExit);
  const thread = isMainThread ? '' : `, thread:${threadId}`;
  internalBinding('stdio').writeSync(
    2,
    `(node:${process.pid}${thread}) WARNING: Exited the environment with code ${process.exitCode || 0}\n` +
      `${held.stack.slice(held.stack.indexOf('\n') + 1)}\n\n`,
  );
}

function exit(code) {
  if (arguments.length !== 0) process.exitCode = code;
  if (!process._exiting) {
    process._exiting = true;
    process.emit('exit', process.exitCode || 0);
  }
  if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) traceExit();
  process.reallyExit(process.exitCode || 0);
}

// ---- installing ----

// path.resolve, which is not available yet: it reads the platform from here.
function absolute(path) {
  const parts = [];
  for (const part of `${cwd()}/${path}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

// Options that are also properties of process.
function takeFlags(target) {
  const { isWorker } = internalBinding('runtime');
  if (target.execArgv.length === 0 && !isWorker && !binding.envGet('NODE_OPTIONS')) return;
  const { hasFlag, valuesOf } = require('internal/process/flags');
  for (const [flag, property] of [
    ['--no-deprecation', 'noDeprecation'],
    ['--throw-deprecation', 'throwDeprecation'],
    ['--trace-deprecation', 'traceDeprecation'],
    ['--trace-warnings', 'traceProcessWarnings'],
  ]) {
    if (hasFlag(flag)) target[property] = true;
  }
  if (hasFlag('--enable-source-maps')) require('internal/source_map/origin').enable(true, true, true);
  const title = valuesOf('--title').at(-1);
  if (title !== undefined && !isWorker) binding.setTitle(title);
}

// Programs see the order of the properties: it is that of the steps below.

function makeRelease() {
  return {
    name: 'node',
    lts: undefined,
    sourceUrl: `https://nodejs.org/download/release/${version}/node-${version}.tar.gz`,
    headersUrl: `https://nodejs.org/download/release/${version}/node-${version}-headers.tar.gz`,
  };
}

function makeConfig() {
  return {
    target_defaults: { cflags: [], default_configuration: 'Release', defines: [], include_dirs: [], libraries: [] },
    variables: {
      napi_build_version: '10',
      node_module_version: 147,
      node_shared: false,
      node_shared_openssl: true,
      node_shared_sqlite: true,
      node_use_sqlite: true,
      node_use_amaro: true,
      v8_enable_i18n_support: 1,
      node_use_openssl: true,
      asan: 0,
      is_debug: 0,
    },
  };
}

function makeFeatures() {
  return {
    inspector: true,
    debug: false,
    uv: true,
    ipv6: true,
    openssl_is_boringssl: false,
    tls_alpn: true,
    tls_sni: true,
    tls_ocsp: true,
    tls: true,
    cached_builtins: true,
    require_module: !require('internal/process/flags')
      .words()
      .some((word) => /^--no-(?:experimental-)?require-module$/.test(word)),
    quic: false,
    dtls: false,
    typescript: require('internal/modules/typescript').isEnabled() && 'strip',
  };
}

function becomeEmitter(target) {
  const EventEmitter = require('events');
  const constructor = { process: function () {} }.process;
  const prototype = Object.create(EventEmitter.prototype, {
    constructor: { value: constructor, writable: true, configurable: true, enumerable: false },
  });
  constructor.prototype = prototype;
  Object.setPrototypeOf(target, prototype);
  EventEmitter.call(target);
  Object.defineProperty(target, Symbol.toStringTag, {
    value: 'process',
    configurable: true,
    writable: true,
    enumerable: false,
  });
}

function addVersions(target, native) {
  target.version = version;
  lazy(target, 'dlopen', () => require('internal/modules/addons').dlopen);
  lazy(target, 'versions', () => require('internal/process/versions').make(version.slice(1)));
  target.arch = binding.arch;
  target.platform = 'linux';
  lazy(target, 'release', makeRelease);
  target.argv = [binding.execPath, ...binding.arguments];
  if (binding.script !== undefined && !target.argv[1].startsWith('/')) target.argv[1] = absolute(target.argv[1]);
  target.mainModule = native.mainModule;
  target.nextTick = require('internal/process/task_queues').nextTick;
  target.execArgv = binding.execArgv;
}

function addState(target) {
  lazy(target, 'env', makeEnv);
  Object.defineProperty(target, 'title', {
    get: () => binding.getTitle(),
    set: (v) => binding.setTitle(`${v}`),
    enumerable: true,
    configurable: true,
  });
  lazy(target, 'pid', () => binding.identity(identity.kPid));
  Object.defineProperty(target, 'ppid', {
    get: () => binding.identity(identity.kPpid),
    enumerable: true,
    configurable: true,
  });
  target.execPath = binding.execPath;
  target.argv0 = binding.argv0;
  target.debugPort = 9229;
  target._exiting = false;
  Object.defineProperty(target, 'exitCode', {
    get: () => exitCode,
    set(code) {
      exitCode = validateExitCode(code, 'code');
    },
    enumerable: true,
    configurable: false,
  });
}

function addSystemCalls(target) {
  target.cwd = cwd;
  target.chdir = chdir;
  target.umask = umask;
  target.kill = kill;
  target._kill = (pid, signal) => binding.kill(pid, signal);
  target.exit = exit;
  target.reallyExit = (code) => binding.reallyExit(code);
  target.abort = () => binding.abort();
  target.hrtime = hrtime;
  target.uptime = () => binding.uptime();
  target.memoryUsage = memoryUsage;
  target.cpuUsage = cpuUsage;
  target.resourceUsage = () => binding.resourceUsage();
  target.constrainedMemory = () => binding.constrainedMemory();
  target.availableMemory = () => binding.availableMemory();
  target.getuid = () => binding.identity(identity.kUid);
  target.geteuid = () => binding.identity(identity.kEuid);
  target.getgid = () => binding.identity(identity.kGid);
  target.getegid = () => binding.identity(identity.kEgid);
  target.getgroups = () => {
    const groups = binding.groups();
    const own = binding.identity(identity.kEgid);
    return groups.includes(own) ? groups : [...groups, own];
  };
  for (const name of [
    'setuid',
    'seteuid',
    'setgid',
    'setegid',
    'setgroups',
    'initgroups',
    'execve',
    'threadCpuUsage',
  ]) {
    target[name] = { [name]: (...args) => require('internal/process/identity')[name](...args) }[name];
  }
}

function addErrors(target) {
  target._rawDebug = (...args) => {
    internalBinding('stdio').writeSync(2, `${require('internal/util/inspect').format(...args)}\n`);
  };
  target.emitWarning = (...args) => require('internal/process/warning').emitWarning(...args);
  const execution = () => require('internal/process/execution');
  target._fatalException = (error, fromPromise) => execution().onUncaught(error, fromPromise);
  target.setUncaughtExceptionCaptureCallback = (fn) => execution().setUncaughtExceptionCaptureCallback(fn);
  target.hasUncaughtExceptionCaptureCallback = () => execution().hasUncaughtExceptionCaptureCallback();
  target.setSourceMapsEnabled = (value) => {
    require('internal/validators').validateBoolean(value, 'val');
    require('internal/source_map/origin').enable(value, value, value);
  };
  Object.defineProperty(target, 'sourceMapsEnabled', {
    get: () => require('internal/source_map/origin').support.enabled,
    enumerable: true,
    configurable: true,
  });
}

function addModules(target) {
  target.binding = (name) => {
    const { isOn, accessDenied } = require('internal/process/permission');
    if (isOn) throw accessDenied('process.binding');
    return require('internal/process/legacy_bindings').find(`${name}`);
  };
  // There are none: what an embedder of Node would have linked in.
  target._linkedBinding = (name) => {
    const { check, kAddon } = require('internal/process/permission');
    check(kAddon);
    throw Object.assign(new Error(`No such binding was linked: ${name}`), { code: 'ERR_INVALID_MODULE' });
  };
  target.getBuiltinModule = (id) => {
    require('internal/validators').validateString(id, 'id');
    const helpers = require('internal/modules/helpers');
    return helpers.isBuiltin(id) ? helpers.loadBuiltin(id) : undefined;
  };
  target.getActiveResourcesInfo = () => require('internal/process/active').names();
  target._getActiveHandles = () => require('internal/process/active').owners();
  target._getActiveRequests = () => require('internal/process/active').requests();
  target.loadEnvFile = (path = '.env') => {
    const util = require('util');
    const text = internalBinding('modules').readText(path);
    if (typeof text === 'number') fail(text, 'open', { path });
    for (const [key, value] of Object.entries(util.parseEnv(text))) process.env[key] ??= value;
  };
  target.ref = (value) => {
    (value?.[Symbol.for('nodejs.ref')] ?? value?.ref)?.call(value);
  };
  target.unref = (value) => {
    (value?.[Symbol.for('nodejs.unref')] ?? value?.unref)?.call(value);
  };
}

function addDescriptions(target) {
  lazy(target, 'config', makeConfig);
  lazy(target, 'features', makeFeatures);
  lazy(target, 'allowedNodeEnvironmentFlags', () => new Set(['-r', '-C', ...binding.environmentOptions()]));
  lazy(target, 'report', () => require('internal/process/report'));
  target.openStdin = () => {
    process.stdin.resume();
    return process.stdin;
  };
  for (const [name, fd] of [
    ['stdin', 0],
    ['stdout', 1],
    ['stderr', 2],
  ]) {
    let stream;
    Object.defineProperty(target, name, {
      get: () => (stream ??= require('internal/process/stdio').get(fd)),
      set(value) {
        stream = value;
      },
      configurable: true,
      enumerable: true,
    });
  }
}

function install(target, native) {
  becomeEmitter(target);
  addVersions(target, native);
  addState(target);
  addSystemCalls(target);
  addErrors(target);
  addModules(target);
  addDescriptions(target);
  takeFlags(target);
  target.on('warning', (warning) => require('internal/process/warning').onWarning(warning));
  target.on('newListener', (type) => {
    if (typeof type === 'string' && type.startsWith('SIG')) require('internal/process/signals').onListenerAdded(type);
  });
  target.on('removeListener', (type) => {
    if (typeof type === 'string' && type.startsWith('SIG')) require('internal/process/signals').onListenerRemoved(type);
  });
}

module.exports = { install, takeFlags, isSystemEnv: (env) => env !== undefined && env === systemEnv };
