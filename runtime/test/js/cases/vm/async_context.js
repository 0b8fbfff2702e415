// Promises of other contexts carry the current store, in contexts made before and after the first AsyncLocalStorage.
const vm = require('vm');
const contexts = [vm.createContext({ console }), vm.createContext(vm.constants.DONT_CONTEXTIFY), vm.createContext({ Promise: 5 })];
const { AsyncLocalStorage } = require('async_hooks');
const als = new AsyncLocalStorage();
contexts.push(vm.createContext({ Promise: 5 })); // its own name does not matter

const walk = `(als, wait) => als.run('in', async () => {
  const seen = [];
  await 1;
  seen.push(als.getStore());
  const Promise = Object.getPrototypeOf((async () => {})()).constructor;
  await new Promise((done) => wait(done));
  seen.push(als.getStore());
  await new Promise((done) => wait(done)).then(() => seen.push(als.getStore()));
  seen.push(als.getStore());
  for await (const value of (async function* () { yield als.getStore(); })()) seen.push(value);
  try {
    await Promise.reject(1);
  } catch {
    seen.push(als.getStore());
  }
  return seen.join(' ');
})`;
for (const [i, context] of contexts.entries())
  vm.runInContext(walk, context)(als, (done) => setTimeout(done, 1)).then((seen) => console.log(i, seen, als.getStore()));

als.run('main', () => vm.runInContext(`
  (async () => {
    await 1;
    console.log('await', als.getStore());
    queueMicrotask(() => console.log('microtask', als.getStore()));
    await new Promise((done) => setTimeout(done, 200));
    console.log('timer', als.getStore());
  })()`, vm.createContext({ als, console, queueMicrotask, setTimeout })));
const compiled = vm.compileFunction('return (async () => { await 1; return als.getStore(); })()', ['als'], { parsingContext: contexts[0] });
als.run('compiled', () => compiled(als)).then((store) => console.log('compiled', store));

process.on('unhandledRejection', (error) => console.log(error.message, als.getStore()));
als.run('first', () => vm.runInContext("Promise.reject(new Error('rejected'))", contexts[0]));
als.run('second', () => vm.runInContext("Promise.reject(new Error('rejected'))", contexts[1]));
