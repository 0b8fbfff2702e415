'use strict';

// cluster.Worker: a worker as the primary sees it, and as the worker sees itself. The two differ in how a worker is
// disconnected; each side adds its own method.

const EventEmitter = require('events');

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

module.exports = { Worker };
