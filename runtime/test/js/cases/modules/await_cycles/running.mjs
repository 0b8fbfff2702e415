// import() of modules that are being evaluated, of their cycles, and of those that wait for them; namespaces meanwhile.
import './support/running/a.mjs';
import { log } from './support/running/log.mjs';
log('main starts');
import('./running.mjs').then((space) => log('main itself', Object.keys(space)));
await import('./support/running/b.mjs');
log('main has b');
export const main = 1;
