// Every kind of await at the top level of a module in a cycle: what is awaited, how many turns it takes, and where it leads on errors.
import { counted } from './support/steps/earlier.mjs';
import { first, second } from './support/steps/names.mjs';
export const turns = counted();
const log = (...values) => console.log(turns.count, ...values);
export function each(name, count, failing) {
  return {
    i: 0,
    [Symbol.asyncIterator]() { return this; },
    async next() { return this.i < count ? { value: ++this.i, done: false } : { value: undefined, done: true }; },
    async return() { log(`${name} is closed`); if (failing) throw new Error(`${name} fails`); return {}; },
  };
}
log('starts')
await 0
log(await 1 + await 2, [await 3, -await 4], `${await 5}`, typeof await 6, !(await 0), { a: await 7, ...await { b: 8 } })
await (async () => {})(), log('after a comma')
const { x = await 'default', [await 'y']: y } = await { y: 9 };
log(x, y, await (await (async () => () => 'called')())());
try { await Promise.reject(new Error('refused')); } catch (error) { log(error.message); }
try { await { then() { throw new Error('thenable'); } }; } catch (error) { log(error.message); }
log(await { then(done) { done(Promise.resolve('thenable')); } });
if (await true) await null; else await first;
switch (await 'b') { case await 'a': log('a'); break; case await 'b': log('b'); }
for (let i = await 0; i < await 2; i += await 1) log('for', i);
for (const key in await { k: 1 }) log(key);
do await 0
while (await false)
outer: for (const n of await [1, 2, 3]) {
  inner: for await (const m of each(`m${n}`, 3)) {
    if (m === 1) continue;
    if (m === 2 && n === 1) continue outer;
    if (m === 2 && n === 2) continue inner;
    if (n === 3) break outer;
    log('m', n, m);
  }
  log('after inner');
}
for await (const { a, b: [c = await 'c'] = [] } of [{ a: 1 }, Promise.resolve({ a: 2, b: ['d'] })]) log(a, c);
let target = {};
for await (target.value of [1, 2]) ;
for await (target of each('target', 2)) { if (target === 1) break; }
for await (var old of [3]) var another = old;
for await ( // a comment with of in it
  const
    [ p,
      q ] /* of */ of
    [[1, 2]]
) log(p, q);
log(target, old, another);
const closures = [];
for await (const value of each('closures', 2)) closures.push(() => value);
log(closures.map((f) => f()));
try { for await (const v of each('thrown', 1)) throw new Error(`of the body ${v}`); } catch (error) { log(error.message); }
try { for await (const v of each('both', 1, true)) throw new Error(`of the body ${v}`); } catch (error) { log(error.message); }
try { for await (const v of each('left', 1, true)) break; } catch (error) { log(error.message); }
try { for await (const v of [1, Promise.reject(new Error('in the list'))]) log(v); } catch (error) { log(error.message); }
try { for await (const v of 5) log(v); } catch (error) { log(error.name); }
try { for await (const v of { [Symbol.asyncIterator]: () => ({ next: () => 5 }) }) log(v); } catch (error) { log(error.message); }
{ await using r = { name: 'r', async [Symbol.asyncDispose]() { log('end of r'); } }; log(r.name); }
for await (await using r of [{ async [Symbol.asyncDispose]() { log('end of each'); } }]) log(typeof r);
async function inside() { for await (const v of [await 1]) { await using n = null; return [v, n]; } }
log(await inside(), await first(await second()));
class Named { [await 'key'] = 1; static { log('static'); } static [await 'other']() { return 2; } }
log(new Named(), Named.other());
export default await Named;
label: { await 0; break label; }
log('ends', import.meta.url.slice(-9), (() => { try { return arguments; } catch (error) { return error.message; } })());
