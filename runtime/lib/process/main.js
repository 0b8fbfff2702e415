'use strict';

// Runs what the command line asks for.

const binding = internalBinding('process');

let pendingMain; // the main module's evaluation, while it has not ended

function run() {
  if (process.execArgv.some((option) => option.startsWith('--env-file'))) loadEnvFiles();
  require('internal/process/permission').begin();
  require('internal/process/hardening').begin();
  require('internal/process/startup').begin();
  exposeCollector();
  if (
    require('internal/process/flags')
      .words()
      .some((word) => word.startsWith('--trace-event'))
  ) {
    require('internal/trace_events/categories').enableFromCommandLine();
  }
  if (process.execArgv.length > 0 || process.env.NODE_OPTIONS) arrangeStorage();
  openChannel();
  const cjs = require('internal/modules/cjs/loader');
  cjs.initialize();
  const { requires, imports } = require('internal/process/flags').preloads();
  giveEventSource();
  if (require('internal/process/flags').hasFlag('--no-experimental-websocket'))
    for (const name of ['WebSocket', 'CloseEvent']) delete globalThis[name];
  if (internalBinding('runtime').observed !== undefined) internalBinding('trace').script();
  for (const id of [...requires, ...binding.requires]) cjs.preload(id);
  require('internal/process/hardening').freeze();
  imports.push(...binding.imports);
  const loaders = findLoaders();
  if (loaders.length > 0) require('internal/modules/hooks_remote').addFromOptions(loaders);
  if (imports.length > 0) {
    pendingMain = importAll(imports).then(runMain);
    settle(pendingMain);
    return;
  }
  return runMain();
}

// Such a file may hold NODE_OPTIONS, too.
function loadEnvFiles() {
  require('internal/process/startup').load(require('internal/process/flags').words());
  require('internal/process/flags').readAgain();
  require('internal/process/object').takeFlags(process);
}

// Web Storage can be switched off, and localStorage is listed among the globals only if it has a file.
function arrangeStorage() {
  const { hasFlag, valuesOf } = require('internal/process/flags');
  if (hasFlag('--no-webstorage') || hasFlag('--no-experimental-webstorage')) {
    for (const name of ['Storage', 'localStorage', 'sessionStorage']) delete globalThis[name];
  } else if (valuesOf('--localstorage-file').length > 0) {
    Object.defineProperty(globalThis, 'localStorage', { __proto__: null, enumerable: true });
  }
}

