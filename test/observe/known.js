'use strict';
// A program with known phases and durations, for rota and for Node: main 12 ms, check 15 ms, 40 ms of waiting, timers
// 20 ms, poll 10 ms. It writes down how long each took by its own clock.

const fs = require('fs');
const { performance } = require('perf_hooks');
const measured = [];

function work(name, ms) {
  const begin = performance.now();
  while (performance.now() - begin < ms);
  measured.push({ name, ms: performance.now() - begin });
}

work('main', 12);
setImmediate(function inCheck() {
  work('check', 15);
  setTimeout(function inTimers() {
    work('timers', 20);
    fs.stat(__filename, function inPoll() {
      work('poll', 10);
      fs.writeFileSync(process.argv[2], JSON.stringify(measured));
    });
  }, 40);
});
