'use strict';

// Which timers and immediates keep the loop alive, and where they were made: C has one handle for all timers and one
// for all immediates. Each is remembered from the start, weakly, with its stack.

const trace = internalBinding('trace');
const timers = require('internal/timers');
const immediates = require('internal/timers/immediates');

const made = new Map(); // number -> { ref, stack, line }
let lastNumber = 0;

const gone = new FinalizationRegistry((number) => made.delete(number));

function remember(item, line) {
  // If a program makes very many, only some are listed; finished ones are removed.
  if (made.size > 10000) sweep();
  const number = ++lastNumber;
  const stack = trace.stack();
  made.set(number, { ref: new WeakRef(item), stack, line });
  gone.register(item, number);
  return item;
}

function sweep() {
  for (const [number, { ref }] of made) {
    const item = ref.deref();
    if (item === undefined || item._destroyed) made.delete(number);
  }
}

function nameOf(callback) {
  const place = trace.place(callback);
  return `${callback.name || '(anonymous)'}${place ? ` (${place[0]}:${place[1]})` : ''}`;
}

function watch(module, key, describe) {
  const original = module[key];
  module[key] = new Proxy(original, {
    apply(target, self, args) {
      const line = typeof args[0] === 'function' ? describe(args) : '';
      return remember(Reflect.apply(target, self, args), line);
    },
  });
}

// A port with a listener has a timer that never expires.
function describeInterval([callback, every]) {
  if (trace.place(callback)?.[0] === 'node:internal/messaging') return 'message port with a listener';
  return `interval ${nameOf(callback)}, every ${+every || 1} ms`;
}

// As lines of text: those that would run, and are referenced.
function describe(wantsTimers) {
  sweep();
  let text = '';
  for (const { ref, stack, line } of made.values()) {
    const item = ref.deref();
    if (item === undefined || item._destroyed || !item.hasRef() || item instanceof timers.Timeout !== wantsTimers)
      continue;
    const due =
      wantsTimers && !line.startsWith('message port')
        ? `, due in ${Math.max(0, Math.round(item._idleStart + item._idleTimeout - timers.loopNow()))} ms`
        : '';
    text += `  ${line}${due}\n${stack}${stack.endsWith('\n') ? '' : '\n'}`;
  }
  return text === '' ? (wantsTimers ? '  timers of the runtime\n' : '  immediates of the runtime\n') : text;
}

function install() {
  watch(timers, 'setTimeout', (args) => `timeout ${nameOf(args[0])} of ${+args[1] || 1} ms`);
  watch(timers, 'setInterval', describeInterval);
  watch(immediates, 'setImmediate', (args) => `immediate ${nameOf(args[0])}`);
  trace.describe(describe);
}

// ---- without having remembered: those that are in the lists now ----

function lineOf(timer) {
  const callback = timer._onTimeout;
  if (timer._repeat !== null) return describeInterval([callback, timer._repeat]);
  return `timeout ${nameOf(callback)} of ${timer._idleTimeout} ms`;
}

function listed(wantsTimers) {
  if (!wantsTimers)
    return immediates
      .waiting()
      .map((each) => `  immediate ${nameOf(each._onImmediate)}\n`)
      .join('');
  let text = '';
  for (const timer of timers.all()) {
    if (typeof timer._onTimeout !== 'function' || !timer.hasRef()) continue;
    const line = lineOf(timer);
    const due = Math.max(0, Math.round(timer._idleStart + timer._idleTimeout - timers.loopNow()));
    text += `  ${line}${line.startsWith('message port') ? '' : `, due in ${due} ms`}\n`;
  }
  return text;
}

module.exports = { install, listed };