// --expose-gc: a global that collects all garbage. It is an option of the process: threads have it regardless of their
// own options.
function exposeCollector() {
  const options = [...binding.execArgv, ...require('internal/process/flags').words()];
  if (!options.some((option) => option === '--expose-gc' || option === '--expose_gc')) return;
  const { collect } = internalBinding('v8');
  const gc = (options) => (collect(), options?.execution === 'async' ? Promise.resolve() : undefined);
  Object.defineProperty(globalThis, 'gc', {
    __proto__: null,
    value: gc,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

// --experimental-eventsource: a global that is not defined otherwise.
function giveEventSource() {
  if (!require('internal/process/flags').hasFlag('--experimental-eventsource')) return;
  internalBinding('runtime').lazily('EventSource', (name) => require('internal/fetch')[name]);
}

function findLoaders() {
  const { valuesOf } = require('internal/process/flags');
  return [...valuesOf('--experimental-loader'), ...valuesOf('--loader')];
}

// A parent that forked this process left a channel open, for process.send and 'message'.
function openChannel() {
  const fd = binding.envGet('NODE_CHANNEL_FD');
  if (fd === undefined) return;
  const mode = process.env.NODE_CHANNEL_SERIALIZATION_MODE || 'json';
  delete process.env.NODE_CHANNEL_FD;
  delete process.env.NODE_CHANNEL_SERIALIZATION_MODE;
  require('child_process')._forkChild(Number.parseInt(fd, 10), mode);
  const id = process.env.NODE_UNIQUE_ID;
  if (id === undefined) return;
  delete process.env.NODE_UNIQUE_ID;
  Object.assign(require('internal/state').cluster, { worker: true, id });
  require('cluster')._setupWorker();
}

function settle(promise) {
  let ended = false;
  promise.then(
    () => {
      ended = true;
    },
    (error) => {
      ended = true;
      require('internal/process/execution').onUncaught(error, true);
    },
  );
  main.pending = () => !ended;
}

const main = { pending: () => false };

function startRepl(inputTypes) {
  if (inputTypes.length > 0) {
    internalBinding('stdio').writeSync(2, 'Cannot specify --input-type for REPL\n');
    process.exit(9);
  }
  require('internal/repl/main').run();
}

function runMain() {
  const { hasFlag, valuesOf } = require('internal/process/flags');
  const named = valuesOf('--run').at(-1);
  if (named !== undefined) return require('internal/cli/run').run(named, binding.arguments);
  const isRepl = binding.interactive || (binding.readStdin && require('tty').isatty(0) && !binding.checkOnly);
  if (isRepl) startRepl(valuesOf('--input-type'));
  if (binding.code !== undefined) {
    process._eval = binding.code; // fork() removes it from the child's arguments
    return runText('[eval]', binding.code, binding.print);
  }
  if (isRepl) return;
  if (binding.readStdin) return runText('[stdin]', internalBinding('stdio').readAll(0), false);
  if (hasFlag('--entry-url')) return runUrl(binding.arguments[0]);
  const path = require('path');
  const script = path.resolve(binding.arguments[0]);
  process.argv[1] = script;
  const cjs = require('internal/modules/cjs/loader');
  if (binding.checkOnly) return cjs.checkSyntax(script);
  const promise = cjs.Module.runMain(script);
  if (promise !== undefined) settle(promise);
}

// --entry-url: the script's name is a URL, relative to the current directory.
function runUrl(name) {
  process.emitWarning('--entry-url is an experimental feature and might change at any time', 'ExperimentalWarning');
  const esm = require('internal/modules/esm/loader');
  const base = esm.cwdUrl();
  settle(esm.importFrom(new URL(name, base).href, base));
}

// A worker's script. Its maker says what kind it is.
function runThread({ script, eval: isText, url, internalScript, workerData }) {
  require('internal/process/permission').begin();
  require('internal/process/hardening').begin();
  exposeCollector();
  const cjs = require('internal/modules/cjs/loader');
  cjs.initialize();
  const { words, preloads } = require('internal/process/flags');
  const { requires, imports } = preloads(words());
  const internal = internalScript === undefined ? undefined : require(internalScript);
  internal?.prepare();
  for (const id of requires) cjs.preload(id);
  require('internal/process/hardening').freeze();
  if (internal !== undefined) return internal.run(workerData);
  if (isText) return runText('[worker eval]', script, false); // without the imports, as in Node
  const start = () => {
    if (url) {
      const esm = require('internal/modules/esm/loader');
      return esm.importFrom(script, esm.cwdUrl());
    }
    process.argv[1] = script;
    return cjs.Module.runMain(script);
  };
  const promise = imports.length > 0 ? importAll(imports).then(start) : start();
  if (promise !== undefined) settle(promise);
}

function importAll(specifiers) {
  const esm = require('internal/modules/esm/loader');
  return specifiers.reduce(
    (before, specifier) => before.then(() => esm.importFrom(specifier, esm.cwdUrl())),
    Promise.resolve(),
  );
}

function runText(name, text, print) {
  let inputType = require('internal/process/flags').valuesOf('--input-type').at(-1);
  if (inputType?.endsWith('-typescript')) {
    text = require('internal/modules/typescript').blank(text, name);
    inputType = inputType.slice(0, -'-typescript'.length);
  }
  require('internal/state').sources.set(name, text);
  if (binding.checkOnly) return require('internal/modules/cjs/loader').checkText(text, name, inputType === 'module');
  if (inputType === 'module') {
    if (print) throw new (require('internal/errors').codes.ERR_EVAL_ESM_CANNOT_PRINT)();
    const esm = require('internal/modules/esm/loader');
    settle(esm.runText(text, name));
    return;
  }
  const cjs = require('internal/modules/cjs/loader');
  const result = cjs.runText(name, text, settle);
  if (print && result?.promise === undefined) printInTheEnd(result.value);
}

// Called when nothing is left to do: a promise has its value then. After the program's own listeners.
function printInTheEnd(value) {
  const show = () => {
    process.removeListener('beforeExit', show);
    process.removeListener('exit', show);
    console.log(value);
  };
  process.on('beforeExit', show);
  process.on('exit', show);
}

module.exports = { run, runThread, unsettled: () => main.pending() };
