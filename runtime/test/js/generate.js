'use strict';

// Writes a random asynchronous program, the same one for the same seed: ticks, microtasks, async functions and
// generators, thenables, timers, immediates, emitters, exceptions, rejections, exits.
//
//   generate.js SEED [cjs|esm] > program
//
// What it prints must not depend on how fast the machine is. So every callback that starts a timer waits until the
// timer is due before it returns, and all timers of a program have the same length. And no tick throws: Node runs the
// ticks that are left then with its next callback of any kind, and V8's own tasks (compiling, collecting) count as
// such, at times of their choosing.

const seed = Number(process.argv[2] ?? 1);
const isModule = process.argv[3] === 'esm';

const { random, pick, chance } = require('./random.js')(seed, 12345);

let label = 0;
let variable = 0;

const throwing = chance(0.3);
const rejecting = chance(0.3);
const exiting = chance(0.1);
let budget = 20 + Math.floor(random() * 60);

function body(depth, indent) {
  const lines = [`log('${++label}');`];
  const count = depth > 5 ? 0 : 1 + Math.floor(random() * 3);
  for (let i = 0; i < count && budget > 0; i++) {
    budget--;
    lines.push(...action(depth + 1, indent));
  }
  if (depth > 1 && throwing && mayThrow && chance(0.06)) lines.push(`throw 'thrown ${++label}';`);
  return lines;
}

let mayThrow = true;

// A function for `where`: 'tick' for callbacks that must not throw, 'sync' for those called at once, else 'own'.
function fn(depth, where = 'own') {
  const before = mayThrow;
  if (where !== 'sync') mayThrow = where === 'own';
  const lines = body(depth);
  mayThrow = before;
  return `() => {\n${lines.map((line) => `  ${line.replace(/\n/g, '\n  ')}`).join('\n')}\n}`;
}

const actions = {
  tick: (depth) => [`process.nextTick(${fn(depth, 'tick')});`],
  tickArguments: (depth) => [`process.nextTick((a, b) => { log('args', a, b); (${fn(depth, 'tick')})(); }, ${++label}, 'x');`],
  microtask: (depth) => [`queueMicrotask(${fn(depth)});`],
  then: (depth) => [`Promise.resolve(${++label}).then(${fn(depth)})${tail()};`],
  thenChain: (depth) => [`Promise.resolve().then(() => log('${++label}')).then(() => ${pick(['1', 'Promise.resolve()', 'undefined'])}).then(${fn(depth)})${tail()};`],
  newPromise: (depth) => [`new Promise((resolve) => { log('${++label}'); resolve(${pick(['1', 'Promise.resolve(2)', 'thenable(3)'])}); }).then(${fn(depth)})${tail()};`],
  thenable: (depth) => [`Promise.resolve(thenable(${++label})).then(${fn(depth)})${tail()};`],
  timeout: (depth) => {
    const name = `t${++variable}`;
    const lines = [`const ${name} = setTimeout(${fn(depth)}, ${pick(['0', '1', '1', ''])}${''});`.replace(', )', ')')];
    if (chance(0.15)) lines.push(`clearTimeout(${name});`);
    else if (chance(0.1)) lines.push(`process.nextTick(() => clearTimeout(${name}));`);
    else if (chance(0.1)) lines.push(`${name}.unref();`, chance(0.5) ? `${name}.ref();` : '');
    else if (chance(0.1)) lines.push(`${name}.refresh();`);
    else if (chance(0.1)) lines.push(`Promise.resolve().then(() => log('ref', ${name}.hasRef()));`);
    lines.push('due();');
    return lines;
  },
  timeouts: (depth) => [`setTimeout(${fn(depth)}, 1);`, `setTimeout(${fn(depth)}, 1);`, 'due();'],
  interval: (depth) => {
    const name = `n${++variable}`;
    return [`let c${variable} = 0;`, `const ${name} = setInterval(() => { log('interval', ++c${variable}); if (c${variable} === ${1 + Math.floor(random() * 2)}) ` +
      `{ clearInterval(${name}); (${fn(depth)})(); } due(); }, 1);`, 'due();'];
  },
  immediate: (depth) => {
    const name = `i${++variable}`;
    const lines = [`const ${name} = setImmediate(${fn(depth)});`];
    if (chance(0.15)) lines.push(`clearImmediate(${name});`);
    else if (chance(0.1)) lines.push(`process.nextTick(() => clearImmediate(${name}));`);
    return lines;
  },
  immediates: (depth) => [`setImmediate(${fn(depth)});`, `setImmediate(${fn(depth)});`, `setImmediate(${fn(depth)});`],
  asyncFunction: (depth) => {
    const waits = [];
    for (let i = 0; i < 1 + random() * 3; i++) {
      waits.push(`log('${++label}'); await ${pick(['undefined', 'Promise.resolve()', 'thenable(1)', 'sub()', 'new Promise((r) => process.nextTick(r))',
        'new Promise((r) => setImmediate(r))'])};`);
    }
    return [`(async () => { ${waits.join(' ')} (${fn(depth)})(); })()${tail()};`];
  },
  asyncGenerator: (depth) => [
    `(async () => { for await (const v of generator(${1 + Math.floor(random() * 3)})) log('${++label}', v); (${fn(depth)})(); })()${tail()};`],
  forAwait: (depth) => [`(async () => { for await (const v of [Promise.resolve(1), 2, thenable(3)]) log('${++label}', v); })()${tail()};`],
  combinator: (depth) => [`Promise.${pick(['all', 'race', 'any', 'allSettled'])}([Promise.resolve(1), thenable(2), sub()]).then(${fn(depth)})${tail()};`],
  emitter: (depth) => [`{ const e = new EventEmitter(); e.on('x', ${fn(depth, 'sync')}); e.once('x', () => log('${++label}')); e.emit('x'); ${chance(0.5) ? "e.emit('x');" : ''} }`],
  onceEvent: (depth) => [`{ const e = new EventEmitter(); EventEmitter.once(e, 'x').then(${fn(depth)})${tail()}; process.nextTick(() => e.emit('x', 1)); }`],
  reject: () => (rejecting ? [`Promise.reject('r${++label}')${pick(['', '.catch(() => log(\'caught\'))', ''])};`] : [`log('${++label}');`]),
  rejectLater: () => {
    if (!rejecting) return [`log('${++label}');`];
    const name = `p${++variable}`;
    return [`const ${name} = Promise.reject('late${++label}');`,
      pick([`process.nextTick(() => ${name}.catch(() => log('late')));`, `queueMicrotask(() => ${name}.catch(() => log('late')));`,
        `setImmediate(() => ${name}.catch(() => log('late')));`,
        `queueMicrotask(() => process.nextTick(() => ${name}.catch(() => log('late'))));`])];
  },
  finallyChain: (depth) => [`sub().finally(${fn(depth)})${tail()};`],
  timersPromises: (depth) => [`timersPromises.${pick(['setImmediate(1)', 'setTimeout(1, 2)'])}.then(${fn(depth)})${tail()};`, 'due();'],
  abort: (depth) => [`{ const c = new AbortController(); c.signal.addEventListener('abort', ${fn(depth, 'tick')}); ` +
    `${pick(['c.abort();', 'process.nextTick(() => c.abort());', 'queueMicrotask(() => c.abort());'])} }`],
  exit: () => (exiting && chance(0.3) ? [`process.exit(${Math.floor(random() * 5)});`] : [`log('${++label}');`]),
  exitCode: () => [`process.exitCode = ${Math.floor(random() * 4)};`],
  dynamicImport: (depth) => [`import('node:path').then(${fn(depth)})${tail()};`],
  warning: () => [`process.emitWarning('w${++label}');`],
};

