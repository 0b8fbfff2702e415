// The same in CommonJS, where import() and yield* are what the loader changes.
function f(a) { return import('./z.mjs').then(() => a); }
async function* g() { yield* f(); }
const h = { m() { return import('x'); }, async *it() { yield* [1]; } };
class A { async n() { await import(f); } }
for (const each of [f, g, h.m, h.it, A, A.prototype.n]) console.log(each.toString());
