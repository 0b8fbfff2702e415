import { inc, x } from './b.mjs';
console.log('cyc sees', typeof inc);
try { x } catch (e) { console.log(e.constructor.name) }
export const later = 'L';
