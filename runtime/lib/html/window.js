'use strict';

// The global object as a target of events, the firing of events by the loop, and reporting exceptions.
//
// A listener that the loop calls is followed by a microtask checkpoint, as nothing else is on the stack; one that is
// called through dispatchEvent is not.

const { EventTarget, defineEventHandler, setListenerHooks } = require('internal/event_target');
const { runMicrotasks, isWorker } = internalBinding('runtime');
const hooks = require('internal/trace/hooks');
const { setReporter } = require('internal/process/execution');

const target = new EventTarget();
let fired; // the event that the loop has fired

// ---- events ----

function checkpoint(event) {
  if (event === undefined || event !== fired) return;
  runMicrotasks();
  if (hooks.turn !== null) hooks.turn(); // the next listener is a callback of its own
}

setListenerHooks(checkpoint, reportException);

function fire(at, event) {
  const before = fired;
  fired = event;
  try {
    return at.dispatchEvent(event);
  } finally {
    fired = before;
  }
}

function aimAtWindow(event) {
  for (const name of ['target', 'srcElement', 'currentTarget'])
    Object.defineProperty(event, name, { value: globalThis, configurable: true });
  return event;
}

function fireAtWindow(event) {
  return fire(target, aimAtWindow(event));
}

// ---- exceptions ----

let isReporting = false;

function print(prefix, error) {
  const { inspect } = require('internal/util/inspect');
  internalBinding('stdio').writeSync(2, `${prefix} ${inspect(error)}\n`);
  process.exitCode ??= 1;
}

// The code that has thrown may be on the stack, so listeners have no checkpoints. An error in a listener of 'error' is
// printed, but fires no further event.
function reportException(error) {
  if (process.listenerCount('uncaughtException') > 0) {
    process.emit('uncaughtException', error, 'uncaughtException');
    return true;
  }
  let isHandled = false;
  if (!isReporting) {
    isReporting = true;
    try {
      isHandled = !target.dispatchEvent(aimAtWindow(errorEvent(error)));
    } finally {
      isReporting = false;
    }
  }
  if (!isHandled) print('Uncaught', error);
  return true;
}

function errorEvent(error) {
  const { ErrorEvent } = require('internal/events/error_event');
  const place = require('internal/errors/stacks').topFrame?.(error);
  return new ErrorEvent('error', {
    cancelable: true,
    error,
    message: `Uncaught ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`,
    filename: place?.file ?? '',
    lineno: place?.line ?? 0,
    colno: place?.column ?? 0,
  });
}

// ---- onerror ----

// Unlike other handlers it gets the parts of the event, and true means that the error was handled.
let onError = null;

function callOnError(event) {
  if (
    Reflect.apply(onError, globalThis, [event.message, event.filename, event.lineno, event.colno, event.error]) === true
  )
    event.preventDefault();
}

const onerror = {
  get onerror() {
    return onError;
  },
  set onerror(value) {
    const had = onError !== null;
    onError = typeof value === 'function' ? value : null;
    if (onError !== null && !had) target.addEventListener('error', callOnError);
    else if (onError === null && had) target.removeEventListener('error', callOnError);
  },
};

// ---- the global object ----

function install(define) {
  setReporter(reportException);
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'])
    define(name, target[name].bind(target));
  for (const type of ['message', 'unhandledrejection', 'rejectionhandled']) defineEventHandler(target, type);
  Object.defineProperty(target, 'onerror', Object.getOwnPropertyDescriptor(onerror, 'onerror'));
  for (const name of ['onmessage', 'onunhandledrejection', 'onrejectionhandled', 'onerror']) {
    Object.defineProperty(globalThis, name, {
      get: () => target[name],
      set(value) {
        target[name] = value;
      },
      enumerable: true,
      configurable: true,
    });
  }
  define('reportError', (error) => {
    reportException(error);
  });
  define('self', globalThis);
  if (!isWorker) define('window', globalThis);
}

module.exports = { fire, fireAtWindow, reportException, print, install };
