'use strict';

// Messages as tasks. Each port is a task source of its own (its port message queue), so the order of messages is
// promised for one port only. Messages to the window have the posted message task source.

const { TaskSource, sources, queueTask } = require('internal/html/event_loop');
const { fire, fireAtWindow } = require('internal/html/window');

const kQueue = Symbol('port message queue');

class PortMessageQueue extends TaskSource {
  tasks = 0; // as many as messages that the port has not heard

  constructor() {
    super('message');
  }
}

// A task for each message of a started port that has none; `deliver` hands out the first message.
function schedule(port, deliver) {
  const source = (port[kQueue] ??= new PortMessageQueue());
  while (source.tasks < port.queue.length) {
    source.tasks++;
    queueTask(source, () => {
      source.tasks--;
      deliver(port);
    });
  }
}

// Setting onmessage starts a port; adding a listener does not.
function startByHandler(prototype) {
  const { set, ...rest } = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
  Object.defineProperty(prototype, 'onmessage', {
    ...rest,
    set(value) {
      Reflect.apply(set, this, [value]);
      this.start();
    },
  });
}

function postMessage(message, options = undefined, transfer = undefined) {
  if (arguments.length === 0)
    throw new TypeError("Failed to execute 'postMessage': 1 argument required, but only 0 present.");
  const { MessageEvent } = require('internal/messaging');
  const { kTrustEvent } = require('internal/event_target');
  const { cloneWithTransfer } = require('internal/structured_clone');
  const list = (typeof options === 'object' && options !== null ? options.transfer : transfer) ?? [];
  const [data, ports, moved] = cloneWithTransfer(message, [...list]);
  if (moved !== undefined) require('internal/worker/transfer').received(moved);
  queueTask(sources.message, () => fireAtWindow(new MessageEvent('message', { data, ports, [kTrustEvent]: true })));
}

module.exports = { schedule, startByHandler, fire, postMessage };
