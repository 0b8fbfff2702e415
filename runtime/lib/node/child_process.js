'use strict';

// The module `child_process`: the functions that start a process. Each makes a plan from its arguments
// (internal/child_process/plan.js) and passes it to a ChildProcess, or to C to wait for it.

const { Buffer } = require('internal/buffer/class');
const { codes, AbortError, genericNodeError } = require('internal/errors');
const { ChildProcess, waiting } = require('internal/child_process/child');
const { planFor, pathText, plainText, withoutNull, checkWaiting, MAX_BUFFER } = require('internal/child_process/plan');
const { promisify } = require('internal/util');
const { validateArray, validateFunction, validateObject } = require('internal/validators');

// ---- asynchronous ----

function spawn(file, args, options) {
  const plan = checkWaiting(planFor(file, args, options), 'timeout', 'signal', 'killSignal');
  const child = new ChildProcess();
  child.spawn(plan);
  if (plan.timeout > 0) killAfter(child, plan);
  if (plan.signal) killOnAbort(child, plan);
  return child;
}

// -> whether a process was signalled; an error becomes the child's 'error'
function tryKill(child, signal) {
  try {
    return child.kill(signal);
  } catch (error) {
    child.emit('error', error);
    return false;
  }
}

function killAfter(child, { timeout, killSignal }) {
  const timer = setTimeout(tryKill, timeout, child, killSignal);
  child.once('exit', () => clearTimeout(timer));
}

function killOnAbort(child, { signal, killSignal }) {
  const abort = () => {
    if (tryKill(child, killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
  };
  if (signal.aborted) process.nextTick(abort);
  else child.once('exit', require('events').addAbortListener(signal, abort)[Symbol.dispose]);
}

function fork(modulePath, args, options) {
  const script = pathText(modulePath, 'modulePath');
  if (args !== null && typeof args === 'object' && !Array.isArray(args)) [args, options] = [[], args];
  if (args != null) validateArray(args, 'args');
  if (options != null) validateObject(options, 'options');
  const own = { __proto__: null, ...options, shell: false };
  const execPath = withoutNull(own.execPath || process.execPath, 'options.execPath');
  const execArgv = own.execArgv || argvForChildren();
  validateArray(execArgv, 'options.execArgv');
  own.stdio = withChannel(own);
  return spawn(execPath, [...execArgv, script, ...(args ?? [])], own);
}

// The code of -e is not passed to the child.
function argvForChildren() {
  const { execArgv, _eval: code } = process;
  const at = code == null ? 0 : execArgv.lastIndexOf(code);
  return at > 0 ? execArgv.toSpliced(at - 1, 2) : execArgv;
}

function withChannel({ stdio, silent }) {
  if (typeof stdio === 'string') return [...require('internal/child_process/stdio').threeOf(stdio), 'ipc'];
  if (!Array.isArray(stdio)) return silent ? ['pipe', 'pipe', 'pipe', 'ipc'] : ['inherit', 'inherit', 'inherit', 'ipc'];
  if (stdio.includes('ipc')) return stdio;
  throw new codes.ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
}

// ([args][, options][, callback]), in their positions
function sortOut(args, options, callback) {
  if (typeof args === 'function') return { args: [], options: { __proto__: null }, callback: args };
  if (args !== null && typeof args === 'object' && !Array.isArray(args))
    [args, options, callback] = [[], args, options];
  if (typeof options === 'function') [options, callback] = [undefined, options];
  if (options != null) validateObject(options, 'options');
  if (callback != null) validateFunction(callback, 'callback');
  return { args: args ?? [], options: { __proto__: null, ...options }, callback };
}

// The options that are for spawn.
const forSpawn = ['cwd', 'env', 'gid', 'uid', 'shell', 'signal', 'argv0', 'windowsHide', 'windowsVerbatimArguments'];

function execFile(file, ...rest) {
  const { args, options, callback } = sortOut(...rest);
  const plan = {
    __proto__: null,
    encoding: 'utf8',
    timeout: 0,
    maxBuffer: MAX_BUFFER,
    killSignal: 'SIGTERM',
    ...options,
  };
  checkWaiting(plan, 'timeout', 'maxBuffer', 'killSignal');
  const child = spawn(file, args, Object.fromEntries(forSpawn.map((name) => [name, options[name]])));
  const command = [file, ...args].join(' ');
  const { Execution } = require('internal/child_process/collect');
  new Execution(child, command, plan, callback);
  return child;
}

// The shell is the file, and the command its argument.
function forShell(command, options) {
  plainText(command, 'command');
  const own = { __proto__: null, ...options };
  own.shell = typeof own.shell === 'string' ? own.shell : true;
  return own;
}

function exec(command, options, callback) {
  if (typeof options === 'function') [options, callback] = [undefined, options];
  return execFile(command, forShell(command, options), callback);
}

for (const run of [exec, execFile]) {
  Object.defineProperty(run, promisify.custom, {
    value: (...args) => {
      const { promise, resolve, reject } = Promise.withResolvers();
      promise.child = run(...args, (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(Object.assign(error, { stdout, stderr }));
      });
      return promise;
    },
  });
}

// ---- synchronous ----

function bytesOf(input, encoding, index) {
  if (typeof input === 'string') return Buffer.from(input, Buffer.isEncoding(encoding) ? encoding : 'utf8');
  if (ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  throw new codes.ERR_INVALID_ARG_TYPE(
    `options.stdio[${index}]`,
    ['Buffer', 'TypedArray', 'DataView', 'string'],
    input,
  );
}

function spawnSync(file, args, options) {
  const plan = planFor(file, args, options);
  plan.maxBuffer = plan.maxBuffer === undefined ? MAX_BUFFER : plan.maxBuffer;
  checkWaiting(plan, 'timeout', 'maxBuffer', 'killSignal');
  const { stdio } = require('internal/child_process/stdio').stdioFor(plan.stdio || 'pipe', true);
  if (plan.input) stdio[0] = { ...stdio[0], type: 'pipe', input: plan.input };
  stdio.forEach((entry, i) => {
    if (entry.input != null) entry.input = bytesOf(entry.input, plan.encoding, i);
  });
  plan.stdio = stdio;
  return waiting.spawn(plan);
}

// The output of a command; a failure is thrown, with its details.
function outputOf(result, command, showErrors) {
  if (showErrors && result.stderr) process.stderr.write(result.stderr);
  if (result.error) throw Object.assign(result.error, result);
  if (result.status === 0) return result.stdout;
  const told = result.stderr?.length > 0 ? `\n${result.stderr}` : '';
  throw genericNodeError(`Command failed: ${command}${told}`, result);
}

function execFileSync(file, ...rest) {
  const { args, options } = sortOut(...rest);
  return outputOf(spawnSync(file, args, options), [options.argv0 || file, ...args].join(' '), !options.stdio);
}

function execSync(command, options) {
  const own = forShell(command, options);
  return outputOf(spawnSync(command, own), command, !own.stdio);
}

module.exports = {
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
  _forkChild: (fd, mode) => require('internal/child_process/ipc').openInChild(fd, mode),
};
