'use strict';

// Calls functions that the engine has in JavaScript, each in the ways that differ for it. The build runs this in an
// engine that has nothing but its own globals, and keeps the bytecode of what was compiled then
// (runtime/engine/value/functions.c): what is missing here is parsed by the engine when a program first uses it.

const yes = () => true;
const no = () => false;
const add = (a, b) => a + b;
const same = (x) => x;
const thenable = { then: (resolve) => resolve(1) };
class OtherPromise extends Promise {}

function ofEither(list) {
  for (const test of [yes, no]) {
    list.every(test);
    list.some(test);
    list.filter(test);
    list.find(test);
    list.findLast(test);
    list.findIndex(test);
    list.findLastIndex(test);
  }
  list.forEach(same);
  list.map(same);
}

function ofArrays() {
  const list = [3, 1, 2];
  ofEither(list);
  list.flatMap((x) => [x]);
  [[1], 2].flat();
  list.reduce(add);
  list.reduceRight(add);
  list.reduce(add, 0);
  list.sort();
  list.sort((a, b) => a - b);
  list.toSorted((a, b) => a - b);
  list.toReversed();
  list.toSpliced(0, 1, 5);
  list.with(0, 5);
  list.at(-1);
  list.concat([1], 2);
  list.copyWithin(0, 1);
  list.fill(1);
  list.includes(1);
  list.slice(1);
  list.splice(0, 1);
  for (const x of list.entries()) same(x);
  for (const x of list.keys()) same(x);
  list.values().next();
  Array.isArray(list);
  Array.of(1, 2);
  Array.from(new Set(list));
  Array.from(list, same);
  Array.from({ length: 2 }, same);
  Array.fromAsync([1]);
  Array.fromAsync(new Set([1]), same);
  const [first, ...rest] = new Set(list);
  return [first, ...rest, ...new Map([[1, 2]])];
}

function ofTypedArrays() {
  const list = new Uint8Array([3, 1, 2]);
  ofEither(list);
  list.reduce(add);
  list.reduceRight(add);
  list.sort();
  list.sort((a, b) => a - b);
  list.toSorted((a, b) => a - b);
  list.subarray(1);
  list.toLocaleString();
  list.at(0);
  list.entries().next();
  for (const x of list) same(x);
  Uint8Array.from([1]);
  Uint8Array.from(new Set([1]), same);
  Uint8Array.of(1);
}

function ofTexts() {
  const text = 'a-b-c';
  for (const pattern of [/-/, /-/g, '-']) {
    text.replace(pattern, '+');
    text.replace(pattern, same);
    text.match(pattern);
    text.search(pattern);
    text.split(pattern);
    text.split(pattern, 1);
  }
  text.replaceAll('-', '+');
  text.replaceAll(/(-)/g, '$1');
  for (const found of text.matchAll(/-/g)) same(found);
  /b/.test(text);
  /b/.exec(text);
  String(/b/);
  void /b/gimsuy.flags;
  class Pattern extends RegExp {}
  const own = new Pattern('-', 'g');
  text.replace(own, '+');
  text.match(own);
  text.search(own);
  text.split(own);
  own.test(text);
  text.padStart(9);
  text.padEnd(9, 'x');
  text.repeat(3);
  text.concat('x');
  text.at(0);
  String.raw`a${1}b`;
  text.localeCompare('b');
  for (const x of text) same(x);
  [...text].join();
  text.anchor('x');
  text.bold();
}

function ofCollections() {
  const map = new Map([[1, 2]]);
  const set = new Set([1]);
  map.forEach(same);
  set.forEach(same);
  for (const x of map) same(x);
  for (const x of set.entries()) same(x);
  Map.groupBy([1], same);
  Object.groupBy([1], same);
  Object.fromEntries(map);
  Object.entries({ a: 1 });
  Object.assign({}, { a: 1 });
  for (const name of [
    'union',
    'intersection',
    'difference',
    'symmetricDifference',
    'isSubsetOf',
    'isSupersetOf',
    'isDisjointFrom',
  ])
    set[name](new Set([1, 2]));
  new WeakMap([[map, 1]]).get(map);
  new WeakSet([map]).has(map);
}

