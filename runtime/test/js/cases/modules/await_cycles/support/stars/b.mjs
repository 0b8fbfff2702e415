export * from './a.mjs';
export * from './c.mjs';
export * from '../../stars.mjs';
import * as space from './a.mjs';
export function ofB() { return 'b'; }
export function both() { return 'both of b'; }
export { both as shared };
console.log('b starts', space, Reflect.ownKeys(space));
await 0;
console.log('b ends', space.ofA());
