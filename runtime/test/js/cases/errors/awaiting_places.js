'use strict';
// Where asynchronous functions wait, in every kind of statement and expression: `at async name (file:line:column)`.
const { writeSync } = require('fs');
const log = (text) => writeSync(1, `${text}\n`);
const mark = async () => {
  await null;
  const lines = new Error('x').stack.split('\n').filter((line) => line.includes(' async '));
  log(lines.slice(0, 2).join('').replaceAll(`${__dirname}/`, ''));
  return 1;
};
const src = { async *[Symbol.asyncIterator]() { await mark(); yield 1; await mark(); } };
const targets = {
  async values() { for await (const value of src) ; },
  async patterns() { let k; const o = {}; for await (const { y = 2 } of src) ; for await (const [a, b = 5] of [[]]) ; for await (o.longer of src) ; for await (o['abc'] of src) ; for await ({ k } of src) ; for await (let   spaced   of   src) ; },
  async lines() {
    const x = (
      await
        mark()
    ).y;
    await Promise.all([
      1,
      mark(),
    ]);
  },
  async chain() { await mark().then(() => 1).catch(() => 2); await Promise.resolve().then(mark); },
};
const tests = { ...targets,
  async plain() { await mark(); await mark(); },
  async forAwait() { await mark(); for await (const x of src) { await mark(); } await mark(); },
  async forAwaitBreak() { for await (const x of src) { await mark(); break; } await mark(); },
  async forAwaitArr() { for await (const x of [1, 2]) { await mark(); } await mark(); },
  async forLoop() { for (let i = await mark(); i < await mark(); await mark(), i++) { await mark(); } await mark(); },
  async forLoop2() { for (let i = 0; i < 1 + (await mark()); await mark(), i++) { await mark(); } await mark(); },
  async whileLoop() { let n = 0; while ((await mark()) && n++ < 2) { await mark(); } await mark(); },
  async doLoop() { let n = 0; do { await mark(); } while ((await mark()) && n++ < 1); await mark(); },
  async tryFinally() { try { await mark(); } finally { await mark(); } await mark(); },
  async tryReturn() { try { await mark(); return 1; } finally { await mark(); } },
  async tryCatch() { try { await mark(); throw 1; } catch { await mark(); } finally { await mark(); } await mark(); },
  async sw() { switch (await mark()) { case await mark() + 1: await mark(); case await mark(): await mark(); default: await mark(); } await mark(); },
  async cond() { (await mark()) ? await mark() : await mark(); (await mark()) && (await mark()); (await mark()) ?? (await mark()); await mark(); },
  async ifs() { if (await mark()) await mark(); else await mark(); if (true) await mark(); else await mark(); if (false) await mark(); await mark(); },
  async destr() { const { a = await mark(), b: [c = await mark()] = [] } = (await mark(), {}); let d; [d = await mark()] = (await mark(), []); ({ d = await mark() } = {}); await mark(); },
  async member() { const o = {}; o[await mark()] = await mark(); o[await mark()] += await mark(); o.x ??= await mark(); await mark(); },
  async call() { const f = (...a) => a; f(await mark(), ...[await mark()], await mark()); `${await mark()}${await mark()}`; new Array(await mark()); f`${await mark()}`; await mark(); },
  async obj() { ({ a: await mark(), [await mark()]: await mark(), ...(await mark()) }); [await mark(), ...[await mark()]]; await mark(); },
  async cls() { const K = class extends (await mark(), Object) { [await mark()]() {} static x = 1; [(await mark(), 'q')] = 5; }; await mark(); },
  async ofLoop() { for (const x of [await mark(), 2]) { await mark(); } for (const k in (await mark(), { a: 1 })) await mark(); await mark(); },
  async label() { a: for (;;) { for (;;) { await mark(); break a; } } await mark(); },
  async nested() { const f = async () => { await 1; await 2; }; await mark(); await f(); function g() { return async function () { await 3; }; } await mark(); },
  async update() { let i = 0; i += await mark(); i++; const x = await mark(), y = await mark(); return await mark(); },
  async opt() { const o = null; o?.[await mark()]; const p = {}; p?.[await mark()]; p.f?.(await mark()); await mark(); },
  async whileBreak() { while (true) { await mark(); if (await mark()) break; } await mark(); for (;;) { await mark(); break; } await mark(); },
  async *gen() { await mark(); yield 1; await mark(); yield await mark(); await mark(); const x = yield; await mark(); },
  async *gen2() { yield* src; await mark(); },
  async *gen3() { yield* [1, 2]; await mark(); try { yield 5; } finally { await mark(); } await mark(); },
  async *gen4() { await mark(); return await mark(); },
  async *gen5() { await mark(); for await (const x of src) { yield x; await mark(); } await mark(); },
};

(async () => {
  for (const [name, test] of Object.entries(tests)) {
    log(`${name}:`);
    const result = test();
    if (result.next) for await (const value of result) ;
    else await result;
  }
})();
