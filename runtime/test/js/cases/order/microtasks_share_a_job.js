// queueMicrotask among other jobs: many at once, one from another, after errors, with contexts. The order is that of single jobs.
const { AsyncLocalStorage } = require('async_hooks');
const log = [];
const note = (text) => log.push(text);
const flush = (title) => {
  console.log(title, log.join(' '));
  log.length = 0;
};

function mixed() {
  queueMicrotask(() => {
    note('a');
    queueMicrotask(() => note('a1'));
    Promise.resolve().then(() => note('p2'));
    queueMicrotask(() => note('a2'));
  });
  queueMicrotask(() => note('b'));
  Promise.resolve().then(() => {
    note('p1');
    queueMicrotask(() => note('p1a'));
  });
  queueMicrotask(() => note('c'));
  (async () => {
    await null;
    note('w1');
    await null;
    note('w2');
  })();
  queueMicrotask(() => note('d'));
  process.nextTick(() => {
    note('tick');
    queueMicrotask(() => note('of tick'));
  });
}

// Two chains that never leave the queue empty, and a promise chain beside them.
function chains() {
  let left = 30000;
  let order = 0;
  const step = (name) => () => {
    if (left-- <= 0) return;
    order = (order * 31 + name.charCodeAt(0)) % 1000003;
    queueMicrotask(step(name));
  };
  queueMicrotask(step('x'));
  queueMicrotask(step('y'));
  let turns = 0;
  const turn = () => (++turns < 1000 ? Promise.resolve().then(turn) : note(`turns ${turns} left ${left} order ${order}`));
  Promise.resolve().then(turn);
  setImmediate(() => note(`end ${left} ${order}`));
}

function contexts() {
  const store = new AsyncLocalStorage();
  const tell = (name) => () => note(`${name}:${store.getStore()}`);
  queueMicrotask(tell('before'));
  store.run(1, () => {
    queueMicrotask(tell('one'));
    queueMicrotask(() => {
      store.enterWith(3);
      queueMicrotask(tell('entered'));
    });
  });
  queueMicrotask(tell('between'));
  store.run(2, () => queueMicrotask(tell('two')));
  queueMicrotask(tell('after'));
}

function failing() {
  process.on('uncaughtException', (error) => note(`caught ${error.message}`));
  queueMicrotask(() => note('first'));
  queueMicrotask(() => {
    queueMicrotask(() => note('inner'));
    throw new Error('of one');
  });
  queueMicrotask(() => note('second'));
  Promise.resolve().then(() => note('then'));
  process.nextTick(() => note('tick'));
}

const parts = [mixed, chains, contexts, failing];
(function next() {
  const part = parts.shift();
  if (part === undefined) return;
  part();
  setImmediate(() => setImmediate(() => {
    flush(part.name);
    next();
  }));
})();
