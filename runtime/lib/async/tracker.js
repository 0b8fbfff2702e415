'use strict';

// Asynchronous identities: every resource that is reported here gets a number, and the hooks of createHook are called
// when it is made, before and after each of its callbacks, and when it is destroyed. internal/async/promise_jobs
// reports promises, and only to the hooks that ask for them.

const frame = require('internal/async/context');

const ids = new WeakMap(); // resource -> { id, trigger, isPromise }
let hooks = []; // enabled ones; replaced, never changed
let wanted = hooks; // the same, as soon as no hook is being called: it may enable or disable others
let lastId = 1;
const runtime = internalBinding('runtime');
const top = {};
const script = { id: 1, trigger: 0, isPromise: false, resource: top };
const nothing = { id: 0, trigger: 0, isPromise: false, resource: top };
let running = idle();
const outer = []; // what ran around the running one
let telling = 0; // hooks are being called
let job; // the promise's job that runs
let cause; // the number that stands for the running one as what sets things off, see causedBy
let destroyed = []; // identities that are gone; those of promises are negative

// What runs outside of all callbacks: the program's script, before its jobs. Modules are evaluated by a job.
function idle() {
  return runtime.scriptIsOver ? nothing : script;
}

// The script may have ended since.
function current() {
  return running === script ? idle() : running;
}

// A hook that throws ends the process: its state could not be trusted any more.
function callHook(hook, event, args) {
  telling++;
  try {
    Reflect.apply(hook[event], hook.owner, args);
  } catch (error) {
    const text = typeof error === 'object' && error !== null && error.stack ? error.stack : `Error: ${String(error)}`;
    internalBinding('stdio').writeSync(2, `${text}\n`);
    process.removeAllListeners('exit');
    if (process.execArgv.includes('--abort-on-uncaught-exception')) process.abort();
    process.exit(1);
  } finally {
    if (--telling === 0) hooks = wanted;
  }
}

function tell(isPromise, event, ...args) {
  const list = hooks;
  for (let i = 0; i < list.length; i++) {
    if (list[i][event] !== undefined && (!isPromise || list[i].promises)) callHook(list[i], event, args);
  }
}

function create(type, resource, trigger = cause ?? current().id, isPromise = false) {
  const identity = { id: ++lastId, trigger, isPromise };
  ids.set(resource, identity);
  if (hooks.length > 0) tell(isPromise, 'init', identity.id, type, trigger, resource);
  return identity;
}

// Resources that are made while make() runs have `resource` as their trigger, whatever runs.
function causedBy(resource, make) {
  const before = cause;
  cause = ids.get(resource)?.id;
  try {
    make();
  } finally {
    cause = before;
  }
}

// A number for a promise that is about to be made and, once it exists, its init event.
function reserve(trigger) {
  return { id: ++lastId, trigger, isPromise: true };
}

function adopt(type, resource, identity) {
  ids.set(resource, identity);
  tell(true, 'init', identity.id, type, identity.trigger, resource);
}

function enter(resource) {
  const identity = ids.get(resource);
  outer.push(running);
  running = { id: identity?.id ?? 0, trigger: identity?.trigger ?? 0, isPromise: false, resource };
  if (identity !== undefined && hooks.length > 0) tell(false, 'before', identity.id);
}

function leave() {
  const { id, isPromise } = running;
  if (id !== 0 && hooks.length > 0) tell(isPromise, 'after', id);
  running = outer.pop() ?? idle();
}

function enterJob(begun) {
  const {
    identity: { id, trigger },
    resource,
  } = (job = begun);
  outer.push(running);
  running = { id, trigger, isPromise: true, resource };
  tell(true, 'before', id);
}

function leaveJob() {
  if (job === undefined) return;
  tell(true, 'promiseResolve', job.identity.id);
  job = undefined;
  leave();
}

// An error that left a callback has left all contexts.
function leaveAll() {
  job = undefined;
  while (outer.length > 0) leave();
}

function destroy(resource) {
  const identity = ids.get(resource);
  if (identity === undefined) return;
  destroyId(identity.id);
}

function destroyId(id, isPromise = false) {
  if (hooks.length === 0) return;
  // Reported in the next check phase, before its immediates; an empty immediate ensures that check has something to do.
  if (destroyed.push(isPromise ? -id : id) === 1) require('internal/timers/immediates').runSoon();
}

function tellOfDestroyed() {
  // Hooks may add more while they are called.
  for (let i = 0; i < destroyed.length; i++) tell(destroyed[i] < 0, 'destroy', Math.abs(destroyed[i]));
  destroyed = [];
}

const idOf = (resource) => ids.get(resource);
const hasHooks = () => hooks.length > 0;
const tracker = { create, causedBy, enter, leave, leaveAll, destroy, tellOfDestroyed, idOf, hasHooks };

function setHooks(list) {
  wanted = list;
  if (telling === 0) hooks = list;
}

function begin() {
  if (frame.tracker !== null) return;
  frame.tracker = tracker;
  const { scheduled } = frame;
  frame.scheduled =
    scheduled === null
      ? create
      : (type, resource) => {
          scheduled(type, resource);
          create(type, resource);
        };
}

module.exports = {
  begin,
  ...tracker,
  destroyId,
  reserve,
  adopt,
  enterJob,
  leaveJob,
  resolved: ({ id }) => tell(true, 'promiseResolve', id),
  hears: (event) => hooks.some((hook) => hook[event] !== undefined),
  running: current,
  isTelling: () => telling > 0,
  // Both return whether a hook for promises is left.
  enable(hook) {
    if (!wanted.includes(hook)) setHooks([...wanted, hook]);
    return wanted.some(({ promises }) => promises);
  },
  disable(hook) {
    if (wanted.includes(hook)) setHooks(wanted.filter((other) => other !== hook));
    return wanted.some(({ promises }) => promises);
  },
};
