'use strict';

// A worker of a cluster, and the messages between it and the primary.
//
// Messages between a primary and one of its workers, on the channel of the process. A message names an act, for which
// the other side has a handler; `ask` numbers it, and the answer with that number goes to the callback.

const EventEmitter = require('events');

const COMMAND = 'NODE_CLUSTER';

// Asked for together with the message: the sender keeps its handle, and a closed channel is not reported.
const how = { keepOpen: true, swallowErrors: true };

let sequence = 0;

class Line {
  #process;
  #asked = new Map();

  // handlers: { act(message, handle, answer) }
  constructor(process, handlers) {
    this.#process = process;
    process.on('internalMessage', (message, handle) => {
      if (message.cmd !== COMMAND) return;
      if (message.ack !== undefined) {
        const callback = this.#asked.get(message.ack);
        this.#asked.delete(message.ack);
        callback?.(message, handle);
      } else if (Object.hasOwn(handlers, message.act)) {
        handlers[message.act](message, handle, (reply, passed) => this.tell({ ack: message.seq, ...reply }, passed));
      }
    });
  }

  // Through the public `send`: a program may wrap it. -> whether it was sent
  tell(message, handle) {
    if (!this.#process.connected) return false;
    return this.#process.send({ cmd: COMMAND, seq: ++sequence, ...message }, handle ?? undefined, how);
  }

  ask(message, callback, handle) {
    const seq = ++sequence;
    this.#asked.set(seq, callback);
    return this.tell({ ...message, seq }, handle);
  }
}

// cluster.Worker: a worker as the primary sees it, and as the worker sees itself. The two differ in how a worker is
// disconnected; each side adds its own method.

function Worker(options) {
  if (!new.target && !(this instanceof Worker)) return new Worker(options);
  EventEmitter.call(this);
  const { id, process: other, state } = Object(options);
  this.exitedAfterDisconnect = undefined;
  this.state = state || 'none';
  this.id = id | 0;
  if (!other) return;
  this.process = other;
  for (const name of ['error', 'message']) other.on(name, (...args) => this.emit(name, ...args));
}
Object.setPrototypeOf(Worker, EventEmitter);

const methods = {
  kill(signal) {
    this.destroy(signal);
  },
  send(...args) {
    return this.process.send(...args);
  },
  isDead() {
    const { exitCode, signalCode } = this.process;
    return (exitCode ?? signalCode ?? null) !== null;
  },
  isConnected() {
    return this.process.connected;
  },
};
Worker.prototype = Object.assign(Object.create(EventEmitter.prototype), methods);
Object.defineProperty(Worker.prototype, 'constructor', { value: Worker, writable: true, configurable: true });

module.exports = { Line, Worker };
