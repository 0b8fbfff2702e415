'use strict';

// Values in both directions, and the errors of each call for a value that it does not accept.

const addon = require(process.argv[2]);
const values = [undefined, null, true, 7, -0.5, 'text', Symbol('s'), 12n, {}, [], () => {}, new ArrayBuffer(4), Buffer.from('ab'),
  new Float64Array(2), new DataView(new ArrayBuffer(4)), new Date(5), Promise.resolve(), new TypeError('x'), /r/, new Map(), class A {},
  new Proxy({}, {}), new Proxy([], {}), new SharedArrayBuffer(2), new (class B extends Error {})(), new Proxy(() => {}, {}), new Uint8ClampedArray(1),
  Object.create(null), new String('boxed'), Math.max];

console.log(values.map(addon.describe).join('\n'));

for (let which = 0; which < 40; which++) {
  const seen = new Map();
  values.forEach((value, i) => {
    const { status, code, message, exception } = addon.refuse(which, value);
    const text = `${status} ${code} ${message}${exception === undefined ? '' : ` ${exception?.name} ${exception?.code}`}`;
    seen.set(text, [...seen.get(text) ?? [], i]);
  });
  for (const [text, list] of seen) console.log(which, text, list.join());
}

for (const number of [0, -0, 1.9, -1.9, 2 ** 31, 2 ** 32 + 5, -(2 ** 33) - 3, 2 ** 53, 1e300, -1e300, NaN, Infinity, -Infinity, 2 ** 63, -(2 ** 63)]) {
  console.log(number, addon.numbers(number));
}
for (const text of ['', 'abc', 'h\u00e9llo w\u00f6rld', '\u20ac\u20ac\u20ac', '\u{1f600}\u{1f600}', '\ud800x', 'a\0b']) {
  for (const room of [1, 2, 5, 60]) console.log(JSON.stringify(text), room, JSON.stringify(addon.texts(text, room)));
}
for (const bigint of [0n, 1n, -1n, 2n ** 64n - 1n, 2n ** 64n, -(2n ** 127n) + 3n, 0x123456789abcdef0fedcba9876543210n]) console.log(bigint, addon.words(bigint));

class Base { get inherited() { return 1; } }
const object = Object.assign(Object.create(Object.create(Base.prototype, { hidden: { value: 1 }, seen: { value: 2, enumerable: true } })),
  { b: 1, 2: 2, 1: 1, [Symbol('key')]: 3 });
Object.defineProperty(object, 'seen', { value: 4, writable: true });
Object.defineProperty(object, 'fixed', { value: 1, enumerable: true });
for (const filter of [0, 1, 2, 4, 8, 16, 2 | 16, 1 | 2 | 4]) {
  for (const own of [1, 0]) {
    const found = addon.keys(object, own, filter, 1);
    console.log(filter, own, own ? found : found.filter((key) => typeof key !== 'string' || !(key in Object.prototype)));
  }
}
console.log(addon.keys(object, 1, 0, 0), addon.keys('ab', 1, 0, 1), addon.keys([5, 6], 1, 2, 0));

const small = new Uint8Array(4);
const [length, offset, buffer, type] = addon.fill(small.subarray(1, 3), 9);
console.log(small, length, offset, buffer === small.buffer, type);
console.log(addon.fill(new Float64Array(3), 0).slice(0, 2), addon.detach(small.buffer), small.length);

console.log(addon.self() === addon, (0, addon.self)() === globalThis, addon.self.call(5), addon.self.call(null) === globalThis);
console.log(addon.given(), addon.given(1, 2, 3, 4, 5, 6, 7, 8));
const made = new addon.given(1);
console.log(made.length, made[2] === addon.given, new (class Sub extends addon.self {})() instanceof addon.self);
const strict = function(...args) { return [this === undefined ? 'undefined' : typeof this, ...args]; };
for (const receiver of [undefined, null, 5, 'x', {}]) console.log(addon.callWith(receiver, strict, 1, 2));
console.log(addon.callWith({ a: 1 }, function() { return this.a; }), addon.callWith(undefined, Function('return this === globalThis')));
process.env.SET_BY_JAVASCRIPT = 'yes';
console.log(addon.environment(), addon.versions());
console.log(addon.self.name, addon.self.length, Object.getOwnPropertyNames(addon.self).sort().join(), typeof addon.self.prototype);
