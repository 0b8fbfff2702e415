'use strict';
// After how many promise jobs things are settled: import() that fails, locks, questions of readline/promises.
const { PassThrough } = require('stream');
const readline = require('readline/promises');

let jobs = 0;
let counting = false;
const log = [];
function count() {
  if (!counting) return;
  jobs++;
  Promise.resolve().then(count);
}
const at = (name) => (value) => log.push(`${name}@${jobs}${value instanceof Error ? ` ${value.name}` : ''}`);

// Each has this many jobs, all in one turn of the loop.
function measure(title, work) {
  return new Promise((resolve) => {
    setImmediate(() => {
      jobs = 0;
      counting = true;
      Promise.resolve().then(count);
      work();
      let left = 30;
      const wait = () => {
        if (left-- > 0) return Promise.resolve().then(wait);
        counting = false;
        console.log(title, log.splice(0).join(', '));
        resolve();
      };
      Promise.resolve().then(wait);
    });
  });
}

function ask(settings, work) {
  const input = new PassThrough();
  const dialogue = readline.createInterface({ input, output: new PassThrough(), ...settings });
  dialogue.on('close', at('close'));
  work(dialogue, input);
}

const { locks } = navigator;
const fails = (specifier, options) => () => import(specifier, options).then(at('good'), at('bad'));

const measured = {
  'import: text throws': fails({
    toString() {
      throw new RangeError('text');
    },
  }),
  'import: a symbol': fails(Symbol('specifier')),
  'import: getter throws': fails('fs', {
    get with() {
      throw new RangeError('with');
    },
  }),
  'import: no options': fails('fs', 5),
  'import: no package': fails('no-such-package'),
  'import: no builtin': fails('node:nothing'),
  'lock: one': () => locks.request('a', at('held')).then(at('done')),
  'lock: two'() {
    locks.request('a', at('held')).then(at('done'));
    locks.request('a', at('held too')).then(at('done, too'));
  },
  'lock: asynchronous'() {
    locks
      .request('a', async () => {
        at('held')();
        await undefined;
        await undefined;
      })
      .then(at('done'));
    locks.request('a', at('held too')).then(at('done, too'));
  },
  'lock: shared'() {
    for (const name of ['one', 'two']) locks.request('a', { mode: 'shared' }, at(name)).then(at(`${name} done`));
    locks.request('a', at('alone')).then(at('alone done'));
  },
  'lock: not available'() {
    let release;
    locks.request('a', () => new Promise((resolve) => (release = resolve))).then(at('done'));
    locks.request('a', { ifAvailable: true }, (lock) => at(lock)()).then(at('missed'));
    release();
  },
  'lock: stolen'() {
    locks.request('a', () => new Promise(() => {})).then(at('done'), at('lost'));
    locks.request('a', { steal: true }, at('thief')).then(at('thief done'));
  },
  'lock: aborted'() {
    const controller = new AbortController();
    let release;
    locks.request('a', () => new Promise((resolve) => (release = resolve))).then(at('done'));
    locks.request('a', { signal: controller.signal }, at('never')).then(at('good'), at('bad'));
    controller.abort();
    release();
  },
  'lock: aborted later'() {
    const controller = new AbortController();
    let release;
    locks.request('a', () => new Promise((resolve) => (release = resolve))).then(at('done'));
    locks.request('a', { signal: controller.signal }, at('never')).then(at('good'), at('bad'));
    Promise.resolve()
      .then(() => {})
      .then(() => {
        at('abort')();
        controller.abort();
        release();
      });
  },
  'lock: in a lock'() {
    locks
      .request('a', async () => {
        at('held')();
        await locks.request('b', at('held too'));
        at('released')();
      })
      .then(at('done'));
  },
  'lock: invalid': () => locks.request('-a', at('never')).then(at('good'), at('bad')),
  'lock: query': () => locks.query().then(at('told')),
  'lines: iterated'() {
    ask({}, async (dialogue, input) => {
      input.end('one\ntwo\nthree');
      for await (const line of dialogue) at(line)();
      at('end')();
    });
  },
  'question: answered'() {
    ask({}, (dialogue, input) => {
      dialogue.question('? ').then(at('answer'));
      input.write('yes\n');
      input.emit('data', 'now\n');
    });
  },
  'question: aborted'() {
    ask({}, (dialogue) => {
      const controller = new AbortController();
      dialogue.question('? ', { signal: controller.signal }).then(at('answer'), at('bad'));
      controller.abort();
      dialogue.question('? ', { signal: controller.signal }).then(at('answer'), at('bad at once'));
      dialogue.question('? ', { signal: 5 }).then(at('answer'), at('invalid'));
    });
  },
  'question: closed'() {
    ask({}, (dialogue) => {
      dialogue.question('? ').then(at('answer'), at('bad'));
      dialogue.close();
      dialogue.question('? ').then(at('answer'), at('bad'));
    });
  },
  'question: left'() {
    ask({ terminal: true }, (dialogue, input) => {
      dialogue.question('? ').then(at('answer'), at('bad'));
      input.emit('keypress', '\x03', { name: 'c', ctrl: true });
    });
  },
};

(async () => {
  for (const [title, work] of Object.entries(measured)) await measure(title, work);
  process.exit();
})();
