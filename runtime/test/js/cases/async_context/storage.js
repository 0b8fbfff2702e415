'use strict';
// AsyncLocalStorage through every way in which a function can wait.
const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const storage = new AsyncLocalStorage();
const other = new AsyncLocalStorage({ defaultValue: 'none', name: 'other' });
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function* numbers() {
  yield 1;
  await sleep(1);
  yield storage.getStore();
}

async function walk(name) {
  const seen = [];
  const look = () => seen.push(storage.getStore());
  await 0;
  look();
  await sleep(3);
  look();
  try { await Promise.reject(new Error('no')); } catch { look(); }
  await { then(done) { look(); done(); } };
  look();
  for await (const value of [1, sleep(2)]) { void value; look(); }
  for await (const value of numbers()) seen.push(value);
  await Promise.all([sleep(1).then(look), 1]).finally(look);
  look();
  await new Promise((resolve) => queueMicrotask(() => { look(); resolve(); }));
  await new Promise((resolve) => process.nextTick(() => { look(); setImmediate(() => { look(); resolve(); }); }));
  await new Function('look', 'return (async () => { await 1; look(); })()')(look);
  await other.run(name, async () => { await sleep(1); seen.push(other.getStore()); });
  seen.push(other.getStore());
  return `${name}: ${seen.join()}`;
}

const walks = [];
for (let i = 0; i < 3; i++) walks.push(storage.run(i, walk, `walk ${i}`));
walks.push(walk('outside'));

// The context of the waiting code counts, not that of the resolving code.
let release;
const gate = new Promise((resolve) => { release = resolve; });
storage.run('waiting', () => gate.then(() => console.log('then:', storage.getStore())));
storage.run('awaiting', async () => { await gate; console.log('await:', storage.getStore()); });
storage.run('releasing', () => Promise.all(walks).then((texts) => { console.log(texts.join('\n')); release(); }));

// A promise that was only looked at is still unhandled.
process.on('unhandledRejection', (reason) => console.log('unhandled', reason));
Promise.resolve(Promise.reject(8));
console.log(Promise.reject(9).constructor === Promise, Promise.resolve(4));

storage.run('bound', () => process.nextTick(AsyncResource.bind(() => console.log('bind:', storage.getStore()))));
storage.run('snapshot', () => {
  const snapshot = AsyncLocalStorage.snapshot();
  storage.run('later', () => snapshot(() => console.log('snapshot:', storage.getStore())));
});
storage.run(1, () => { storage.exit(() => console.log('exit:', storage.getStore())); other.enterWith('left behind'); });
console.log(storage.getStore(), other.getStore(), other.name);
