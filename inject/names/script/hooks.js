'use strict';
// The hooks that tell what Node runs: put in, and taken out when they cost too much.

const { native, builtin } = require('./host.js');
const { rememberPort } = require('./listeners.js');
const { nameRequest, nameResponse } = require('./requests.js');
const { rememberChild } = require('./ticks.js');
const { begin } = require('./parts.js');
const { keepStacks, nameCallbacks } = require('./trampolines.js');

const { react } = native;
const { executionAsyncResource, createHook } = builtin('async_hooks');
const channels = builtin('diagnostics_channel');
const { Module } = builtin('module');

let isClosed = false;
let isPrepared = false;
let isForeign = false; // the program has hooks of its own
let stopReactions;

function before() {
  if (isClosed) return;
  try {
    if (begin(executionAsyncResource())) close();
  } catch {
    // An object of the program's with a getter that throws: it has no name then.
  }
}

function beforeReaction() {
  if (!isClosed && react()) close();
}

// ---- promises ----

// Where hooks follow promises in any case, V8 is told to keep promises out of it, in place of what Node has told it.
// That would take away what the program has put in: so it ends when the program has any hook of its own, which follows
// promises, too.
function tracksAlways() {
  try {
    createHook({ trackPromises: 0 });
    return true;
  } catch {
    return false;
  }
}

const tracks = tracksAlways();
const hook = createHook(tracks ? { before } : { before, trackPromises: false });
const { enable } = hook;

function watchForeign() {
  const hooks = Reflect.getPrototypeOf(hook);
  hooks.enable = {
    enable() {
      isForeign = true;
      return Reflect.apply(enable, this, []);
    },
  }.enable;
}

// ---- requests of HTTP: they have names also while other parts have none, as that takes little ----

let isTitling = false;

function onRequest(message) {
  if (nameRequest(message)) titleRequests(false);
}

function titleRequests(wanted) {
  if (isTitling === wanted) return;
  isTitling = wanted;
  if (wanted) channels.subscribe('http.server.request.start', onRequest);
  else channels.unsubscribe('http.server.request.start', onRequest);
}

// ---- in and out ----

function open() {
  if (isForeign) return;
  isClosed = false;
  Reflect.apply(enable, hook, []);
  if (tracks) native.hookReactions(beforeReaction);
  else stopReactions = builtin('v8').promiseHooks.onBefore(beforeReaction);
  channels.subscribe('http.client.response.finish', nameResponse);
  titleRequests(true);
}

function close() {
  isClosed = true;
  native.closed();
  hook.disable();
  stopReactions?.();
  channels.unsubscribe('http.client.response.finish', nameResponse);
}

function prepare() {
  if (isPrepared) return;
  isPrepared = true;
  nameCallbacks();
  channels.subscribe('worker_threads', rememberPort);
  channels.subscribe('child_process', rememberChild);
  keepStacks();
  Module.syncBuiltinESMExports();
  if (tracks) watchForeign();
}

function startHooks() {
  prepare();
  open();
  native.opens(open);
}

// `rota attach` has begun to look at the loop, or has ended.
function attached(isSeen) {
  if (isSeen) prepare();
  if (isSeen) return open();
  titleRequests(false);
  if (!isClosed) close();
}

function waitForAttach() {
  isClosed = true;
  native.opens(open, attached);
}

module.exports = { startHooks, waitForAttach };
