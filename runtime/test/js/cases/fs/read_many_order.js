// Files that are read at once come to their callbacks one by one: between two of them ticks and promise jobs run, timers and
// immediates do not, and one that throws takes nothing from the others.
const fs = require('fs');
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const count = 150;
const log = [];
let left = count;
process.on('uncaughtException', (error) => log.push(`caught ${error.message}`));
for (let i = 0; i < count; i++) {
  storage.run(i, () => {
    fs.readFile(__filename, i % 2 ? 'latin1' : 'utf8', (error, text) => {
      log.push(`callback ${storage.getStore() === i} ${text.length > 100}`);
      process.nextTick(() => log.push(`tick ${storage.getStore() === i}`));
      Promise.resolve().then(() => {
        log.push(`job ${storage.getStore() === i}`);
        process.nextTick(() => log.push('tick of job'));
      });
      if (--left === 0) setTimeout(end, 20);
      if (i % 50 === 49) throw new Error('thrown');
    });
  });
}

function end() {
  const all = log.join('\n');
  const quiet = 'callback true true\ntick true\njob true\ntick of job';
  const whole = all.split(quiet).length - 1;
  console.log(count, log.filter((line) => line.startsWith('callback')).length, log.filter((line) => line.startsWith('tick true')).length,
    log.filter((line) => line.startsWith('job true')).length, log.filter((line) => line === 'caught thrown').length);
  // After one that throws nothing is drained: what it left runs after the next callback, first.
  console.log(whole >= count - 2 * 3, log.every((line, i) => line !== 'caught thrown' || /^callback|^tick/.test(log[i + 1] ?? 'tick')));
}
