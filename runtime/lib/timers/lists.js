'use strict';

// Timeouts of equal length are in one list, in order of their start; the lists are in a heap, the earliest due first.
// Lists due at the same time run in the order in which they began.
//
// A list is circular. A list that becomes empty stays in the heap until it is due: the next timer of that length finds
// it there.

const { words, kTimerDue } = require('internal/process/shared');

class TimersList {
  constructor(msecs) {
    this.msecs = msecs;
    this.expiry = 0;
    this.turn = 0; // among lists that are due at the same time
    this.place = 0; // in the heap
    this.made = 0;
    this.spare = null; // timers that are not set yet, one after the other
    this._idlePrev = this._idleNext = this;
  }
}

const none = new TimersList(0);
const byLength = new Map();
// one for all lengths with the same low bits, the one used last: most programs use few
const near = new Array(128).fill(none);
const heap = [none]; // from 1
let turns = 0;
let held = false; // the shared word is written when the lists have run

function precedes(a, b) {
  return a.expiry < b.expiry || (a.expiry === b.expiry && a.turn < b.turn);
}

function put(list, place) {
  heap[place] = list;
  list.place = place;
}

// Moves it to its position, up or down.
function settle(list) {
  let { place } = list;
  for (let parent = place >> 1; parent > 0 && precedes(list, heap[parent]); parent = place >> 1) {
    put(heap[parent], place);
    place = parent;
  }
  const last = heap.length - 1;
  for (let child = place << 1; child <= last; child = place << 1) {
    if (child < last && precedes(heap[child + 1], heap[child])) child++;
    if (!precedes(heap[child], list)) break;
    put(heap[child], place);
    place = child;
  }
  put(list, place);
}

function schedule(list, expiry) {
  list.expiry = expiry;
  list.turn = turns++;
  settle(list);
  if (!held) words[kTimerDue] = heap[1].expiry;
}

function drop(list) {
  const { msecs } = list;
  byLength.delete(msecs);
  near[msecs & 127] = none;
  const last = heap.pop();
  if (last === list) return;
  last.place = list.place;
  settle(last);
}

function find(msecs) {
  let list = byLength.get(msecs);
  if (list === undefined) {
    list = new TimersList(msecs);
    byLength.set(msecs, list);
    put(list, heap.length);
  }
  return (near[msecs & 127] = list);
}

// The list for a timer of that length that starts now. An empty list starts at that time, like a new one. A length with
// a fraction counts as the next smaller whole number.
function listFor(length, start) {
  const msecs = length | 0;
  let list = near[msecs & 127];
  if (list.msecs !== msecs) list = find(msecs);
  if (list._idleNext === list) schedule(list, start + msecs);
  return list;
}

const first = () => (heap.length > 1 ? heap[1] : undefined);

function hold() {
  held = true;
}

function release() {
  held = false;
  words[kTimerDue] = heap.length > 1 ? heap[1].expiry : 0;
}

function all() {
  const found = [];
  for (const list of byLength.values())
    for (let timer = list._idleNext; timer !== list; timer = timer._idleNext) found.push(timer);
  return found;
}

module.exports = { listFor, first, schedule, drop, hold, release, all };
