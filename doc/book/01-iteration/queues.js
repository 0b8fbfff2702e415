const fs = require('node:fs');

fs.stat(__filename, function onStat() {
  setTimeout(function late() {
    console.log('timers, ordered by due time: 500 ms');
  }, 500);
  setTimeout(function early() {
    console.log('timers, ordered by due time: 10 ms');
  }, 10);
  setImmediate(function immediate() {
    console.log('check, a list of its own');
  });
  queueMicrotask(function job() {
    console.log('microtasks, a queue of their own');
  });
  process.nextTick(function tick() {
    console.log('ticks, a queue of their own');
  });
});
