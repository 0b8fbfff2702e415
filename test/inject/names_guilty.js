'use strict';
// Among others of its kind, one function takes long: only this one must be reported.
const fs = require('fs');
const net = require('net');
const { EventEmitter } = require('events');

const burn = (ms) => {
  for (const end = Date.now() + ms; Date.now() < end; );
};
const kinds = {
  file() {
    for (let i = 0; i < 2; i++) fs.stat(__filename, function innocentStat() {});
    fs.readFile(__filename, function innocentRead() {});
    fs.stat(
      __filename,
      // prettier-ignore
      function guiltyFile() { burn(300); },
    );
    for (let i = 0; i < 2; i++) fs.access(__filename, function innocentAccess() {});
  },
  timer() {
    setTimeout(function innocentTimer() {}, 5);
    setTimeout(function guiltyTimer() { burn(300); }, 5);
    setTimeout(function innocentTimerAfter() {}, 5);
  },
  immediate() {
    setImmediate(function innocentImmediate() {});
    setImmediate(function guiltyImmediate() { burn(300); });
    setImmediate(function innocentImmediateAfter() {});
  },
  reaction() {
    setImmediate(() => {
      Promise.resolve().then(function innocentReaction() {});
      Promise.resolve().then(function guiltyReaction() { burn(300); });
      Promise.resolve().then(function innocentReactionAfter() {});
    });
  },
  await() {
    (async function guiltyAwait() {
      await fs.promises.stat(__filename);
      burn(300);
    })();
  },
  tick() {
    setImmediate(() => {
      process.nextTick(function innocentTick() {});
      process.nextTick(function guiltyTick() { burn(300); });
      queueMicrotask(function innocentMicrotask() {});
    });
  },
  socket() {
    const server = net.createServer(function innocentConnection(socket) {
      socket.end('text');
      server.close();
    });
    server.listen(0, '127.0.0.1', () => {
      net.connect(server.address().port, '127.0.0.1').on('data', function guiltySocket() { burn(300); });
    });
  },
  nested() {
    // The time of a listener of the program's own emitter counts for the emitting function.
    const emitter = new EventEmitter().on('event', function inner() { burn(300); });
    setImmediate(function guiltyNested() { emitter.emit('event'); });
  },
};
kinds[process.argv[2]]();