function ofObjects() {
  const proxy = new Proxy(
    { a: 1 },
    { get: (target, key) => target[key], set: yes, has: yes, deleteProperty: yes, ownKeys: () => ['a'] },
  );
  same(proxy.a);
  proxy.a = 2;
  same('a' in proxy);
  delete proxy.a;
  const bare = new Proxy({ a: 1 }, {});
  same(bare.a);
  bare.a = 2;
  same('a' in bare);
  Reflect.apply(same, null, [1]);
  Reflect.has({}, 'a');
  Reflect.get({}, 'a');
  Reflect.deleteProperty({}, 'a');
  Reflect.construct(Map, []);
  same.call(null, 1);
  same.apply(null, [1]);
  same.bind(null, 1)();
  same(same instanceof Function);
  same(Function.prototype[Symbol.hasInstance].call(Map, map));
  function map() {}
}

function* count() {
  try {
    yield 1;
    yield* [2, 3];
  } finally {
    yield 4;
  }
}

function ofIterators() {
  for (const x of count()) if (x === 2) break;
  const one = count();
  one.next();
  one.return(5);
  try {
    count().throw(new Error('a'));
  } catch {
    // It was to be called.
  }
  const [a] = count();
  Iterator.from(count()).toArray();
  Iterator.from({ next: () => ({ done: true }) }).toArray();
  for (const name of ['map', 'filter', 'flatMap']) [...[1, 2].values()[name]((x) => [x])];
  [...count().take(1)];
  [...count().drop(1)];
  count().forEach(same);
  count().reduce(add);
  count().some(yes);
  count().every(no);
  count().find(yes);
  return a;
}

async function* produce() {
  try {
    yield 1;
    await 2;
    yield Promise.resolve(3);
    yield* [4];
    return 5;
  } finally {
    await null;
  }
}

async function ofGenerators() {
  for await (const x of produce()) same(x);
  for await (const x of produce()) if (x === 1) break;
  for await (const x of [1, Promise.resolve(2)]) same(x);
  for await (const x of [1]) if (x === 1) break;
  try {
    for await (const x of [Promise.reject(new Error('a'))]) same(x);
  } catch {
    // It was to be rejected.
  }
  const one = produce();
  one.next();
  one.next();
  await one.return(5);
  const other = produce();
  await other.next();
  await other.throw(new Error('a')).catch(same);
  await produce().return(1);
  await produce().throw(new Error('a')).catch(same);
  await (async function* () {
    yield* produce();
  })().next();
}

async function ofPromises() {
  await null;
  await thenable;
  await new OtherPromise((resolve) => resolve(1));
  try {
    await Promise.reject(new Error('a'));
  } catch {
    // It was to be rejected.
  }
  const lists = [[1, Promise.resolve(2), thenable], [Promise.reject(new Error('a')), 1], []];
  for (const list of lists) {
    for (const name of ['all', 'allSettled', 'race']) {
      if (name === 'race' && list.length === 0) continue;
      await Promise[name](list).catch(same);
      await OtherPromise[name](new Set(list)).catch(same);
    }
    await Promise.any(list).catch(same);
  }
  await Promise.resolve(1).then(same).finally(yes);
  await Promise.reject(new Error('a')).finally(yes).catch(same);
  await Promise.resolve(1)
    .finally(() => Promise.reject(new Error('a')))
    .catch(same);
  await Promise.resolve(thenable);
  await new Promise((resolve, reject) => reject(1)).catch(same);
  await new Promise(() => {
    throw new Error('a');
  }).catch(same);
  const { promise, resolve } = Promise.withResolvers();
  setTimeoutless(() => resolve(Promise.resolve(1)));
  await promise.then(same, same);
  await OtherPromise.resolve(1).then(same).catch(same);
  OtherPromise.withResolvers().resolve(1);
  await Promise.try(same, 1);
  return 1;
}

function setTimeoutless(callback) {
  Promise.resolve().then(callback);
}

async function ofAsyncArrows() {
  const one = async (x) => x;
  const object = { async method() {}, async *generator() {} };
  await one(1);
  await object.method();
  await object.generator().next();
}

// What an engine does not have must not keep the rest from being called.
for (const part of [ofArrays, ofTypedArrays, ofTexts, ofCollections, ofObjects, ofIterators]) {
  try {
    part();
  } catch {
    // An older engine, or a newer one.
  }
}
for (const part of [ofPromises, ofGenerators, ofAsyncArrows]) part().catch(same);
