'use strict';

// The module `child_process`: the ways to start a process, and the checks of their arguments.

const { Buffer } = require('buffer');
const { codes, AbortError, genericNodeError } = require('internal/errors');
const { ChildProcess, spawnSync: spawnSyncRaw } = require('internal/child_process/child');
const { getValidStdio } = require('internal/child_process/stdio');
const { convertToValidSignal, promisify } = require('internal/util');
const { validateAbortSignal, validateArray, validateBoolean, validateFunction, validateObject, validateString, validateInt32 } = require('internal/validators');

const { ERR_INVALID_ARG_VALUE, ERR_CHILD_PROCESS_IPC_REQUIRED, ERR_CHILD_PROCESS_STDIO_MAXBUFFER, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE } = codes;

const MAX_BUFFER = 1024 * 1024;

// ---- arguments ----

function checkNullBytes(value, name) {
  if (typeof value === 'string' && value.includes('\u0000')) {
    throw new ERR_INVALID_ARG_VALUE(name, value, 'must be a string without null bytes');
  }
}

function validateTimeout(timeout) {
  if (timeout != null && !(Number.isInteger(timeout) && timeout >= 0)) {
    if (typeof timeout !== 'number') throw new ERR_INVALID_ARG_TYPE('timeout', 'number', timeout);
    throw new ERR_OUT_OF_RANGE('timeout', 'an unsigned integer', timeout);
  }
}

function validateMaxBuffer(maxBuffer) {
  if (maxBuffer != null && (typeof maxBuffer !== 'number' || !(maxBuffer >= 0))) {
    if (typeof maxBuffer !== 'number') throw new ERR_INVALID_ARG_TYPE('options.maxBuffer', 'number', maxBuffer);
    throw new ERR_OUT_OF_RANGE('options.maxBuffer', '>= 0', maxBuffer);
  }
}

function sanitizeKillSignal(killSignal) {
  if (typeof killSignal === 'string' || typeof killSignal === 'number') return convertToValidSignal(killSignal);
  if (killSignal != null) throw new ERR_INVALID_ARG_TYPE('options.killSignal', ['string', 'number'], killSignal);
  return undefined;
}

function toPath(value, name) {
  if (typeof value === 'string') return value;
  if (Buffer.isBuffer(value)) return value.toString();
  if (value instanceof URL) return require('url').fileURLToPath(value);
  throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], value);
}

let warnedOfShell = false;

function normalizeSpawnArguments(file, args, options) {
  validateString(file, 'file');
  checkNullBytes(file, 'file');
  if (file.length === 0) throw new ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (Array.isArray(args)) {
    args = [...args];
  } else if (args == null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  for (let i = 0; i < args.length; i++) {
    args[i] = `${args[i]}`;
    checkNullBytes(args[i], `args[${i}]`);
  }
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  options = { __proto__: null, ...options };

  let { cwd } = options;
  if (cwd != null) {
    cwd = toPath(cwd, 'options.cwd');
    checkNullBytes(cwd, 'options.cwd');
  }
  if (options.detached != null) validateBoolean(options.detached, 'options.detached');
  if (options.uid != null) validateInt32(options.uid, 'options.uid');
  if (options.gid != null) validateInt32(options.gid, 'options.gid');
  if (options.shell != null && typeof options.shell !== 'boolean' && typeof options.shell !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], options.shell);
  }
  if (options.argv0 != null) {
    validateString(options.argv0, 'options.argv0');
    checkNullBytes(options.argv0, 'options.argv0');
  }
  if (options.windowsHide != null) validateBoolean(options.windowsHide, 'options.windowsHide');
  if (options.windowsVerbatimArguments != null) validateBoolean(options.windowsVerbatimArguments, 'options.windowsVerbatimArguments');

  if (options.shell) {
    checkNullBytes(options.shell, 'options.shell');
    if (args.length > 0 && !warnedOfShell) {
      warnedOfShell = true;
      process.emitWarning('Passing args to a child process with shell option true can lead to security vulnerabilities, as the arguments are not ' +
                          'escaped, only concatenated.', 'DeprecationWarning', 'DEP0190');
    }
    const command = [file, ...args].join(' ');
    file = typeof options.shell === 'string' ? options.shell : '/bin/sh';
    args = ['-c', command];
  }
  args.unshift(typeof options.argv0 === 'string' ? options.argv0 : file);

  const env = options.env || process.env;
  const envPairs = [];
  for (const key in env) {
    const value = env[key];
    if (value === undefined) continue;
    checkNullBytes(key, `options.env['${key}']`);
    checkNullBytes(value, `options.env['${key}']`);
    envPairs.push(`${key}=${value}`);
  }
  return { __proto__: null, ...options, args, cwd, detached: !!options.detached, envPairs, file, windowsHide: !!options.windowsHide };
}

