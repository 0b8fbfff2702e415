'use strict';

// node:worker_threads. Messaging within the thread is here; Worker itself needs the runtime's threads (internal/worker).

const messaging = require('internal/messaging');
const clone = require('internal/structured_clone');
const { codes, E } = require('internal/errors');

E('ERR_WORKER_MESSAGING_FAILED', 'Cannot find the destination thread or listener', Error);

const binding = internalBinding('worker');
const environmentData = new Map();

function setEnvironmentData(key, value) {
  if (value === undefined) environmentData.delete(key);
  else environmentData.set(key, value);
}

function getEnvironmentData(key) {
  return environmentData.get(key);
}

// A runtime without threads has the name all the same, for programs that only look at it.
let WorkerClass;
function getWorker() {
  if (WorkerClass !== undefined) return WorkerClass;
  try {
    WorkerClass = require('internal/worker').Worker;
  } catch {
    WorkerClass = class Worker {
      constructor() {
        throw new codes.ERR_FEATURE_NOT_AVAILABLE('worker_threads.Worker');
      }
    };
  }
  return WorkerClass;
}

module.exports = {
  isInternalThread: false,
  isMainThread: binding.isMainThread ?? true,
  MessagePort: messaging.MessagePort,
  MessageChannel: messaging.MessageChannel,
  markAsUncloneable: clone.markAsUncloneable,
  markAsUntransferable: clone.markAsUntransferable,
  isMarkedAsUntransferable: clone.isMarkedAsUntransferable,
  moveMessagePortToContext() {
    throw new codes.ERR_FEATURE_NOT_AVAILABLE('worker_threads.moveMessagePortToContext');
  },
  receiveMessageOnPort: messaging.receiveMessageOnPort,
  resourceLimits: binding.resourceLimits ?? {},
  async postMessageToThread() {
    throw new codes.ERR_WORKER_MESSAGING_FAILED();
  },
  threadId: binding.threadId ?? 0,
  threadName: binding.threadName ?? '',
  SHARE_ENV: Symbol.for('nodejs.worker_threads.SHARE_ENV'),
  get Worker() {
    return getWorker();
  },
  parentPort: binding.parentPort ?? null,
  workerData: binding.workerData ?? null,
  BroadcastChannel: messaging.BroadcastChannel,
  setEnvironmentData,
  getEnvironmentData,
};
