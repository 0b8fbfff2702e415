export * from './b.mjs';
import { ofA } from './a.mjs';
console.log('c starts', ofA());
export function ofC() { return 'c'; }
export function both() { return 'both of c'; }
export { shared } from './b.mjs';
