// A tour of the event loop: what runs when, as it happens.  Run it with `rota examples/tour.js`.
'use strict';
const fs = require('node:fs');

const colour = process.stdout.isTTY && !process.env.NO_COLOR;
const dim = (text) => (colour ? `\x1b[2m${text}\x1b[0m` : text);
const bold = (text) => (colour ? `\x1b[1m${text}\x1b[0m` : text);

let step = 0;
function say(phase, what) {
  console.log(`${String(++step).padStart(3)}  ${bold(phase.padEnd(10))} ${what}`);
}

function chapter(title) {
  console.log(`\n${dim('---')} ${title}`);
}

chapter('The main script runs first; ticks and promise jobs wait until it is done.');
process.nextTick(() => say('tick', 'before any promise job'));
Promise.resolve()
  .then(() => say('microtask', 'after the ticks'))
  .then(() => process.nextTick(() => say('tick', 'queued by a promise job: after all of them')));
queueMicrotask(() => say('microtask', 'queueMicrotask is the same queue'));
say('main', 'the last line of the first chapter');

setTimeout(() => {
  chapter('Between two timers of one list, ticks and promise jobs run.');
  setTimeout(() => {
    say('timers', 'first timer');
    process.nextTick(() => say('tick', 'of the first timer'));
    Promise.resolve().then(() => say('microtask', 'of the first timer'));
  }, 5);
  setTimeout(() => {
    say('timers', 'second timer, due in the same millisecond');
    afterIo();
  }, 5);
}, 20);

function afterIo() {
  fs.readFile(__filename, () => {
    chapter('From an I/O callback, check comes before timers, always.');
    say('poll', 'a file has been read');
    setTimeout(() => {
      say('timers', 'a zero timeout');
      unreferenced();
    }, 0);
    setImmediate(() => {
      say('check', 'an immediate');
      setImmediate(() => say('check', 'an immediate of an immediate: the next iteration'));
    });
    process.nextTick(() => say('tick', 'but first of all, the ticks'));
  });
}

function unreferenced() {
  setTimeout(() => say('timers', 'this never happens'), 1000).unref();
}

process.once('beforeExit', () => {
  chapter('Nothing is left but an unreferenced timer: the loop ends.');
  say('beforeExit', 'may bring it back to life');
  setImmediate(() => say('check', 'as this one did, once'));
});
process.on('exit', (code) => say('exit', `code ${code}; what is queued now never runs`));
