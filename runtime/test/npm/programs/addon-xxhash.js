'use strict';

// A Rust addon, without the JavaScript that usually stands in front of it: functions, a class, errors.

const { xxh32, xxh64, Xxh64 } = require('@node-rs/xxhash-linux-x64-gnu');

console.log(xxh32('hello'), xxh64(Buffer.from('hello')), xxh64('hello', 7n));
const hasher = new Xxh64(7n);
console.log(hasher.update('hel').update(Buffer.from('lo')).digest(), hasher instanceof Xxh64, Object.getOwnPropertyNames(Xxh64.prototype).sort());
for (const bad of [() => xxh32({}), () => xxh64(), () => Xxh64.prototype.digest.call({})]) {
  try {
    bad();
  } catch (error) {
    console.log(error.name, error.code);
  }
}
