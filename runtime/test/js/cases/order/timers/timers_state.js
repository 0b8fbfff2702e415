// The state of a timer for a program: its properties while it waits, runs and is over, after it was cleared, and when it is inspected.
const { AsyncLocalStorage } = require('async_hooks');
const { inspect } = require('util');
const { setTimeout: wait } = require('timers/promises');

const never = () => console.log('never');
// Numbers that differ from run to run.
const look = (item) => inspect(item).replace(/(_idleStart|Symbol\((?:asyncId|triggerId)\)): \d+/g, '$1: n');

async function main() {
  console.log(setTimeout.length, setInterval.length, setImmediate.length, clearTimeout.length);

  // as it waits, runs and is over
  const seen = setTimeout(function(...args) {
    console.log(this === seen, args, seen._destroyed, seen._idleNext, seen._idlePrev);
  }, 2, 'a', undefined);
  console.log(look(seen), Object.keys(seen).join());
  seen.unref().mine = 1;
  +seen;
  console.log(look(seen));
  seen.ref();
  await wait(10);
  console.log(look({ seen }));

  // cleared: by itself, by its number, by its number as a text; before, while and after it ran
  const cleared = [setTimeout(never, 1, 'x'), setTimeout(never, 1), setTimeout(never, 1)];
  clearTimeout(cleared[0]);
  clearTimeout(+cleared[1]);
  clearTimeout(`${+cleared[2]}`);
  for (const timer of cleared) console.log(timer._destroyed, timer._onTimeout, timer._timerArgs, timer._idleTimeout, timer._idleNext);
  const itself = setTimeout(() => {
    clearTimeout(itself);
    itself.refresh();
    console.log('itself', itself._destroyed, itself._idleTimeout);
  }, 1);
  await wait(10);
  clearTimeout(seen);
  console.log(seen._idleTimeout, seen._onTimeout, seen._timerArgs);
  const deaf = setTimeout(never, 1);
  deaf._onTimeout = null;
  clearTimeout(deaf);
  console.log(deaf._destroyed, deaf._idleTimeout);
  const alike = { _onTimeout() {} };
  clearTimeout(alike);
  console.log(alike._onTimeout, alike._destroyed, alike._idleTimeout);

  // a method of a timer on something else
  for (const timer of [setTimeout(() => {}, 1), setImmediate(() => {})]) timer.unref.call({});

  // lengths
  for (const length of [1.7, '5', { valueOf: () => 7 }, 0, -0, null, true, 2 ** 31 - 1]) {
    const timer = setTimeout(never, length);
    console.log(timer._idleTimeout, timer._repeat);
    clearTimeout(timer);
  }
  const fraction = setInterval(never, 1.7);
  console.log(fraction._idleTimeout, fraction._repeat);
  clearInterval(fraction);

  // a timeout that becomes an interval, and back; what it calls is changed
  let count = 0;
  await new Promise((resolve) => {
    const changing = setTimeout(() => {
      console.log('changing', ++count, changing._repeat, changing._idleTimeout);
      if (count === 1) changing._repeat = 3;
      if (count === 2) changing._onTimeout = function() {
        console.log('changed', this === changing);
        changing._repeat = null;
        setTimeout(resolve, 10);
      };
    }, 1);
  });

  // immediates
  const immediate = setImmediate((...args) => {
    console.log(args, immediate._destroyed, immediate.hasRef(), immediate.ref().hasRef(), immediate._argv);
  }, 1, 2);
  console.log(Object.keys(immediate).join(), look(immediate).replace('_idleNext: null', ''));
  const gone = setImmediate(never);
  clearImmediate(gone);
  console.log(look(gone), gone.hasRef(), gone.ref().hasRef());
  await wait(5);
  console.log(immediate._onImmediate, immediate._argv, immediate.hasRef());

  // the context is that of when it was set; of when it was started anew, if it was over
  const storage = new AsyncLocalStorage();
  let kept;
  storage.run('set', () => {
    kept = setTimeout(() => console.log('context', storage.getStore()), 5);
  });
  storage.run('while it waits', () => kept.refresh());
  await wait(15);
  storage.run('anew', () => kept.refresh());
  await wait(15);
  kept.refresh();
  await wait(15);
  const beats = [];
  await new Promise((resolve) => storage.run('interval', () => {
    const interval = setInterval(() => {
      if (beats.push(storage.getStore()) < 3) return;
      clearInterval(interval);
      setTimeout(resolve, 5); // a fourth would be seen
    }, 1);
  }));
  console.log(beats.join());
}
main();
