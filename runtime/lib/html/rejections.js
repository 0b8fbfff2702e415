'use strict';

// Rejected promises by the HTML standard: after a microtask checkpoint, those that nobody has handled so far get a task
// of the DOM manipulation source, which fires 'unhandledrejection' at those that are still not handled then. A later
// handler gets a task that fires 'rejectionhandled'.

const { Event } = require('internal/event_target');
const { isHandled } = require('internal/async/handled');
const { sources, queueTask } = require('internal/html/event_loop');
const { fireAtWindow, print } = require('internal/html/window');

class PromiseRejectionEvent extends Event {
  #promise;
  #reason;

  constructor(type, init) {
    super(type, init);
    this.#promise = init.promise;
    this.#reason = init.reason;
  }

  get promise() {
    return this.#promise;
  }

  get reason() {
    return this.#reason;
  }
}
Object.defineProperty(PromiseRejectionEvent.prototype, Symbol.toStringTag, {
  value: 'PromiseRejectionEvent',
  configurable: true,
});

let outstanding = []; // rejected, and told of: { promise: WeakRef, reason }

function tell({ promise, reason }) {
  if (isHandled(promise)) return;
  if (process.listenerCount('unhandledRejection') > 0) process.emit('unhandledRejection', reason, promise);
  else if (fireAtWindow(new PromiseRejectionEvent('unhandledrejection', { promise, reason, cancelable: true })))
    print('Uncaught (in promise)', reason);
  if (!isHandled(promise)) outstanding.push({ promise: new WeakRef(promise), reason });
}

function tellOfHandled() {
  const still = [];
  for (const entry of outstanding) {
    const promise = entry.promise.deref();
    if (promise === undefined) continue;
    if (!isHandled(promise)) {
      still.push(entry);
      continue;
    }
    queueTask(sources.domManipulation, () => {
      if (!process.emit('rejectionHandled', promise))
        fireAtWindow(new PromiseRejectionEvent('rejectionhandled', { promise, reason: entry.reason }));
    });
  }
  outstanding = still;
}

// "Notify about rejected promises". -> how many may still find a handler
function notify(rejected) {
  if (outstanding.length > 0) tellOfHandled();
  const list = rejected.filter(({ promise }) => !isHandled(promise));
  if (list.length > 0)
    queueTask(sources.domManipulation, () => {
      for (const entry of list) tell(entry);
    });
  return outstanding.length;
}

const countOutstanding = () => outstanding.length;

module.exports = { notify, countOutstanding, PromiseRejectionEvent };
