'use strict';
// Scripts that resist their time limit; code that runs afterwards is not affected.
const vm = require('vm');
globalThis.vm = vm;

const inNew = (code, options) => () => vm.runInNewContext(code, {}, { timeout: 20, ...options });
const scripts = {
  plain: inNew('for (;;);'),
  catches: inNew('try { for (;;); } catch (e) { for (;;); }'),
  catchesAndReturns: inNew('try { for (;;); } catch (e) { 5 }'),
  continues: inNew('for (;;) try { for (;;); } finally { continue }'),
  swallows: inNew('for (;;) { try { for (;;); } catch {} }'),
  microtask: inNew('Promise.resolve().then(() => { for (;;); })', { microtaskMode: 'afterEvaluate' }),
  getter: inNew('Object.defineProperty(globalThis, "q", { get() { for (;;); } }); q'),
  getterSwallowed: inNew('Object.defineProperty(globalThis, "q", { get() { for (;;); } }); for (;;) { try { q } catch {} }'),
  toString: inNew('({ toString() { for (;;); } }) + ""'),
  sort: inNew('[3, 2, 1].sort(() => { for (;;); })'),
  waits: inNew('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'),
  waitsAgain: inNew('for (;;) { try { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) } catch {} }'),
  generator: inNew('function* g() { try { for (;;); } finally { for (;;); } } [...g()]'),
  proxy: inNew('new Proxy({}, { get() { for (;;); } }).x'),
  replacer: inNew('"aaa".replace(/a/g, () => { for (;;); })'),
  parses: inNew('JSON.parse("[1]", () => { for (;;); })'),
  here: () => vm.runInThisContext('for (;;) { try { for (;;); } catch {} }', { timeout: 20 }),
  inner: () => vm.runInThisContext('try { vm.runInThisContext("for (;;);", { timeout: 10 }) } catch (e) { e.code }', { timeout: 60000 }),
  outer: () => vm.runInThisContext('try { vm.runInThisContext("for (;;);", { timeout: 60000 }) } catch (e) { for (;;); }', { timeout: 20 }),
  both: () => vm.runInThisContext('try { vm.runInThisContext("for (;;);", { timeout: 10 }) } catch (e) {} for (;;);', { timeout: 60 }),
  throws: inNew('throw new TypeError("its own")'),
  inTime: inNew('6 * 7'),
};

for (const [name, run] of Object.entries(scripts)) {
  let result;
  try {
    result = `returned ${run()}`;
  } catch (error) {
    result = `threw ${error.code ?? error.message}`;
  }
  console.log(name, result);
}

// Nothing stays behind: neither for code that goes on at once, nor for later turns of the loop.
const from = Date.now();
let caught = 0;
while (Date.now() - from < 200) {
  try {
    JSON.parse('{');
  } catch {
    caught++;
  }
}
console.log('went on', caught > 0);
setTimeout(() => {
  for (const begin = Date.now(); Date.now() - begin < 100;);
  console.log('and later, too');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  Promise.resolve().then(() => {
    for (const begin = Date.now(); Date.now() - begin < 60;);
    console.log('in a promise job as well');
  });
}, 10);
