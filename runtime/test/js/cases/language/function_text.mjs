#!/usr/bin/env node
// A function's text is the original one, whatever the loader changes: programs send functions to workers and browsers.
import { sep as s, join } from 'path'; import fs from 'fs'; import * as path from 'path';
import vm from 'vm';

export function f(a, b = 1) { /* c */ return import.meta.url + join(a) + s + fs.x + path.join('a') + import('./z.mjs'); }
export default class K { static s = import.meta.dirname; m() { return f() + join`t`; } async *g() { yield* f(); } get p() { return s?.(1); } #q = 1; }
export const same1 = () => s; export const same2 = () => s;
export let v = 1; export function set() { v = 2; [v] = [3]; ({ v } = { v: 4 }); return { v, s, path }; }
const list = [() => join, (x) => join(x), class { static z = s }, class extends Object { m = () => s; constructor() { super(join); } }];
for (const each of [f, K, K.prototype.m, K.prototype.g, Object.getOwnPropertyDescriptor(K.prototype, 'p').get, same1, same2, set, ...list]) {
  console.log(Function.prototype.toString.call(each));
}
const o = { [s]() { return s; }, get g() { return join; }, async *[join('a')]() { yield* join(s); }, arrow: async () => (await import('fs')).default };
for (const { get, value } of Object.values(Object.getOwnPropertyDescriptors(o))) console.log(String(get ?? value));
function multi(
  a, // one
  b = s,
) {
  /* ü € 🎉 */ const t = `x${s}`;
  return t + join(a)
    + import.meta.filename;
}
console.log(`${multi}`);
function using_() { using x = { [Symbol.dispose]() {} }; return x; }
console.log(using_.toString());

// Those of the language
const natives = [Math.max, Function, Error, TypeError, AggregateError, Error.captureStackTrace, JSON.parse, JSON.stringify, Function.prototype.toString,
  Array.prototype[Symbol.iterator], multi.bind(null), new Proxy(multi, {}), Object.getOwnPropertyDescriptor(Map.prototype, 'size').get];
for (const each of natives) console.log(Function.prototype.toString.call(each));
console.log(vm.runInNewContext('[Math.max, Error, Function.prototype.toString, function mine() { return import("x"); }].map(String)'));
try { Function.prototype.toString.call({}); } catch (error) { console.log(error.name, error.message); }
JSON.parse = function parse() { return 'of the program'; };
console.log(String(JSON.parse));
console.log(Object.getOwnPropertyDescriptor(Function.prototype, 'toString'), 'prototype' in Function.prototype.toString);
