// setTimeout. Not in strict mode, for the sake of one thing: a function that says `arguments` has such an object made
// for each call until the engine has compiled it well, and that costs more than setting a timer. Without strict mode
// they can be asked for when there are some.

const { words, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { listFor } = require('internal/timers/lists');
const { Timeout, moreOf } = require('internal/timers/timeout');
const { requireFunction } = require('internal/timers/callback');
const frame = require('internal/async_context');

const kMaximum = 2 ** 31 - 1;
const kTogether = 16;
const argumentsOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Function.prototype, 'arguments').get);
const warned = new Set();

function warn(name, message, often) {
  if (!often && warned.has(name)) return;
  warned.add(name);
  process.emitWarning(`${message}\nTimeout duration was set to 1.`, name);
}

// What a program gives as a duration, in milliseconds from 1 to the maximum.
function durationFrom(value) {
  const after = value === undefined ? 1 : value * 1;
  if (after >= 1 && after <= kMaximum) return after;
  if (after > kMaximum) warn('TimeoutOverflowWarning', `${after} does not fit into a 32-bit signed integer.`, true);
  else if (after < 0) warn('TimeoutNegativeWarning', `${after} is a negative number.`, false);
  else if (after !== after) warn('TimeoutNaNWarning', `${after} is not a number.`, false);
  return 1;
}

// The timers of one list run one after the other. If there are many lists, and many timers in each, neighbours in a
// list would be far from each other in memory, and most of the time would go into waiting for it. So a busy list gets
// its timers several at a time.
function together(list) {
  const first = new Timeout();
  let last = (list.spare = new Timeout());
  for (let i = 2; i < kTogether; i++) last = last._idleNext = new Timeout();
  return first;
}

function setTimeout(callback, after) {
  if (typeof callback !== 'function') requireFunction(callback);
  const duration = typeof after === 'number' && after >= 1 && after <= kMaximum ? after : durationFrom(after);
  const start = loopNow();
  const list = listFor(duration, start);
  let timer = list.spare;
  if (timer !== null) list.spare = timer._idleNext;
  else timer = list.made++ < kTogether ? new Timeout() : together(list);
  const last = list._idlePrev;
  timer._idleTimeout = duration;
  timer._idlePrev = last;
  timer._idleNext = list;
  timer._idleStart = start;
  timer._onTimeout = callback;
  list._idlePrev = last._idleNext = timer;
  words[kTimerRefs]++;
  if (arguments.length > 2) timer._timerArgs = Array.prototype.slice.call(argumentsOf(setTimeout), 2);
  if (frame.current !== undefined) moreOf(timer).context = frame.current;
  if (frame.scheduled !== null) frame.scheduled('Timeout', timer);
  return timer;
}

module.exports = { setTimeout, kMaximum };
