'use strict';
// Stacks of errors that are made after an await: the functions that wait, with their names and receivers, as lines and
// as call sites. Lines of Node's own files are left out.
const { writeSync } = require('fs');
const { AsyncLocalStorage } = require('async_hooks');
const log = (text) => writeSync(1, `${text}\n`);
const shown = (stack) => stack.split('\n').filter((line) => !line.includes('node:')).join('\n').replaceAll(__dirname, '');
const show = (error) => log(shown(error.stack));

const arrow = async () => { await 1; throw new Error('arrow'); };
const short = async (x) => (await x, show(new Error('short')));
const object = {
  async method() { await 1; throw new Error('method'); },
  property: async function () { await 1; throw new Error('property'); },
  'quoted key': async () => { await 1; throw new Error('quoted'); },
  async [Symbol.iterator]() { await 1; throw new Error('symbol'); },
  get getter() { return (async () => { await 1; throw new Error('getter'); })(); },
};
class A {
  async k() { await null; throw new Error('class'); }
  static async s() { await null; throw new Error('static'); }
  async #h() { await 1; throw new Error('private'); }
  h() { return this.#h(); }
  field = async () => { await 1; throw new Error('field'); };
  async waits(f) { await f(); }
}
let assigned;
assigned = async function () { await 1; throw new Error('assigned'); };
const called = ((f) => f)(async () => { await 1; throw new Error('called'); });
async function outer(f) {
  try {
    await f();
  } catch (error) {
    show(error);
  }
}
async function main() {
  const failing = [arrow, () => object.method(), () => object.property(), () => object['quoted key'](), () => object[Symbol.iterator](),
    () => object.getter, () => new A().k(), () => A.s(), () => new A().h(), () => new A().field(), assigned, called,
    () => new A().waits(arrow)];
  for (const f of failing) await outer(f);
  await short();
  await Promise.all([1, outer(arrow)]);
  await outer(arrow).then(() => {});
  await outer(arrow).finally(() => {});
  await Promise.resolve().then(() => outer(arrow));
  await (async () => outer(arrow))();
  await Promise.resolve().then(async function named() { await outer(arrow); });
  await Promise.resolve().then(function reaction() { show(new Error('in a reaction')); });
  for (const wait of [(done) => setTimeout(done, 1), setImmediate, process.nextTick, queueMicrotask]) {
    await new Promise((done) => wait(done));
    show(new Error('continued'));
    await outer(arrow);
  }
  queueMicrotask(() => show(new Error('in a microtask')));
  await 1;
  // Two wait for it: none is shown.
  const both = outer(arrow);
  both.then(() => {});
  await both;
  await new AsyncLocalStorage().run(5, () => outer(arrow));
  async function* values() { await 1; show(new Error('first')); yield 1; await 2; show(new Error('second')); yield* inner(); }
  async function* inner() { await 1; show(new Error('inner')); yield 5; }
  for await (const value of values()) { show(new Error(`value ${value}`)); await 3; show(new Error('body')); }
  const captured = {};
  await (async function hidden() { await 1; (function hide() { Error.captureStackTrace(captured, hide); })(); })();
  log(shown(captured.stack));
  Error.stackTraceLimit = 2;
  await outer(() => outer(() => outer(async () => { await 1; show(new Error('two lines')); })));
  Error.stackTraceLimit = 10;
  Error.prepareStackTrace = (error, sites) => sites.filter((site) => !site.getFileName()?.startsWith('node:')).map((site) =>
    [site.getFunctionName(), site.getTypeName(), site.getMethodName(), site.getLineNumber(), site.getColumnNumber(), site.isAsync(),
      site.isPromiseAll(), site.getPromiseIndex(), site.isToplevel(), site.isConstructor(), site.isNative()].join(' '));
  const sites = async () => { await 1; log(new Error('sites').stack.join('\n')); };
  await Promise.all([new A().waits(sites), 5]);
}
main().then(() => { Error.prepareStackTrace = undefined; show(new Error('end')); });
