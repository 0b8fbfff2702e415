'use strict';

// postMessageToThread: a message to any thread of the process. It goes up to a thread that knows the route, or down to
// the worker that it is for; the result (delivered, or the reason why not) returns on the same route.

const { codes, E } = require('internal/errors');
const { validateNumber } = require('internal/validators');
const { isWorker = false } = internalBinding('runtime');
const self = isWorker ? internalBinding('worker').threadId : 0;

E('ERR_WORKER_MESSAGING_SAME_THREAD', 'Cannot sent a message to the same thread', Error);
E('ERR_WORKER_MESSAGING_TIMEOUT', 'Sending a message to another thread timed out', Error);
E('ERR_WORKER_MESSAGING_ERRORED', 'The destination thread threw an error while processing the message', Error);

const { MessageChannel } = require('internal/messaging');

// A message has arrived at its destination.
function deliver({ value, source, reply }) {
  let outcome = 'none';
  try {
    if (process.listenerCount('workerMessage') > 0) {
      process.emit('workerMessage', value, source);
      outcome = 'taken';
    }
  } catch {
    outcome = 'threw';
  }
  reply.postMessage(outcome);
  reply.close();
}

function workersHere() {
  return require('internal/worker/worker').workers;
}

// Searches the workers of this thread, then the thread above; `from` is the worker that sent the message.
function route(message, from) {
  if (message.target === self) {
    deliver(message);
    return;
  }
  const { target, reply } = message;
  const direct = workersHere().get(target);
  if (direct !== undefined) {
    direct._send(message, [reply, ...message.transfer]);
    return;
  }
  if (isWorker && from !== undefined && message.up !== false) {
    require('internal/worker/thread').sendControl(message, [reply, ...message.transfer]);
    return;
  }
  // The main thread did not make it: it is a worker of a worker. All are asked one after the other.
  const others = [...workersHere().values()].filter((each) => each.threadId !== from && each.threadId !== -1);
  if (others.length > 0 && message.up !== false) {
    others[0]._send({ ...message, up: false }, [reply, ...message.transfer]);
    return;
  }
  reply.postMessage('none');
  reply.close();
}

function postMessageToThread(threadId, value, transferList, timeout) {
  if (typeof transferList === 'number' && timeout === undefined) [transferList, timeout] = [[], transferList];
  return send(threadId, value, transferList ?? [], timeout);
}

async function send(threadId, value, transfer, timeout) {
  validateNumber(threadId, 'threadId', 0);
  if (timeout !== undefined) validateNumber(timeout, 'timeout', 0);
  if (threadId === self) throw new codes.ERR_WORKER_MESSAGING_SAME_THREAD();
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve } = Promise.withResolvers();
  let timer;
  if (timeout !== undefined) timer = setTimeout(resolve, timeout, 'late');
  port1.on('message', resolve);
  port1.on('close', () => resolve('none'));
  const message = { type: 'message', value, source: self, target: threadId, reply: port2, transfer };
  if (workersHere().has(threadId) || !isWorker) route(message);
  else require('internal/worker/thread').sendControl(message, [port2, ...transfer]);
  const outcome = await promise;
  clearTimeout(timer);
  port1.close();
  switch (outcome) {
    case 'taken':
      return;
    case 'threw':
      throw new codes.ERR_WORKER_MESSAGING_ERRORED();
    case 'late':
      throw new codes.ERR_WORKER_MESSAGING_TIMEOUT();
    default:
      throw new codes.ERR_WORKER_MESSAGING_FAILED();
  }
}

module.exports = { postMessageToThread, route };