function tail() {
  return throwing && !rejecting ? '.catch((error) => log(\'tail\', String(error)))' : '';
}

const names = Object.keys(actions);
const weights = names.map((name) => (/exit|warning|dynamicImport|abort|timersPromises/.test(name) ? 0.3 : /tick|then|timeout|immediate|async/i.test(name) ? 1.5 : 1) *
  (0.3 + random()));
const total = weights.reduce((a, b) => a + b);
function action(depth) {
  let at = random() * total;
  let i = 0;
  while (i < names.length - 1 && (at -= weights[i]) > 0) i++;
  return actions[names[i]](depth);
}

const out = [];
if (isModule) {
  out.push("import EventEmitter from 'node:events';", "import timersPromises from 'node:timers/promises';");
} else {
  out.push("'use strict';", "const EventEmitter = require('node:events');", "const timersPromises = require('node:timers/promises');");
}
out.push(`// seed ${seed}`,
  'let lines = 0;',
  "const log = (...args) => { if (++lines < 2000) console.log(...args); };",
  'const due = () => { const start = process.hrtime(); for (;;) { const [s, n] = process.hrtime(start); if (s * 1e3 + n / 1e6 > 2.1) return; } };',
  "const thenable = (v) => ({ then(resolve) { log('thenable', v); resolve(v); } });",
  "const sub = async () => { log('sub'); await null; log('sub end'); return 7; };",
  'async function* generator(n) { for (let i = 0; i < n; i++) { log(\'yield\', i); if (i === 1) await null; yield i; } }',
  "process.on('exit', (code) => { log('exit', code); process.nextTick(() => log('never')); setImmediate(() => log('never')); });",
  "process.on('warning', (w) => log(w.name, w.message.length < 9 ? w.message : ''));");
if (chance(0.7)) {
  out.push(`let revived = 0; process.on('beforeExit', (code) => { log('beforeExit', code); if (revived++ < 1) { (${fn(3, 'tick')})(); } });`);
}
if (throwing || chance(0.5)) out.push("process.on('uncaughtException', (error, origin) => { log('uncaught', error?.message?.slice(0, 30) ?? String(error), origin); });");
if (rejecting && chance(0.8)) {
  out.push("process.on('unhandledRejection', (reason) => log('unhandled', String(reason)));", "process.on('rejectionHandled', () => log('rejectionHandled'));");
}
if (isModule && chance(0.5)) {
  out.push(...body(1), `await ${pick(['null', 'Promise.resolve()', 'sub()', 'thenable(1)', 'new Promise((r) => setImmediate(r))'])};`);
}
for (let i = 0; i < 4; i++) out.push(...body(0));
// Timers and immediates of the main script come in an order that nothing promises, unless the timers are due already.
out.push('due();');
console.log(out.join('\n'));
