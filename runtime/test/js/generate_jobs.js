'use strict';

// Writes a program of many small pieces of asynchronous code, the same one for the same seed: await in all places, thenables that
// resolve late, twice, with promises or not at all, subclasses, the combinators, asynchronous generators and their queues, delegation,
// for await over iterators of all kinds, AsyncLocalStorage through all of it.
//
//   generate_jobs.js SEED [cjs|esm] > program
//
// Beside each piece runs a row of microtasks, and whatever the piece prints is numbered by it: one job more or less shows.

const [, , seed = 1, kind = 'cjs'] = process.argv;
const { pick, chance, below } = require('./random.js')(Number(seed), 777);

const kPieces = 60;
let label = 0;

// A choice among { weight, make } pairs, written flat.
function choose(...pairs) {
  let total = 0;
  for (let i = 0; i < pairs.length; i += 2) total += pairs[i];
  let at = below(1000000) / 1000000 * total;
  for (let i = 0; i < pairs.length; i += 2) if ((at -= pairs[i]) < 0) return pairs[i + 1]();
  return pairs[1]();
}
const several = (most, make) => Array.from({ length: below(most + 1) }, make).join(', ');

const value = () => pick(['undefined', 'null', `${below(50)}`, `'s${below(9)}'`, '[1, 2]', '{ q: 1 }']);

// ---- what can be awaited ----

function thenable() {
  const name = ++label;
  const then = (body) => `{ then(resolve, reject) { log('then ${name}'); ${body} } }`;
  return pick([
    then(`resolve(${value()});`), then(`reject(${name});`), then(`throw ${name};`), then(`resolve(${value()}); throw 7;`),
    then(`resolve(Promise.resolve(${name}));`), then(`resolve({ then(again) { log('again'); again(${value()}); } });`),
    then(`queueMicrotask(() => { log('late ${name}'); resolve(${value()}); reject(1); });`),
    then(`process.nextTick(() => { log('tick ${name}'); resolve(${value()}); resolve(3); });`),
    `{ get then() { log('get ${name}'); return (resolve) => resolve(${value()}); } }`,
    `{ get then() { log('get ${name}'); throw ${name}; } }`, `{ get then() { log('get ${name}'); return 5; } }`,
    `new Proxy({ then(resolve) { resolve(${name}); } }, { get(target, key) { log('key ${name}', key); return target[key]; } })`,
  ]);
}

function simple() {
  return choose(2, value, 2, () => `Promise.resolve(${value()})`, 2, thenable, 1, () => `Promise.reject(${++label})`, 1, () => `Sub.resolve(${value()})`);
}

function awaitable(depth) {
  if (depth <= 0) return simple();
  const name = ++label;
  const inner = () => awaitable(depth - 1);
  return choose(
    4, simple,
    2, () => `Promise.resolve(${inner()})`,
    1, () => `new Sub((resolve) => { log('sub ${name}'); resolve(${inner()}); })`,
    2, () => `(async () => { log('async ${name}'); ${statements(depth - 1, 2, false)} return ${inner()}; })()`,
    2, () => `${pick(['Promise', 'Promise', 'Sub'])}.${pick(['all', 'any', 'race', 'allSettled'])}([${several(3, inner)}])`,
    1, () => `Promise.try(() => { log('try ${name}'); ${chance(0.3) ? `throw ${name}` : `return ${inner()}`}; })`,
    1, () => `laterWith(${pick(['Promise', 'Sub'])}, '${pick(['resolve', 'reject'])}', () => (${inner()}))`,
    2, () => `promised(${inner()}).then((v) => { log('fulfilled ${name}', v); return ${inner()}; })`,
    2, () => `promised(${inner()}).catch((e) => { log('caught ${name}', e); return ${inner()}; })`,
    2, () => `promised(${inner()}).finally(() => { log('finally ${name}'); ${chance(0.3) ? `throw ${name}` : `return ${inner()}`}; })`,
    1, () => `(async function* () { ${statements(depth - 1, 2, true)} })().${pick(['next()', `return(${inner()})`, `throw(${name})`])}`,
    1, () => `Object.assign(Promise.resolve(${name}), { constructor: Sub })`,
    1, () => `Object.assign(Promise.resolve(${name}), { then(resolve) { log('own then ${name}'); resolve(${value()}); } })`,
  );
}

function iterable(depth) {
  const name = ++label;
  const list = () => `[${several(3, () => awaitable(depth - 1))}]`;
  return choose(
    3, list,
    1, () => `new Set(${list()})`,
    2, () => `byHand(${list()}, '${name}', Symbol.iterator)`,
    2, () => `byHand(${list()}, '${name}', Symbol.asyncIterator)`,
    3, () => `(async function* () { ${statements(depth - 1, 3, true)} })()`,
    2, () => `(function* () { try { log('sent ${name}', yield ${awaitable(depth - 1)}); yield* [${awaitable(depth - 1)}]; } finally { log('closed ${name}'); } })()`,
  );
}

// ---- statements of an async function, or of an asynchronous generator ----

function statements(depth, most, inGenerator) {
  return Array.from({ length: 1 + below(most) }, () => statement(depth, inGenerator)).join(' ');
}

