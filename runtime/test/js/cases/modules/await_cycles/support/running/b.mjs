import { log } from './log.mjs';
import * as a from './a.mjs';
log('b starts', a);
import('./a.mjs').then((space) => log('a from b', space === a, space.a));
await new Promise((resolve) => setImmediate(resolve));
log('b goes on', Reflect.ownKeys(a));
export const b = 2;
