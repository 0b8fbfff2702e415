'use strict';
// Events: what an object of Node's emits as soon as it is called back, and the program's function that listens.

const { native, builtin } = require('./host.js');

const { name } = native;
const { getEventListeners } = builtin('events');

// The first listener of the program's. One for once is a function of Node's own, which has the program's as a property.
function nameListener(owner, eventOf, handle) {
  const listeners = owner?._events?.[eventOf(owner, handle)];
  const nameOne = (each) => name(each) || (typeof each.listener === 'function' && name(each.listener));
  if (typeof listeners === 'function') return nameOne(listeners);
  return Array.isArray(listeners) && listeners.some(nameOne);
}

const isOwn = new WeakMap();

function isNodes(listener) {
  let is = isOwn.get(listener);
  if (is === undefined) isOwn.set(listener, (is = native.place(listener).startsWith('node:')));
  return is;
}

// ---- handles ----

const bytes = new WeakMap();
let ownerSymbol;

function ownerOf(handle) {
  const isOwner = (key) => typeof key === 'symbol' && key.description === 'owner_symbol';
  ownerSymbol ??= Reflect.ownKeys(handle).find(isOwner);
  return ownerSymbol === undefined ? undefined : handle[ownerSymbol];
}

// A server's handle is called for connections. A socket's has read something, or met the end, which is an event of
// later on; and what it has read is emitted at once only while it flows.
function eventOfStream(owner, handle) {
  if (typeof owner.listen === 'function') return 'connection';
  const read = handle.bytesRead;
  const before = bytes.get(handle) ?? 0;
  bytes.set(handle, read);
  const state = owner._readableState;
  return read > before && state?.flowing && state.length === 0 ? 'data' : undefined;
}

// What was compressed is emitted at once while the stream flows, if there is any: the room that is left has become
// less.
function eventOfZlib({ _readableState: state, _writeState: left }, handle) {
  return state.flowing && state.length === 0 && left[0] < handle.availOutBefore ? 'data' : undefined;
}

// By the name of the handle's class.
const events = {
  __proto__: null,
  TCP: eventOfStream,
  Pipe: eventOfStream,
  TTY: eventOfStream,
  UDP: () => 'message',
  Process: () => 'exit',
  FSEvent: () => 'change',
  Zlib: eventOfZlib,
  BrotliEncoder: eventOfZlib,
  BrotliDecoder: eventOfZlib,
  ZstdCompress: eventOfZlib,
  ZstdDecompress: eventOfZlib,
};

function nameListenerOf(handle) {
  const eventOf = events[handle.constructor.name];
  if (eventOf !== undefined) nameListener(ownerOf(handle), eventOf, handle);
}

// ---- ports: a worker emits what its port receives; of a port itself, onmessage is a function of Node's own, too ----

const workersOfPorts = new WeakMap();

function rememberPort({ worker }) {
  for (const key of Reflect.ownKeys(worker)) {
    if (key.description === 'kPublicPort') workersOfPorts.set(worker[key], worker);
  }
}

// A port that is closed has no more messages, but an event of its own.
function receiverOf(port) {
  if (!port.hasRef()) return undefined;
  const listeners = getEventListeners(workersOfPorts.get(port) ?? port, 'message');
  const functions = listeners.map((each) => each.handler ?? each.handleEvent ?? each);
  return functions.find((each) => typeof each === 'function' && !isNodes(each));
}

module.exports = { isNodes, nameListener, nameListenerOf, receiverOf, rememberPort };
