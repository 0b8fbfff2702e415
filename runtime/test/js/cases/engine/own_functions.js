// Functions that the engine has in JavaScript, and classes of the runtime, when each is first used: their bytecode is made by the
// build (runtime/engine/value/functions.h). Here are those that a mistake there would change: closures of such a function, values
// that each engine has once, other realms and threads, constructors with `new` and without.
const { Worker, isMainThread, parentPort } = require('worker_threads');
const vm = require('vm');

const text = `(async () => {
  const log = [];
  new Map([[1, 2], [3, 4]]).forEach((value, key) => log.push(key, value));
  new Set(['a', 'b']).forEach((value) => log.push(value));
  log.push([...new Map([[1, 2]]).entries()].length, [...new Set([1]).values()].length);
  log.push(await { then: (resolve) => resolve('yes') });
  log.push(await Promise.resolve({ then: (resolve, reject) => reject('no') }).catch((error) => error));
  log.push(await Promise.all([1, { then: (resolve) => resolve(2) }]));
  log.push(await Promise.all([1, { then: (resolve, reject) => reject(3) }]).catch((error) => error));
  log.push((await Promise.allSettled([1, Promise.reject(4)])).map(({ status, value, reason }) => [status, value, reason]));
  log.push(await Promise.race([new Promise(() => {}), 5]), await Promise.any([Promise.reject(6), 7]));
  log.push(await Promise.resolve(8).finally(() => log.push('finally')));
  async function* numbers() { try { yield 1; yield Promise.resolve(2); } finally { log.push('end'); } }
  for await (const x of numbers()) log.push(x);
  for await (const x of numbers()) break;
  log.push(await numbers().return({ then: (resolve, reject) => reject('thrown') }).catch((error) => error));
  for await (const x of [1, Promise.resolve(2)]) log.push(x);
  log.push('a-b'.replace(/-/g, () => '+'), [...'aXbX'.matchAll(/X/g)].length, 'a,b'.split(/,/), 'ab'.search(/b/));
  log.push([3, 1, 2].toSorted(), [1, [2]].flat(), [1, 2].reduce((a, b) => a + b), [1, 2].findLast((x) => x < 2));
  log.push(Array.from({ length: 2 }, (_, i) => i), new Uint8Array([2, 1]).map((x) => x * 2).join(), Object.groupBy([1], String)[1]);
  log.push([1, 2, 3].values().filter((x) => x > 1).map((x) => x * 2).toArray(), new Proxy({ a: 1 }, { has: () => true }).a);
  return JSON.stringify(log);
})()`;

async function run() {
  const lines = ['here ' + (await eval(text))];
  lines.push('realm ' + (await vm.runInContext(text, vm.createContext({}))));
  class Child extends Error {}
  lines.push([new Error('a').message, Error('b').message, new Child('c') instanceof Child, new (class {})() instanceof Object].join());
  try {
    AbortController();
  } catch (error) {
    lines.push(error.name);
  }
  try {
    TextDecoder();
  } catch (error) {
    lines.push(error.name);
  }
  lines.push(Object.prototype.toString.call(new AbortController().signal), new TextDecoder('utf-16le').encoding, new URL('a:b').href);
  const { Readable } = require('stream');
  lines.push(Readable({ read() {} }) instanceof Readable, new Readable({ read() {} }) instanceof Readable);
  return lines.join('\n');
}

run().then((lines) => {
  if (!isMainThread) return parentPort.postMessage(lines);
  console.log(lines);
  new Worker(__filename).on('message', (message) => console.log('thread', message === lines));
});
