// `using` and `await using` in an ES module: at its top, beside imports and exports.
import { setTimeout as sleep } from 'node:timers/promises';
import * as self from './using.mjs';

const log = (...words) => console.log(...words);
using first = { [Symbol.dispose]() { log('first is gone', self.count, typeof self.helper); } };
export let count = 1;
export function helper() { using inner = { [Symbol.dispose]() { count++; } }; return count; }
export default class Named {}
await using second = { name: 'second', async [Symbol.asyncDispose]() { log('second begins'); await sleep(1); log('second ends'); } };
log(helper(), count, self.default.name, second.name, Object.keys(self));
await sleep(1);
for (await using item of [null, { async [Symbol.asyncDispose]() { log('item'); } }]) log('turn');
const lib = await import('data:text/javascript,using a = { [Symbol.dispose]() { console.log("data is gone") } }; export const b = 2;');
log(lib.b);
{
  using timers = { sleep, [Symbol.dispose]() { log('block', typeof this.sleep); } };
}
log('end');
