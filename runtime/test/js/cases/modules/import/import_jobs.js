'use strict';

// How many jobs import() takes: of a module with others below it, that are known or not; that require() has loaded; that fails.

const { fork } = require('node:child_process');

const programs = {
  below() { load('both'); },
  known() { load('leaf').then(() => later(() => load('both'))); },
  required() { attempt('above'); load('leaf'); load('above'); },
  requiredBelow() { attempt('leaf'); load('both'); },
  requiredItself() { attempt('itself'); },
  requiredInVain() { attempt('waits'); load('waits').then(() => later(() => load('waits'))); },
  race() { load('leaf'); attempt('leaf'); },
  fails() { load('fails', 'cjs'); load('fails', 'cjs'); },
};

if (process.argv.length === 2) {
  (async () => {
    for (const name in programs) {
      const child = fork(__filename, [name]);
      await new Promise((resolve) => child.on('exit', resolve));
    }
  })();
} else {
  const seen = [];
  let jobs = 0;
  const count = () => { if (++jobs < 40) queueMicrotask(count); };
  globalThis.note = (what) => seen.push(`${what} ${jobs}`);
  globalThis.later = (run) => setTimeout(() => {
    jobs = 0;
    run();
    queueMicrotask(count);
  }, 10);
  globalThis.attempt = (name) => {
    try {
      require(`../support/jobs/${name}.mjs`);
    } catch (error) {
      note(error.code);
    }
  };
  globalThis.load = (name, type = 'mjs') => import(`../support/jobs/${name}.${type}`).then(() => note('ok'), (error) => note(`error ${error}`));
  programs[process.argv[2]]();
  queueMicrotask(count);
  process.on('exit', () => console.log(`${process.argv[2]}: ${seen.join(', ')}`));
}
