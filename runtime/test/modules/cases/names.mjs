#!/usr/bin/env node
// Every way to use an imported name, and every way to hide it.
import a, { b, c as d, default as e } from 'x';
import * as n from './y.mjs';
import {} from 'z';
import 'side';
import json from './data.json' with { type: 'json' };
import { "string name" as s } from 'x'
a
b()
d`t`
;[a, b] = [n.x, n['y'], n?.z, n]
new a; new a(); new n.A(1); new n[a](2); new (n.B)(a); new new a()(); new (a)(); new (a.b).c(); new a`t`()
const o = { a, b: b, [d]: d, n, a() { return a }, get b() { return b }, set b(a) { a = b }, async d() {}, *e() {}, async *n() {}, ...a, async, get: 1, set: 2 };
const { x = a, [b]: y, ...z } = o, [p = d, , q] = z;
({ a: o.a, b: o.b } = { a, b });
function f(a, { b, c: { d: e } }, [n = a] = s, ...rest) { return a + b + e + n + d }
function g(v = a) { var a; return a + v }
const h = (a, b = a) => a + b + d, i = a => a, j = async b => b, k = async (a, { b } = d) => { await a; return d }, l = (async), m = async(a, b);
const r1 = ({ a }) => a, r2 = ([a, b], c = ({ d }) => d + a) => a + b + d, r3 = (...a) => a;
{ let a = 1; const b = a; class d { e = e }; function n() { return a + n } a + b + d + n }
for (const a of b) a + b;
for (let a = 0, n = b.length; a < n; a++) n;
for (a.x in n) b;
for (var w in n) w;
for (const [b, { a }] of d) { a + b + d }
try { a() } catch (a) { a + b } finally { a }
try { b } catch { b } try { d } catch ({ a, b: [d] }) { a + b + d }
switch (a) { case b: let a = 1; a; break; default: a + d }
if (a) b(); else if (d) n.f(); else a()
do a(); while (b) a
while (a) b()
a: for (;;) { b: for (;;) { continue a; break b } break }
class A extends a { a = a; static b = b; #p = d; static { var a = 1; a + b } [n.k]() { return this.#p + a } static async *gen() { yield* a; yield* [b] } get a() { return super.a + a } has(o) { return #p in o } 'quoted'() {} 12() {} static static() {} async() {} get() {} set = 1; static async = 2 }
(class a { m() { return a + b } }); (function b() { return a + b })
const t = `x${a}y${`${b}`}z${{ a }.a}`, u = /[/a]b\/c/.test(a) / b / d, v2 = a / b / d, aa = a++ / 2, bb = (a) / b, cc = [a] / b
const dd = a ? b : d ? e : n, ee = a ?? b, ff = typeof a, gg = void b, hh = !d, ii = (-a) ** 2, jj = a in n, kk = a instanceof b, ll = a?.(b)?.[d]?.e
a = 1; b += 2; d++; --e; a ??= b; delete a.b; delete n[b]
const mm = import.meta, nn = import.meta.url, pp = import('x'), qq = import(a, { with: b }), rr = () => import.meta
;(a)(); (a, b)(); ((a))`x`
const ss = async function* () { yield; yield a; yield* b; yield
const x = yield* yield* n; for await (const a of b) a }, tt = function* () { yield* a }
const uu = arguments, vv = () => arguments, ww = function () { return arguments }
x: a
async function late() { await a; for await (const x of b) x }
const yy = 1..a + 1.5.b + .5 + 0x1F + 1e-5 + 1_000n, zz = a
/b/d
const q1 = a => { }
/re/.exec(b)
export { a, b as bb2, n as ns, late as "late name", f as default }
export let live = a, { x: live2 = b } = d
export async function later() {} export function* generator() { yield a }
export class Exported extends a {}
export * from 'star'; export * as star from 'star'
export { a as a2, default as d2 } from "x" ; export {}
