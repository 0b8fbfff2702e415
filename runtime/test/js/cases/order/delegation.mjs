// Delegation in modules: the same count of jobs, with imported names in what is delegated to.
import { setImmediate as later } from 'node:timers/promises';
import * as assert from 'node:assert';

async function* inner() { try { yield 1; yield Promise.resolve(2); return 3; } finally { console.log('inner ends'); } }
class Tree {
  constructor(...parts) { this.parts = parts; }
  async *[Symbol.asyncIterator]() { for (const part of this.parts) part instanceof Tree ? yield* part : yield part; }
}
const outer = {
  async *walk() {
    console.log('first', yield* inner());
    console.log('second', yield* ([later, assert].map((x) => typeof x)), yield* (0, new Set([4])));
    const sync = function* () { yield* [5, 6]; };
    yield * sync();
    try { yield* { [Symbol.asyncIterator]: () => ({ next: () => 7 }) }; } catch (error) { console.log(error.name); }
    yield* yield* inner();
  },
};
let jobs = 0;
const count = () => { if (++jobs < 60) queueMicrotask(count); };
queueMicrotask(count);
try {
  for await (const x of outer.walk()) console.log('got', x, jobs);
} catch (error) { console.log(error.name, jobs); }
for await (const x of new Tree(1, new Tree(2, new Tree(3)), 4)) console.log('tree', x, jobs);
await later();
const stopped = outer.walk();
console.log(await stopped.next(), await stopped.return(Promise.resolve(9)), await stopped.next());
