'use strict';

// Random values with random options. The generator is a fixed one, so that Node has made the same values.

const { inspect, formatWithOptions } = require('util');
const seeds = [11, 12, 13];
const count = 70;
let state;
function rnd(n) { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 4294967296 * n); }
const pick = (a) => a[rnd(a.length)];
const words = ['a', 'b', 'foo', 'barBaz', 'a-b', 'x y', '', "it's", 'q"q', '\n', 'line\nline two', '\x1b[31m', '日本', 'é', '😀', '\ud800', '__proto__', '0', '12', 'constructor', 'toString', 'length', '`', "'\"", '${a}', 'A long string with many words in it, longer than most', 'multi\nline\nstring that is rather long so that it has to be cut somewhere\nat the end', '\\', '\t'];
const num = () => pick([0, -0, 1, -1, 5, 42, 1000, 123456.789, 1e21, 1e-7, NaN, Infinity, -Infinity, 2 ** 31, -1234567, 0.1]);
let made;
const K = { A: class A {}, B: class B extends Array {}, M: class M extends Map {}, S: class S extends Set {}, D: class D extends Date {}, P: class P extends Promise {}, T: class T { get [Symbol.toStringTag]() { return 'Tag'; } }, E: class E extends Error {}, MyError: class MyError extends TypeError {}, U: class U extends Uint8Array {}, G: class G { get g() { return 1; } set g(v) {} p = 1; m() {} }, H: class H extends Object {} };
function addProps(o, d, n = rnd(3)) {
  for (let i = 0; i < n; i++) {
    const key = rnd(6) === 0 ? Symbol(pick(words)) : pick(words);
    try {
      switch (rnd(8)) {
        case 0: Object.defineProperty(o, key, { value: gen(d - 1), enumerable: false, configurable: true }); break;
        case 1: { const v = gen(d - 1); Object.defineProperty(o, key, { get() { return v; }, enumerable: true, configurable: true }); break; }
        case 2: { const v = gen(d - 1); Object.defineProperty(o, key, { get() { return v; }, set(x) {}, enumerable: rnd(2) === 0, configurable: true }); break; }
        default: Object.defineProperty(o, key, { value: gen(d - 1), enumerable: true, configurable: true, writable: true });
      }
    } catch {}
  }
  return o;
}
function list(d, n) { const a = []; for (let i = 0; i < n; i++) a.push(gen(d - 1)); return a; }
function mkError(d) {
  const e = new (pick([Error, TypeError, K.E, K.MyError, RangeError]))(pick(['', 'message', 'two\nlines', 'x: y']), rnd(3) === 0 ? { cause: gen(d - 1) } : undefined);
  const head = pick([`${e.name}: ${e.message}`, e.message, e.name, `${e.name}`, 'Other: thing', `${e.constructor.name}: ${e.message}`]);
  const frames = pick(['', '\n    at foo (/x/y.js:1:2)', '\n    at foo (/x/y.js:1:2)\n    at bar (/x/node_modules/pkg/z.js:3:4)\n    at baz (/q.js:5:6)\n    at node:fs:1:1\n    at end (/w.js:1:1)']);
  e.stack = head + frames;
  if (rnd(5) === 0) e.name = pick(['Foo', 'FooError', 'Error', 404, null, undefined, '']);
  if (rnd(4) === 0) e.code = 'E_CODE';
  return e;
}
const kinds = [
  (d) => addProps({}, d, rnd(5)), (d) => addProps({}, d, rnd(12)), (d) => list(d, rnd(4)), (d) => list(d, rnd(10)),
  () => Array.from({ length: rnd(130) }, () => num()), () => Array.from({ length: rnd(40) }, () => pick(words)), () => Array.from({ length: rnd(30) }, () => rnd(1000)),
  (d) => { const a = list(d, 3); a[5 + rnd(5)] = 1; if (rnd(2)) a.length += rnd(4); return a; }, (d) => addProps(list(d, rnd(9)), d, 2),
  (d) => new Map(list(d, rnd(4)).map((k) => [k, gen(d - 1)])), (d) => new Set(list(d, rnd(5))), (d) => addProps(new Map([[1, 2]]), d), (d) => addProps(new Set([1]), d),
  (d) => { const m = new Map(list(d, rnd(4)).map((k) => [k, gen(d - 1)])); const it = pick([m.keys(), m.values(), m.entries()]); if (rnd(3) === 0) it.next(); return addProps(it, d, rnd(2)); },
  (d) => { const m = new Set(list(d, rnd(4))); const it = pick([m.keys(), m.values(), m.entries()]); if (rnd(3) === 0) it.next(); return it; },
  () => new WeakMap(), () => new WeakSet(), (d) => addProps(new Date(rnd(3) ? rnd(1e9) * 1000 : NaN), d, rnd(2)), (d) => addProps(pick([/a/g, /(b|c)+[d-f]*?\d{2,3}/iu, /(?<n>x)\k<n>/]), d, rnd(2)),
  (d) => addProps(pick([() => function () {}, () => () => 1, () => async () => {}, () => function* gg() {}, () => async function* ag() {}, () => class Foo {}, () => class extends Map {}, () => Object.defineProperty(() => 1, 'name', { value: pick(words) })])(), d, rnd(2)),
  (d) => addProps(new Uint8Array(Array.from({ length: rnd(12) }, () => rnd(256))), d, rnd(2)), () => new Float64Array(Array.from({ length: rnd(9) }, num)), () => new BigInt64Array(Array.from({ length: rnd(9) }, () => BigInt(rnd(1e6)))),
  (d) => addProps(new Uint8Array(Array.from({ length: rnd(70) }, () => rnd(256))).buffer, d, rnd(2)), () => new DataView(new ArrayBuffer(rnd(10))), 
  (d) => addProps(Promise.resolve(gen(d - 1)), d, rnd(2)), (d) => { const p = Promise.reject(gen(d - 1)); p.catch(() => {}); return p; }, () => new Promise(() => {}),
  (d) => addProps(Object(pick([1, -0, 'str', true, 1n, Symbol('s'), 'two\nlines'])), d, rnd(2)), (d) => new Proxy(addProps(pick([{}, [1, 2]]), d), addProps({}, d, 1)),
  mkError, mkError, (d) => addProps(new (pick([K.A, K.T, K.G, K.H]))(), d), (d) => addProps(new K.B(1, 2, 3), d, 1), (d) => new K.M([[1, gen(d - 1)]]), (d) => new K.S([gen(d - 1)]), () => new K.D(0), () => new K.P(() => {}), () => new K.U(3),
  (d) => addProps(Object.create(null), d), (d) => addProps(Object.create(pick([null, {}, [], K.A.prototype, Map.prototype, Object.create(null), { x: 1 }])), d),
  (d) => Object.setPrototypeOf(pick([[1, 2], new Map([[1, 2]]), new Set([1]), new Date(0), /x/, new Uint8Array(2), Object(1), Promise.resolve(1)]), null),
  (d) => { const o = addProps({}, d); o.self = o; return o; }, (d) => { const o = addProps([], d, 1); o.push({ o }); return o; }, () => made[rnd(made.length)],
  (d) => ({ [inspect.custom](depth, options) { return pick(['custom\ntext', 5, { depth, compact: options.compact }, [1, 'x']]); } }), (d) => addProps({ [Symbol.toStringTag]: 'Own' }, d), () => (Function('return arguments'))(1, 'two'),
];
function gen(d) {
  if (d <= 0 || rnd(3) === 0) return pick([num, () => pick(words), () => pick(words), () => pick([true, false, null, undefined, 1n, -123456789n, Symbol('sym'), Symbol('a b'), Symbol()])])();
  const v = pick(kinds)(d); if (v !== undefined) made.push(v); return v;
}
function options() {
  const o = {};
  const may = (p, k, v) => { if (rnd(p) === 0) o[k] = v(); };
  may(3, 'depth', () => pick([0, 1, 2, 3, 5, null, Infinity, -1])); may(4, 'colors', () => true); may(3, 'compact', () => pick([true, false, 0, 1, 2, 3, 5]));
  may(3, 'breakLength', () => pick([1, 10, 40, 60, 80, 120, Infinity])); may(5, 'showHidden', () => true); may(5, 'showProxy', () => true); may(5, 'maxArrayLength', () => pick([0, 1, 3, 6, 7, null]));
  may(6, 'maxStringLength', () => pick([0, 3, 10, null])); may(6, 'sorted', () => pick([true, (a, b) => (a < b ? 1 : a > b ? -1 : 0)])); may(4, 'getters', () => pick([true, 'get', 'set'])); may(5, 'numericSeparator', () => true); may(8, 'customInspect', () => false);
  return o;
}
function show(value, settings) {
  if (rnd(6) !== 0) return inspect(value, settings);
  return formatWithOptions(settings, pick(['%s', '%o', '%O', '%j', '%d', '%i', '%f', '%s x %s', '%%%s', '%c|%s']), value, gen(2));
}

for (const seed of seeds) {
  for (let i = 0; i < count; i++) {
    state = (seed * 7919 + i * 104729) >>> 0;
    for (let k = 0; k < 5; k++) rnd(2);
    made = [{ shared: 1 }];
    const value = gen(1 + rnd(5));
    const settings = options();
    let text;
    try {
      text = show(value, settings);
    } catch (error) {
      text = `threw ${error.code || error.name}`;
    }
    console.log(`${seed}.${i} ${text}`);
  }
}
