export * from './b.mjs';
export * from './c.mjs';
export function ofA() { return 'a'; }
export default function () { return 'default of a'; }
import { ofB, ofC } from './c.mjs';
console.log('a starts', ofB(), ofC());
await 0;
