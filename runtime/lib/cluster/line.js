'use strict';

// Messages between a primary and one of its workers, on the channel of the process. A message names an act, for which
// the other side has a handler; `ask` numbers it, and the answer with that number goes to the callback.

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

module.exports = { Line };
