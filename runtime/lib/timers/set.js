// setTimeout. It is not in strict mode for one reason: until the engine has optimized a function that uses `arguments`,
// it makes such an object for each call, which costs more than setting a timer. Without strict mode, the arguments can
// be read only when there are any.

const { words, kTimerRefs } = require('internal/process/shared');
const { now: loopNow } = internalBinding('runtime');
const { listFor, drop, hold, release } = require('internal/timers/lists');
const { Timeout, moreOf } = require('internal/timers/timeout');
const frame = require('internal/async/context');

const kMaximum = 2 ** 31 - 1;
const kTogether = 16;
const argumentsOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Function.prototype, 'arguments').get);
const warned = new Set();

function warn(name, message, often) {
  if (!often && warned.has(name)) return;
  warned.add(name);
  process.emitWarning(`${message}\nTimeout duration was set to 1.`, name);
}

// The duration that a program gives, in milliseconds from 1 to the maximum.
function durationFrom(value) {
  const after = value === undefined ? 1 : value * 1;
  if (after >= 1 && after <= kMaximum) return after;
  if (after > kMaximum) warn('TimeoutOverflowWarning', `${after} does not fit into a 32-bit signed integer.`, true);
  else if (after < 0) warn('TimeoutNegativeWarning', `${after} is a negative number.`, false);
  else if (after !== after) warn('TimeoutNaNWarning', `${after} is not a number.`, false);
  return 1;
}

// The timers of one list run one after the other. If there are many lists with many timers, neighbours in a list would
// be far apart in memory, and most of the time would be spent on cache misses. So a busy list allocates its timers
// several at a time.
function together(list) {
  const first = new Timeout();
  let last = (list.spare = new Timeout());
  for (let i = 2; i < kTogether; i++) last = last._idleNext = new Timeout();
  return first;
}

function setTimeout(callback, after) {
  if (typeof callback !== 'function') require('internal/timers/callback').requireFunction(callback);
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

// What the engine does for the first call of a function is done here, before a clock is read. Otherwise the first timer
// of a program takes so long that the next one, in the next statement, often begins in another millisecond.
hold();
drop(listFor(kMaximum, 0));
release();
new Timeout();

module.exports = { setTimeout, kMaximum };
