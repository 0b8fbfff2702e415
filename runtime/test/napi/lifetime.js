// Flags: --expose-gc
'use strict';

// Lifetimes. The collector is called repeatedly, since the time of a collection is not specified.

const addon = require(process.argv[2]);
const tick = () => new Promise((done) => setImmediate(done));

async function until(condition) {
  for (let i = 0; i < 50 && !condition(); i++) {
    gc();
    await tick();
  }
  return condition();
}

async function main() {
  console.log(addon.survive(), addon.fileName().endsWith('/lifetime.node'), addon.fileName().startsWith('file:///'));

  const { Counter } = addon;
  const counter = new Counter(5);
  counter.value += 2;
  console.log(counter.add(3), counter.value, counter.unit, Counter.zero().value, counter instanceof Counter, Counter.name, Counter.length);
  console.log(Object.getOwnPropertyNames(Counter.prototype).sort().join(), Object.keys(Counter), Object.keys(Counter.prototype));
  console.log(Object.getOwnPropertyDescriptor(Counter.prototype, 'add').writable, Object.getOwnPropertyDescriptor(Counter, 'prototype').writable);
  class Double extends Counter { add(n) { return super.add(2 * n); } }
  console.log(new Double(1).add(4), new Double(1) instanceof Counter, new Double() + '');
  // A method accepts only objects that its class has constructed; an accessor accepts any.
  const { get } = Object.getOwnPropertyDescriptor(Counter.prototype, 'value');
  const other = Object.setPrototypeOf(new (class extends Counter {})(3), null);
  for (const run of [() => Counter(1), () => counter.add.call({}, 1), () => Object.create(Counter.prototype).add(1), () => counter.add.call(5, 1),
    () => get.call({}), () => get.call(counter), () => counter.add.call(other, 1), () => counter.add.call(new Proxy(counter, {}), 1),
    () => (0, counter.add)(1), () => Counter.zero.call(Counter).value, () => Reflect.construct(Counter, [8], Map).value === undefined,
    () => counter.add.call(Reflect.construct(Counter, [8], Map), 1)]) {
    try {
      console.log(run());
    } catch (error) {
      console.log(error.name, error.code, error.message);
    }
  }

  const before = addon.finalized();
  (() => { for (let i = 0; i < 20; i++) new Counter(i).add(1); })();
  console.log('wraps go', await until(() => addon.finalized() - before > 15));

  (() => addon.hold({ kept: 1 }, 1))();
  gc();
  await tick();
  gc();
  console.log(addon.held(), addon.again(), addon.release(), addon.release(), addon.release());
  console.log('weak ones go', await until(() => addon.held() === undefined), addon.again());
  addon.hold(Symbol.for('registered'), 0);
  gc();
  console.log(addon.held());

  const buffers = addon.finalized();
  (() => { for (let i = 1; i < 20; i++) { addon.externalBuffer(1000 * i).toString(); addon.externalArrayBuffer().byteLength; } })();
  console.log('memory comes back', await until(() => addon.finalized() - buffers > 30));
  const kept = addon.externalBuffer(3);
  console.log(kept, Buffer.isBuffer(kept));

  const tagged = {};
  console.log(addon.checkTag(tagged, 0), addon.tag(tagged, 0), addon.tag(tagged, 1), addon.checkTag(tagged, 0), addon.checkTag(tagged, 1));
  const external = addon.makeExternal();
  console.log(addon.readExternal(external), typeof external, require('util').types.isExternal(external), Object.isExtensible(external));
  console.log(require('util').inspect(external).replace(/[0-9a-f]{6,}/, 'ADDRESS'));
  const externals = addon.finalized();
  (() => { for (let i = 0; i < 20; i++) addon.makeExternal(); })();
  console.log('externals go', await until(() => addon.finalized() - externals > 15), addon.readExternal(external));
}

main();
