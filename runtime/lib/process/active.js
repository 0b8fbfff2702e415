'use strict';

// What keeps the loop alive, by Node's names: process.getActiveResourcesInfo() and the older
// process._getActiveHandles().

const binding = internalBinding('process');
const stream = internalBinding('stream');
const { kOwner, kIPC, kPipe, kTCP, kTTY, kUDP } = require('internal/stream_base');

// The loop's names for handles that are no streams.
const others = {
  __proto__: null,
  process: 'ProcessWrap',
  signal: 'SignalWrap',
  fs_event: 'FSEventWrap',
  fs_poll: 'StatWatcher',
};
const streams = new Set(['tcp', 'pipe', 'tty', 'udp']);
const kinds = {
  [kTCP]: 'TCPSocketWrap',
  [kPipe]: 'PipeWrap',
  [kIPC]: 'PipeWrap',
  [kTTY]: 'TTYWrap',
  [kUDP]: 'UDPWrap',
};
const listening = { [kTCP]: 'TCPServerWrap', [kPipe]: 'PipeServerWrap' };

const nameOf = ({ kind, onconnection }) =>
  onconnection === undefined ? kinds[kind] : (listening[kind] ?? kinds[kind]);

// Requests have no objects here; each is represented by one that gives its type.
class FSReqCallback {}

function requests() {
  return Array.from({ length: require('internal/fs/native').pendingCount() }, () => new FSReqCallback());
}

function names() {
  const { timers, immediates } = require('internal/timers').getTimerCounts();
  return [
    ...requests().map(() => 'FSReqCallback'),
    ...stream.active().map(nameOf),
    ...binding
      .activeHandles()
      .filter((name) => !streams.has(name))
      .map((name) => others[name] ?? name),
    ...new Array(timers).fill('Timeout'),
    ...new Array(immediates).fill('Immediate'),
  ];
}

// The objects of the handles, as programs know them.
function owners() {
  return stream.active().map((handle) => handle[kOwner] ?? handle);
}

module.exports = { names, owners, requests };
