'use strict';
// A program with known callbacks, which the page must show.

const fs = require('fs');

function work(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

setTimeout(function blocksTheLoop() {
  work(80);
  process.nextTick(function tickAfterwards() {
    work(2);
  });
  Promise.resolve().then(() => work(2));
}, 5);
setImmediate(function firstImmediate() {
  work(3);
});
fs.stat(__filename, function onStat() {
  work(1);
  setTimeout(function lastOne() {
    work(1);
  }, 120);
});
for (let i = 0; i < 20; i++) require('crypto').pbkdf2('a', 'b', 2000, 32, 'sha256', function onKey() {});
