// `export *` in cycles with top-level await: names that two modules offer, those of the module itself, and default.
import * as a from './support/stars/a.mjs';
import * as b from './support/stars/b.mjs';
console.log(a, b);
for (const name of ['ofA', 'ofB', 'ofC', 'both', 'default', 'shared']) console.log(name, a[name]?.(), b[name]?.());
const show = (error) => console.log(error.name, error.message);
await import('./support/stars/ambiguous.mjs').catch(show);
await import('./support/stars/missing.mjs').catch(show);
await import('./support/stars/circle.mjs').catch(show);
export * from './support/stars/a.mjs';
