'use strict';

// How util.inspect shows timeouts and immediates: as Node's, with properties that this runtime adds only when they are
// needed.

const frame = require('internal/async/context');

const kRefed = Symbol('refed');
const kHasPrimitive = Symbol('kHasPrimitive');
const kAsyncId = Symbol('asyncId');
const kTriggerId = Symbol('triggerId');
const kContext = Symbol('kAsyncContextFrame');

const looks = { Timeout: class Timeout {}, Immediate: class Immediate {} };

function identify(item, look, number) {
  const identity = frame.tracker === null ? undefined : require('internal/async/tracker').idOf(item);
  look[kAsyncId] = identity?.id ?? number;
  look[kTriggerId] = identity?.trigger ?? 1;
}

function begin(look, item) {
  for (const name of Object.keys(item)) look[name] = item[name];
  return look;
}

function ofTimeout(timer, { number, context }) {
  const look = begin(new looks.Timeout(), timer);
  look[kRefed] = timer.hasRef();
  look[kHasPrimitive] = number !== 0;
  identify(timer, look, number);
  look[kContext] = context;
  return look;
}

function ofImmediate(immediate, context) {
  const look = begin(new looks.Immediate(), immediate);
  look[kRefed] = immediate._destroyed ? null : immediate.hasRef();
  identify(immediate, look, 0);
  look[kContext] = context;
  return look;
}

module.exports = { ofTimeout, ofImmediate };