function abortChild(child, killSignal, reason) {
  if (!child) return;
  try {
    if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: reason }));
  } catch (err) {
    child.emit('error', err);
  }
}

// ---- asynchronous ----

function spawn(file, args, options) {
  options = normalizeSpawnArguments(file, args, options);
  validateTimeout(options.timeout);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  const killSignal = sanitizeKillSignal(options.killSignal);
  const child = new ChildProcess();
  child.spawn(options);

  if (options.timeout > 0) {
    let timer = setTimeout(() => {
      timer = null;
      try {
        child.kill(killSignal);
      } catch (err) {
        child.emit('error', err);
      }
    }, options.timeout);
    child.once('exit', () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    });
  }
  if (options.signal) {
    const { signal } = options;
    const onAbort = () => abortChild(child, killSignal, options.signal.reason);
    if (signal.aborted) {
      process.nextTick(onAbort);
    } else {
      const disposable = require('events').addAbortListener(signal, onAbort);
      child.once('exit', disposable[Symbol.dispose]);
    }
  }
  return child;
}

function fork(modulePath, args = [], options) {
  modulePath = toPath(modulePath, 'modulePath');
  if (args == null) {
    args = [];
  } else if (typeof args === 'object' && !Array.isArray(args)) {
    options = args;
    args = [];
  } else {
    validateArray(args, 'args');
  }
  if (options != null) validateObject(options, 'options');
  options = { __proto__: null, ...options, shell: false };
  options.execPath ||= process.execPath;
  checkNullBytes(options.execPath, 'options.execPath');
  checkNullBytes(modulePath, 'modulePath');
  let execArgv = options.execArgv || process.execArgv;
  validateArray(execArgv, 'options.execArgv');
  if (execArgv === process.execArgv && process._eval != null) {
    // The code of -e is not for the child.
    const index = execArgv.lastIndexOf(process._eval);
    if (index > 0) execArgv = execArgv.toSpliced(index - 1, 2);
  }
  args = [...execArgv, modulePath, ...args];
  if (typeof options.stdio === 'string') {
    options.stdio = [...require('internal/child_process/stdio').stdioStringToArray(options.stdio), 'ipc'];
  } else if (!Array.isArray(options.stdio)) {
    options.stdio = options.silent ? ['pipe', 'pipe', 'pipe', 'ipc'] : [0, 1, 2, 'ipc'];
  } else if (!options.stdio.includes('ipc')) {
    throw new ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  return spawn(options.execPath, args, options);
}

function normalizeExecArgs(command, options, callback) {
  validateString(command, 'command');
  checkNullBytes(command, 'command');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  options = { __proto__: null, ...options };
  options.shell = typeof options.shell === 'string' ? options.shell : true;
  return { file: command, options, callback };
}

function exec(command, options, callback) {
  const normalized = normalizeExecArgs(command, options, callback);
  return execFile(normalized.file, normalized.options, normalized.callback);
}

function normalizeExecFileArgs(file, args, options, callback) {
  if (Array.isArray(args)) {
    args = [...args];
  } else if (args != null && typeof args === 'object') {
    callback = options;
    options = args;
    args = null;
  } else if (typeof args === 'function') {
    callback = args;
    options = null;
    args = null;
  }
  args ??= [];
  if (typeof options === 'function') callback = options;
  else if (options != null) validateObject(options, 'options');
  options = { __proto__: null, ...(typeof options === 'function' ? undefined : options) };
  if (callback != null) validateFunction(callback, 'callback');
  if (options.argv0 != null) validateString(options.argv0, 'options.argv0');
  return { file, args, options, callback };
}

function execFile(file, args, options, callback) {
  ({ file, args, options, callback } = normalizeExecFileArgs(file, args, options, callback));
  options = { __proto__: null, encoding: 'utf8', timeout: 0, maxBuffer: MAX_BUFFER, killSignal: 'SIGTERM', cwd: null, env: null, shell: false, ...options };
  validateTimeout(options.timeout);
  validateMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  const child = spawn(file, args, {
    __proto__: null, cwd: options.cwd, env: options.env, gid: options.gid, shell: options.shell, signal: options.signal, uid: options.uid, argv0: options.argv0,
    windowsHide: !!options.windowsHide, windowsVerbatimArguments: !!options.windowsVerbatimArguments,
  });
  const encoding = options.encoding && options.encoding !== 'buffer' && Buffer.isEncoding(options.encoding) ? options.encoding : null;
  const stdout = [];
  const stderr = [];
  let killed = false;
  let exited = false;
  let timer = null;
  let failure = null;
  const { maxBuffer } = options;

  function exithandler(code, signal) {
    if (exited) return;
    exited = true;
    if (timer !== null) {
      clearTimeout(timer);
      timer = null;
    }
    if (!callback) return;
    const join = (chunks, stream) => (encoding !== null || stream?.readableEncoding ? chunks.join('') : Buffer.concat(chunks));
    const out = join(stdout, child.stdout);
    const err = join(stderr, child.stderr);
    if (!failure && code === 0 && signal === null) {
      callback(null, out, err);
      return;
    }
    let cmd = file;
    if (args?.length) cmd += ` ${args.join(' ')}`;
    if (!failure) {
      failure = genericNodeError(`Command failed: ${cmd}\n${err}`, {
        code: code < 0 ? require('internal/util').getSystemErrorName(code) : code,
        killed: child.killed || killed,
        signal,
      });
    }
    failure.cmd = cmd;
    callback(failure, out, err);
  }

  function errorhandler(error) {
    failure = error;
    child.stdout?.destroy();
    child.stderr?.destroy();
    exithandler();
  }

  function kill() {
    child.stdout?.destroy();
    child.stderr?.destroy();
    killed = true;
    try {
      child.kill(options.killSignal);
    } catch (error) {
      failure = error;
      exithandler();
    }
  }

  if (options.timeout > 0) {
    timer = setTimeout(() => {
      timer = null;
      kill();
    }, options.timeout);
  }

  function collect(stream, chunks, name) {
    if (!stream) return;
    if (encoding) stream.setEncoding(encoding);
    let length = 0;
    stream.on('data', maxBuffer === Infinity ? (chunk) => chunks.push(chunk) : (chunk) => {
      const { readableEncoding } = stream;
      const size = readableEncoding ? Buffer.byteLength(chunk, readableEncoding) : chunk.length;
      length += size;
      if (length > maxBuffer) {
        const rest = maxBuffer - (length - size);
        chunks.push(chunk.slice(0, rest));
        failure = new ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
        kill();
      } else {
        chunks.push(chunk);
      }
    });
  }
  collect(child.stdout, stdout, 'stdout');
  collect(child.stderr, stderr, 'stderr');
  child.addListener('close', exithandler);
  child.addListener('error', errorhandler);
  return child;
}

function promisified(original) {
  return (...args) => {
    const { promise, resolve, reject } = Promise.withResolvers();
    promise.child = original(...args, (err, stdout, stderr) => {
      if (err !== null) {
        err.stdout = stdout;
        err.stderr = stderr;
        reject(err);
      } else {
        resolve({ stdout, stderr });
      }
    });
    return promise;
  };
}
Object.defineProperty(exec, promisify.custom, { __proto__: null, enumerable: false, value: promisified(exec) });
Object.defineProperty(execFile, promisify.custom, { __proto__: null, enumerable: false, value: promisified(execFile) });

// ---- synchronous ----

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: MAX_BUFFER, ...normalizeSpawnArguments(file, args, options) };
  validateTimeout(options.timeout);
  validateMaxBuffer(options.maxBuffer);
  options.killSignal = sanitizeKillSignal(options.killSignal);
  options.stdio = getValidStdio(options.stdio || 'pipe', true).stdio;
  if (options.input) options.stdio[0] = { ...options.stdio[0], type: 'pipe', input: options.input };
  options.stdio.forEach((entry, i) => {
    const { input } = entry;
    if (input == null) return;
    if (ArrayBuffer.isView(input)) {
      entry.input = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
      return;
    }
    if (typeof input === 'string') {
      entry.input = Buffer.from(input, options.encoding && Buffer.isEncoding(options.encoding) ? options.encoding : 'utf8');
    } else {
      throw new ERR_INVALID_ARG_TYPE(`options.stdio[${i}]`, ['Buffer', 'TypedArray', 'DataView', 'string'], input);
    }
  });
  return spawnSyncRaw(options);
}

