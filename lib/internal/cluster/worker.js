'use strict';

// cluster.Worker: a worker as the primary sees it, and as the worker sees itself.

const EventEmitter = require('events');

function Worker(options) {
  if (!(this instanceof Worker)) return new Worker(options);
  EventEmitter.call(this);
  options = options !== null && typeof options === 'object' ? options : {};
  this.exitedAfterDisconnect = undefined;
  this.state = options.state || 'none';
  this.id = options.id | 0;
  if (options.process) {
    this.process = options.process;
    this.process.on('error', (error, ...rest) => this.emit('error', error, ...rest));
    this.process.on('message', (message, handle) => this.emit('message', message, handle));
  }
}
Object.setPrototypeOf(Worker.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Worker, EventEmitter);

Worker.prototype.kill = function(...args) {
  this.destroy(...args);
};

Worker.prototype.send = function(...args) {
  return this.process.send(...args);
};

Worker.prototype.isDead = function() {
  return this.process.exitCode != null || this.process.signalCode != null;
};

Worker.prototype.isConnected = function() {
  return this.process.connected;
};

// ---- messages between the two ----

// A message of the cluster's own; an answer to it (`ack`) goes to the callback.
function makeSender() {
  const callbacks = new Map();
  let sequence = 0;
  function send(target, message, handle, callback) {
    if (!target.connected) return false;
    message = { cmd: 'NODE_CLUSTER', ...message, seq: sequence };
    if (typeof callback === 'function') callbacks.set(sequence, callback);
    sequence++;
    // A program may stand between: it sees the cluster's messages, too.
    return target.send(message, handle ?? undefined, { swallowErrors: true, keepOpen: true });
  }
  function receive(worker, fallback) {
    return (message, handle) => {
      if (message.cmd !== 'NODE_CLUSTER') return;
      let callback = fallback;
      if (message.ack !== undefined) {
        callback = callbacks.get(message.ack) ?? (() => {});
        callbacks.delete(message.ack);
      }
      callback.call(worker, message, handle);
    };
  }
  return { send, receive };
}

module.exports = { Worker, makeSender };
