'use strict';

// Asynchronous identities: every resource that is told of here gets a number, and the hooks of createHook hear when it is
// made, before and after each of its callbacks, and when it is gone. Promises are the engine's and are not told of.

const frame = require('internal/async_context');

const ids = new WeakMap(); // resource -> { id, trigger }
let hooks = []; // enabled ones; replaced, never changed, so that a hook may enable or disable others
let lastId = 1;
const top = {};
let running = { id: 1, trigger: 0, resource: top };
const outer = []; // what ran around the running one
let doomed = []; // identities that are gone

// A hook that fails ends the process: nothing could be trusted after it.
function callHook(hook, event, args) {
  try {
    Reflect.apply(hook[event], hook.owner, args);
  } catch (error) {
    const text = typeof error === 'object' && error !== null && error.stack ? error.stack : String(error);
    internalBinding('stdio').writeSync(2, `${text}\n`);
    process.removeAllListeners('exit');
    if (process.execArgv.includes('--abort-on-uncaught-exception')) process.abort();
    process.exit(1);
  }
}

function tell(event, ...args) {
  const list = hooks;
  for (let i = 0; i < list.length; i++) {
    if (list[i][event] !== undefined) callHook(list[i], event, args);
  }
}

function create(type, resource, trigger = running.id) {
  const identity = { id: ++lastId, trigger };
  ids.set(resource, identity);
  if (hooks.length > 0) tell('init', identity.id, type, trigger, resource);
  return identity;
}

function enter(resource) {
  const identity = ids.get(resource);
  outer.push(running);
  running = { id: identity?.id ?? 0, trigger: identity?.trigger ?? 0, resource };
  if (identity !== undefined && hooks.length > 0) tell('before', identity.id);
}

function leave() {
  const { id } = running;
  if (id !== 0 && hooks.length > 0) tell('after', id);
  running = outer.pop() ?? { id: 0, trigger: 0, resource: top };
}

// An error that got out of a callback has left everything.
function leaveAll() {
  while (outer.length > 0) leave();
}

function destroy(resource) {
  const identity = ids.get(resource);
  if (identity === undefined) return;
  destroyId(identity.id);
}

function destroyId(id) {
  if (hooks.length === 0) return;
  // Told in the next check phase, before its immediates; an empty one makes sure that it comes.
  if (doomed.push(id) === 1) require('internal/timers').runSoon();
}

function tellOfDoomed() {
  const list = doomed;
  doomed = [];
  for (const id of list) tell('destroy', id);
}

const tracker = { create, enter, leave, leaveAll, destroy, tellOfDoomed };

function begin() {
  if (frame.tracker !== null) return;
  frame.tracker = tracker;
}

module.exports = {
  begin,
  ...tracker,
  destroyId,
  idOf: (resource) => ids.get(resource),
  running: () => running,
  hasHooks: () => hooks.length > 0,
  enable(hook) {
    if (!hooks.includes(hook)) hooks = [...hooks, hook];
  },
  disable(hook) {
    if (hooks.includes(hook)) hooks = hooks.filter((other) => other !== hook);
  },
};