function checkExecSyncError(result, args, command) {
  let error;
  if (result.error) {
    error = result.error;
    Object.assign(error, result);
  } else if (result.status !== 0) {
    let message = `Command failed: ${command || args.join(' ')}`;
    if (result.stderr?.length > 0) message += `\n${result.stderr.toString()}`;
    error = genericNodeError(message, result);
  }
  return error;
}

function execFileSync(file, args, options) {
  ({ file, args, options } = normalizeExecFileArgs(file, args, options));
  const inheritStderr = !options.stdio;
  const result = spawnSync(file, args, options);
  if (inheritStderr && result.stderr) process.stderr.write(result.stderr);
  const error = checkExecSyncError(result, [options.argv0 || file, ...args]);
  if (error) throw error;
  return result.stdout;
}

function execSync(command, options) {
  const normalized = normalizeExecArgs(command, options, null);
  const inheritStderr = !normalized.options.stdio;
  const result = spawnSync(normalized.file, normalized.options);
  if (inheritStderr && result.stderr) process.stderr.write(result.stderr);
  const error = checkExecSyncError(result, undefined, command);
  if (error) throw error;
  return result.stdout;
}

module.exports = {
  _forkChild: (fd, mode) => require('internal/child_process/ipc').forkChild(fd, mode),
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
};
