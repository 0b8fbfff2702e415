'use strict';
// What Node is about to run, by the resource of its async hooks: the program's function is named (names.h). The
// functions return whether the time for names is spent.

const { native } = require('./host.js');
const { isNodes, nameListenerOf, receiverOf } = require('./listeners.js');
const { ticks } = require('./ticks.js');

const { enter, run, react } = native;

// enum names_kind
const TIMER = 1;
const IMMEDIATE = 2;
const TICK = 3;
const MESSAGE = 4;

// A tick is a plain object, and in Node 26.12 has a class.
const isTick = ({ constructor }) => constructor === Object || constructor?.name === 'TickObject';

function beginTick({ callback, args }) {
  const isSpent = run(TICK, callback);
  const listenOf = ticks[callback.name];
  if (listenOf !== undefined && args !== undefined && isNodes(callback)) listenOf(args);
  return isSpent;
}

// readFile keeps the callback beside its requests, and calls it after the last of them.
function callbackOfRead({ context, ondone, oncomplete }) {
  const isRead = ondone !== undefined || oncomplete?.name === 'readFileAfterClose';
  return context !== undefined && isRead ? context.callback : undefined;
}

function begin(resource) {
  if (isTick(resource) && typeof resource.callback === 'function') return beginTick(resource);
  if (typeof resource._onTimeout === 'function') return run(TIMER, resource._onTimeout);
  if (typeof resource._onImmediate === 'function') return run(IMMEDIATE, resource._onImmediate);
  if (resource instanceof Promise) return react();
  const { name } = resource.constructor;
  // queueMicrotask makes a resource with the function in it.
  if (name === 'AsyncResource' && typeof resource.callback === 'function') return run(TICK, resource.callback);
  const receiver = name === 'MessagePort' ? receiverOf(resource) : undefined;
  if (receiver !== undefined) return run(MESSAGE, receiver); // one callback of the loop may have many messages
  const isSpent = enter(resource.callback ?? callbackOfRead(resource) ?? resource.ondone);
  nameListenerOf(resource);
  return isSpent;
}

module.exports = { begin };
