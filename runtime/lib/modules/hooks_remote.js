'use strict';

// module.register() and --loader: asynchronous hooks, which run in a thread of their own. Our loaders are synchronous:
// they send a message, wait on a word of shared memory, and take the reply from the port.

const { hooks } = require('internal/modules/hooks');

let port;
let answers; // how many there were

function start() {
  const { Worker, kInternalScript } = require('internal/worker/worker');
  const { MessageChannel } = require('internal/messaging');
  const channel = new MessageChannel();
  answers = new Int32Array(new SharedArrayBuffer(4));
  port = channel.port1;
  port.unref?.();
  const worker = new Worker('', {
    eval: true,
    [kInternalScript]: 'internal/modules/hooks_thread',
    workerData: { answers, port: channel.port2 },
    transferList: [channel.port2],
  });
  worker.unref();
}

function ask(question, transferList = []) {
  if (port === undefined) start();
  const { receiveMessageOnPort } = require('internal/messaging');
  const seen = Atomics.load(answers, 0);
  port.postMessage(question, transferList);
  Atomics.wait(answers, 0, seen);
  const { value, failure } = receiveMessageOnPort(port).message;
  if (failure !== undefined) throw require('internal/worker/worker').revive(failure);
  return value;
}

function add(specifier, parentURL, data, transferList) {
  ask({ type: 'register', specifier, parentURL, data }, transferList);
  hooks.remote = module.exports;
  hooks.active = true;
}

let warned = false;

function register(specifier, parentURL, options) {
  if (!warned) {
    warned = true;
    process.emitWarning(
      '`module.register()` is deprecated. Use `module.registerHooks()` instead.',
      'DeprecationWarning',
      'DEP0205',
    );
  }
  if (parentURL !== null && typeof parentURL === 'object' && !(parentURL instanceof URL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  add(`${specifier}`, parentURL === undefined ? 'data:' : `${parentURL}`, options?.data, options?.transferList);
}

// The loaders that the command line names.
function addFromOptions(list) {
  const { cwdUrl } = require('internal/modules/esm/loader');
  const calls = list.map(
    (name) => `register(${JSON.stringify(encodeURIComponent(name).replaceAll('%2F', '/'))}, pathToFileURL("./"));`,
  );
  process.emitWarning(
    '`--experimental-loader` may be removed in the future; instead use `register()`:\n' +
      `--import 'data:text/javascript,import { register } from "node:module"; import { pathToFileURL } from ` +
      `"node:url"; ${calls.join(' ')}'`,
    'ExperimentalWarning',
  );
  for (const name of list) add(name, cwdUrl());
}

function plain(context) {
  return { ...context, importAttributes: { ...context.importAttributes } };
}

module.exports = {
  register,
  addFromOptions,
  resolve: (specifier, context) => ask({ type: 'resolve', subject: specifier, context: plain(context) }),
  load: (url, context) => ask({ type: 'load', subject: url, context: plain(context) }),
};
