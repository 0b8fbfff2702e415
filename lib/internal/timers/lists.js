'use strict';

// Timeouts of equal length are in one list, in order of their start; the lists are in a heap, the earliest due first. Lists due
// at the same time run in the order in which they began.

const { words, kTimerDue } = require('internal/process/shared');

class TimersList {
  constructor(msecs) {
    this.msecs = msecs;
    this.expiry = 0;
    this.turn = 0; // among lists that are due at the same time
    this.place = 0; // in the heap
    this._idlePrev = this._idleNext = this;
  }

  get isEmpty() {
    return this._idleNext === this;
  }
}

const byLength = new Map();
const heap = [undefined]; // from 1
let turns = 0;
let latest = null; // the list used last: most programs use one length at a time
let held = false; // the shared word is written when the lists have run

function precedes(a, b) {
  return a.expiry < b.expiry || a.expiry === b.expiry && a.turn < b.turn;
}

function put(list, place) {
  heap[place] = list;
  list.place = place;
}

// To where it belongs, up or down.
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
}

function drop(list) {
  byLength.delete(list.msecs);
  if (latest === list) latest = null;
  const last = heap.pop();
  if (last === list) return;
  last.place = list.place;
  settle(last);
}

function listOf(msecs) {
  if (latest !== null && latest.msecs === msecs) return latest;
  let list = byLength.get(msecs);
  if (list === undefined) {
    list = new TimersList(msecs);
    byLength.set(msecs, list);
    put(list, heap.length);
  }
  latest = list;
  return list;
}

function insert(item, length, start) {
  // A length that is no whole number of milliseconds counts as the shorter one.
  const msecs = Math.trunc(length);
  const list = listOf(msecs);
  item._idleStart = start;
  if (list.isEmpty) {
    // It counts from its new first timer, as if it were a new list.
    schedule(list, start + msecs);
    if (!held) words[kTimerDue] = heap[1].expiry;
  }
  const last = list._idlePrev;
  item._idlePrev = last;
  item._idleNext = list;
  last._idleNext = list._idlePrev = item;
}

// A list that becomes empty by it stays until it is due: the next timer of that length finds it.
function remove(item) {
  const { _idleNext: next, _idlePrev: previous } = item;
  if (next === null || next === item) return false;
  next._idlePrev = previous;
  previous._idleNext = next;
  item._idleNext = item._idlePrev = null;
  return true;
}

const first = () => (heap.length > 1 ? heap[1] : undefined);

function hold() {
  held = true;
}

function release() {
  held = false;
  words[kTimerDue] = heap.length > 1 ? heap[1].expiry : 0;
}

module.exports = { insert, remove, first, schedule, drop, hold, release };
