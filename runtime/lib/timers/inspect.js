'use strict';

// How util.inspect shows timeouts and immediates: as Node's, with properties that this runtime adds only when they are
// needed.

const frame = require('internal/async/context');

const kRefed = Symbol('refed');
const kHasPrimitive = Symbol('kHasPrimitive');
const kAsyncId = Symbol('asyncId');
const kTriggerId = Symbol('triggerId');
const kContext = Symbol('kAsyncContextFrame');

const shapes = { Timeout: class Timeout {}, Immediate: class Immediate {} };

function identify(item, shape, number) {
  const identity = frame.tracker === null ? undefined : require('internal/async/tracker').idOf(item);
  shape[kAsyncId] = identity?.id ?? number;
  shape[kTriggerId] = identity?.trigger ?? 1;
}

function begin(shape, item) {
  for (const name of Object.keys(item)) shape[name] = item[name];
  return shape;
}

function ofTimeout(timer, { number, context }) {
  const shape = begin(new shapes.Timeout(), timer);
  shape[kRefed] = timer.hasRef();
  shape[kHasPrimitive] = number !== 0;
  identify(timer, shape, number);
  shape[kContext] = context;
  return shape;
}

function ofImmediate(immediate, context) {
  const shape = begin(new shapes.Immediate(), immediate);
  shape[kRefed] = immediate._destroyed ? null : immediate.hasRef();
  identify(immediate, shape, 0);
  shape[kContext] = context;
  return shape;
}

module.exports = { ofTimeout, ofImmediate };