function statement(depth, inGenerator) {
  const name = ++label;
  const some = () => awaitable(depth - 1);
  const nested = (most) => statements(depth - 1, most, inGenerator);
  if (depth <= 0) {
    return choose(2, () => `log('${name}');`, 2, () => `log('${name}', await ${simple()});`, inGenerator ? 3 : 0, () => `log('${name}', yield ${simple()});`,
      0.4, () => `throw ${name};`, 0.3, () => `return ${simple()};`);
  }
  return choose(
    4, () => `log('${name}', await ${some()});`,
    2, () => `try { ${nested(2)} } catch (e) { log('catch ${name}', e); ${chance(0.5) ? nested(1) : ''} }`,
    2, () => `try { ${nested(2)} } finally { log('leave ${name}', await ${some()}); ${chance(0.15) ? 'return 5;' : ''} }`,
    3, () => `for await (const v of ${iterable(depth)}) { log('each ${name}', v); ${chance(0.4) ? nested(1) : ''} ${chance(0.25) ? pick(['break;', 'continue;', 'throw 8;', 'return 9;']) : ''} }`,
    1, () => `l${name}: for (let i = 0; i < 2; i++) for await (const v of ${iterable(depth)}) { log('${name}', v, i); if (i === ${below(2)}) ${pick(['continue', 'break'])} l${name}; }`,
    inGenerator ? 4 : 0, () => `log('sent ${name}', yield ${some()});`,
    inGenerator ? 3 : 0, () => `log('gave ${name}', yield* ${iterable(depth)});`,
    1, () => `queueMicrotask(() => log('job ${name}'));`,
    1, () => `process.nextTick(async () => { log('tick ${name}'); ${statements(depth - 1, 2, false)} });`,
    1, () => `{ const { x = await ${some()}, y: [z] = [await ${some()}] } = { get x() { log('get ${name}'); } }; log('${name}', x, z); }`,
    1, () => `log('${name}', \`\${await ${some()}}\`, ...[await ${some()}], (await ${some()})?.q ?? await ${some()});`,
    1, () => `{ class K { static [await ${value()} + 'k'] = 1; static { log('block ${name}'); } static p = ${some()}; } log('${name}', await K.p); }`,
    1, () => `switch (await ${below(3)}) { case await 0: log('zero ${name}'); case 1: log('one ${name}', await ${some()}); break; default: log('other ${name}'); }`,
    1, () => `log('${name}', await storage.run('s${name}', async () => { log('in ${name}'); ${statements(depth - 1, 2, false)} return ${some()}; }));`,
    1, () => `storage.run('r${name}', () => promised(${some()}).then((v) => log('${name}', v), (e) => log('no ${name}', e)));`,
    2, () => `ask((async function* () { ${statements(depth - 1, 3, true)} })(), '${name}', [${several(4, () => pick([`['next', ${simple()}]`, `['return', ${simple()}]`, `['throw', ${name}]`]))}]);`,
    0.4, () => `throw await ${some()};`,
    0.4, () => `return ${some()};`,
  );
}

const head = kind === 'esm' ? "import { AsyncLocalStorage } from 'node:async_hooks';" : "'use strict';\nconst { AsyncLocalStorage } = require('node:async_hooks');";

console.log(`${head}
const storage = new AsyncLocalStorage();
let lines = [];
let jobs = 0;

function show(value) {
  if (value instanceof Promise) return 'a promise';
  if (Array.isArray(value)) return '[' + value.map(show) + ']';
  if (value instanceof AggregateError) return 'all of ' + show(value.errors);
  if (value instanceof Error) return value.name;
  if (typeof value === 'object' && value !== null) return '{' + Object.keys(value) + '}';
  return typeof value === 'function' ? 'a function' : String(value);
}
const log = (...what) => { lines.push([jobs, storage.getStore() ?? '-', ...what.map(show)].join(' ')); };

class Sub extends Promise {
  constructor(executor) { super(executor); log('Sub'); }
  ${chance(0.5) ? "then(a, b) { log('Sub.then'); return super.then(a, b); }" : ''}
  ${chance(0.3) ? `static get [Symbol.species]() { log('species'); return ${pick(['Promise', 'this'])}; }` : ''}
}
const promised = (value) => (value instanceof Promise ? value : Promise.resolve(value));
function laterWith(Class, how, make) {
  const { promise, ...ways } = Class.withResolvers();
  queueMicrotask(() => { log(how); ways[how](make()); });
  return promise;
}
function byHand(list, name, symbol) {
  let i = 0;
  const iterator = {
    next(sent) { log('next ' + name, sent); return i < list.length ? { value: list[i++], done: false } : { value: 'end', done: true }; },
    return(sent) { log('return ' + name); return { value: sent, done: true }; },
  };
  return { [symbol]: () => iterator };
}
function ask(generator, name, requests) {
  requests.forEach(([how, what], i) => generator[how](what).then((v) => log('answer ' + name, i, v.value, v.done), (e) => log('refusal ' + name, i, e)));
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
process.on('unhandledRejection', (reason) => log('unhandled', reason));

const pieces = [
${Array.from({ length: kPieces }, () => `  async () => { ${statement(1 + below(3), false)} },`).join('\n')}
];

(async () => {
  for (const [number, piece] of pieces.entries()) {
    lines = [];
    jobs = 0;
    const count = () => { if (++jobs < 40) queueMicrotask(count); };
    await turn();
    piece().then((value) => log('done', value), (reason) => log('failed', reason));
    queueMicrotask(count);
    for (let i = 0; i < 3; i++) await turn();
    console.log('piece ' + number + '\\n  ' + lines.join('\\n  '));
  }
})();`);
