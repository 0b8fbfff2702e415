'use strict';

// node:worker_threads.

const messaging = require('internal/messaging');
const { BroadcastChannel } = require('internal/broadcast_channel');
const clone = require('internal/structured_clone');
const { E } = require('internal/errors');
const { isWorker = false } = internalBinding('runtime');

E('ERR_WORKER_MESSAGING_FAILED', 'Cannot find the destination thread or listener', Error);

const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
let inThread;
// The state of this thread as a worker; the main thread has one, too, for the data that its workers get.
const here = () => (inThread ??= require('internal/worker/thread').thread);

function setEnvironmentData(key, value) {
  const data = here().environmentData;
  return value === undefined ? void data.delete(key) : void data.set(key, value);
}

function getEnvironmentData(key) {
  return here().environmentData.get(key);
}

function moveMessagePortToContext(port, contextifiedSandbox) {
  return require('internal/worker/moved_port').moveMessagePortToContext(port, contextifiedSandbox);
}

const { MessageChannel, MessagePort, receiveMessageOnPort } = messaging;
const { isMarkedAsUntransferable, markAsUncloneable, markAsUntransferable } = clone;

module.exports = {
  isMainThread: !isWorker,
  isInternalThread: false,
  threadId: isWorker ? internalBinding('worker').threadId : 0,
  threadName: isWorker ? here().name : '',
  parentPort: isWorker ? here().parentPort : null,
  workerData: isWorker ? here().workerData : null,
  resourceLimits: isWorker ? here().resourceLimits : {},
  SHARE_ENV,
  BroadcastChannel,
  MessageChannel,
  MessagePort,
  receiveMessageOnPort,
  moveMessagePortToContext,
  isMarkedAsUntransferable,
  markAsUncloneable,
  markAsUntransferable,
  setEnvironmentData,
  getEnvironmentData,
  get locks() {
    return require('internal/locks').locks;
  },
  get Worker() {
    return require('internal/worker/worker').Worker;
  },
  postMessageToThread: (...args) => require('internal/worker/thread_messages').postMessageToThread(...args),
};
