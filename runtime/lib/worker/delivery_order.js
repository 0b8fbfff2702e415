'use strict';

// When ports deliver their messages: in the loop's poll phase, in which Node has a wake-up handle for each port. The
// ports take turns in the order in which they were made, not in the order of their messages. A port that gets a message
// while earlier ports deliver theirs has its turn in the same round; a port that had its turn already waits for the
// next round, and so does one that was made meanwhile.

const binding = internalBinding('worker');

const waiting = []; // ports with something to hear, by number
let reached = -1; // the last one that had its turn in this round; -1 between rounds
let isScheduled = false;
let numbers = 0;
let newest = 0; // the last one that was there when the round began
let isListening = false;

function placeOf(number) {
  let low = 0;
  for (let high = waiting.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (waiting[middle].number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ring() {
  if (isScheduled || waiting.length === 0) return;
  isScheduled = true;
  binding.ring();
}

// Called for one port after the other, so that ticks run after each and each may throw, until it returns
// that none is left.
function turn(isFirst) {
  if (isFirst) {
    isScheduled = false;
    reached = 0;
    newest = numbers;
  }
  const place = placeOf(reached + 1);
  if (place === waiting.length || waiting[place].number > newest) {
    reached = -1;
    ring();
    return false;
  }
  const [port] = waiting.splice(place, 1);
  reached = port.number;
  port.deliver();
  return true;
}

// `port` has a number from nextNumber(), and deliver().
function wait(port) {
  if (!isListening) {
    isListening = true;
    binding.onRound(turn);
  }
  waiting.splice(placeOf(port.number), 0, port);
  if (reached === -1) ring();
}

module.exports = { wait, nextNumber: () => ++numbers };
