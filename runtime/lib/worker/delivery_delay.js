'use strict';

// Under a schedule (doc/STEERING.md): messages of another thread are delayed by a number of rounds of the loop, which
// is decided here. Messages of one port keep their order, and a worker's end waits for delayed messages.

const { isScheduled, lateness } = internalBinding('steer');
const binding = internalBinding('worker');

const waiting = new Map(); // port -> rounds
let ends = [];

// Of the pending ones, those to be delivered now: [ports, ended workers].
function putOff(ready, ended, mayWait) {
  const now = [];
  for (const [port, rounds] of waiting) {
    if (rounds > 1) {
      waiting.set(port, rounds - 1);
    } else {
      waiting.delete(port);
      now.push(port);
    }
  }
  for (const port of ready) {
    if (waiting.has(port) || now.includes(port)) continue;
    const rounds = mayWait(port) ? lateness() : 0;
    if (rounds === 0) now.push(port);
    else waiting.set(port, rounds);
  }
  ends.push(...ended);
  if (waiting.size > 0) {
    binding.ring();
    return [now, []];
  }
  const told = ends;
  ends = [];
  return [now, told];
}

module.exports = { putOff: isScheduled ? putOff : null };
