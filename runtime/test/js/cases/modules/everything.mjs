import { nextTick } from "node:process";
import def, { x, inc, y as why } from './support/b.mjs';
import * as ns from './support/b.mjs';
import cjs, { foo, bar } from './support/c.cjs';
import data from "./support/d.json" with { type: "json" };
Promise.resolve().then(() => console.log("resolve"))
queueMicrotask(() => console.log("microtask"))
nextTick(() => console.log("nextTick"))
console.log(x, why, def(), ns.x);
inc(); console.log(x, ns.x, ns);
console.log(cjs, foo, bar, data);
{ const x = 5; console.log({ x }, { why }); }
console.log(import.meta.filename === process.argv[1], import.meta.url.endsWith('everything.mjs'), Object.keys(import.meta), import.meta.main);
function f(x) { return x + why; }
console.log(f(1), typeof x, `${x}`);
const m = await import('./support/b.mjs'); console.log(m === ns, m.default.name);
try { await import('./support/nope.mjs') } catch (e) { console.log(e.code, e.message.replace(/'.*?'/g,'P').replaceAll(import.meta.dirname, '')) }
try { x = 5 } catch (e) { console.log(e.constructor.name) }
console.log(Object.getOwnPropertyDescriptor(ns, 'x'), Reflect.ownKeys(ns), this);
export { x as reexported }; export default class { static z = 1 };
console.log((await import('./everything.mjs')).reexported);
