// emit, the hottest function of the runtime: it copies nothing. It is not in strict mode, so that `arguments` is made
// only for the few calls with many arguments (internal/timers says why).

const { codes } = require('internal/errors');
const hooks = require('internal/trace/hooks');

const captures = Symbol('kCapture');
const errorMonitor = Symbol('events.errorMonitor');
const rejection = Symbol.for('nodejs.rejection');

const walks = { underWay: 0 }; // iterations over arrays of listeners, which must not be changed meanwhile
const argumentsOf = Function.prototype.call.bind(Object.getOwnPropertyDescriptor(Function.prototype, 'arguments').get);
const listOf = (first, second, count) => (count === 1 ? [] : count === 2 ? [first] : [first, second]);

function emit(type, first, second) {
  const heard = this._events?.[type];
  const count = arguments.length;
  const args = count > 3 ? Array.prototype.slice.call(argumentsOf(emit), 1) : null;
  if (type === 'error') tellOfError(this, heard, args ?? listOf(first, second, count));
  if (heard === undefined) return false;
  const isSeen = hooks.heard !== null && hooks.heard(heard);
  if (typeof heard === 'function') {
    const given =
      args !== null
        ? heard.apply(this, args)
        : count === 2
          ? heard.call(this, first)
          : count === 1
            ? heard.call(this)
            : heard.call(this, first, second);
    if (given !== undefined && given !== null && this[captures])
      follow(this, given, type, args ?? listOf(first, second, count));
    if (isSeen) hooks.turn();
    return true;
  }
  if (isSeen) return emitSeen(this, heard, type, args ?? listOf(first, second, count));
  walks.underWay++;
  try {
    for (let i = 0, end = heard.length; i < end; i++) {
      const given =
        args !== null
          ? heard[i].apply(this, args)
          : count === 2
            ? heard[i].call(this, first)
            : count === 1
              ? heard[i].call(this)
              : heard[i].call(this, first, second);
      if (given !== undefined && given !== null && this[captures])
        follow(this, given, type, args ?? listOf(first, second, count));
    }
  } finally {
    walks.underWay--;
  }
  return true;
}
Object.defineProperty(emit, 'length', { value: 1 });

// While the loop is observed, each listener of the program is a callback of its own.
function emitSeen(emitter, list, type, args) {
  walks.underWay++;
  try {
    for (let i = 0, end = list.length; i < end; i++) {
      const given = hooks.call(list[i].listener ?? list[i], list[i], emitter, args);
      if (given !== undefined && given !== null && emitter[captures]) follow(emitter, given, type, args);
    }
  } finally {
    walks.underWay--;
  }
  return true;
}

// Monitors get every error; an error without another listener is thrown.
function tellOfError(emitter, heard, args) {
  if (emitter._events?.[errorMonitor] !== undefined) emitter.emit(errorMonitor, ...args);
  if (heard !== undefined && emitter._events?.error !== undefined) return;
  const [error] = args;
  if (error instanceof Error) {
    require('internal/errors/emitted').note(error, emitter, emit);
    throw error;
  }
  let text = error;
  try {
    text = require('internal/util/inspect').inspect(error);
  } catch {
    // shown as it is
  }
  throw Object.assign(new codes.ERR_UNHANDLED_ERROR(text), { context: error });
}

// With captureRejections, a rejected promise of a listener is an error of the emitter.
function follow(emitter, promise, type, args) {
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    Reflect.apply(then, promise, [
      undefined,
      (reason) => process.nextTick(tellOfRejection, emitter, reason, type, args),
    ]);
  } catch (error) {
    emitter.emit('error', error);
  }
}

function tellOfRejection(emitter, reason, type, args) {
  if (typeof emitter[rejection] === 'function') return emitter[rejection](reason, type, ...args);
  // Promises of the listeners of this 'error' would lead here again, endlessly.
  const kept = emitter[captures];
  emitter[captures] = false;
  try {
    emitter.emit('error', reason);
  } finally {
    emitter[captures] = kept;
  }
}

module.exports = { emit, walks, captures, errorMonitor, rejection };
