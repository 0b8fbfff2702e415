'use strict';

// Asynchronous identities and the hooks that hear of them. The engine tells nothing of promises; what is made in
// JavaScript (AsyncResource, and every part of the runtime that calls these functions) is told.

const frame = require('internal/async_context');

const state = { executionAsyncId: 1, triggerAsyncId: 0, lastId: 1, resource: undefined, hooks: [], hasHooks: false, stack: [] };
const topLevelResource = {};

function newAsyncId() {
  return ++state.lastId;
}

function emitInit(asyncId, type, triggerAsyncId, resource) {
  if (!state.hasHooks) return;
  for (const hook of state.hooks.slice()) {
    if (hook.init !== undefined) callHook(hook.init, hook.owner, [asyncId, type, triggerAsyncId, resource]);
  }
}

// A hook that throws ends the process, as nothing could be trusted after it.
function callHook(fn, self, args) {
  try {
    Reflect.apply(fn, self, args);
  } catch (err) {
    process._rawDebug?.(err?.stack ?? String(err));
    if (typeof process.removeAllListeners === 'function') process.removeAllListeners('exit');
    process.stderr.write(`${err?.stack ?? err}\n`);
    process.exit(1);
  }
}

function emit(name, asyncId) {
  if (!state.hasHooks) return;
  for (const hook of state.hooks.slice()) {
    if (hook[name] !== undefined) callHook(hook[name], hook.owner, [asyncId]);
  }
}

function emitBefore(asyncId, triggerAsyncId, resource) {
  state.stack.push(state.executionAsyncId, state.triggerAsyncId, state.resource);
  state.executionAsyncId = asyncId;
  state.triggerAsyncId = triggerAsyncId;
  state.resource = resource;
  emit('before', asyncId);
}

function emitAfter(asyncId) {
  emit('after', asyncId);
  const { stack } = state;
  if (stack.length > 0) {
    state.resource = stack.pop();
    state.triggerAsyncId = stack.pop();
    state.executionAsyncId = stack.pop();
  }
}

function emitDestroy(asyncId) {
  if (!state.hasHooks) return;
  process.nextTick(emit, 'destroy', asyncId);
}

module.exports = { state, frame, topLevelResource, newAsyncId, emitInit, emitBefore, emitAfter, emitDestroy };
