'use strict';
// What is destroyed is reported by the way: 'beforeExit' comes once, although its own print and tick are destroyed.
const destroyed = new Set();
require('async_hooks').createHook({ init() {}, destroy: (id) => destroyed.add(id) }).enable();
let count = 0;
process.on('beforeExit', () => {
  process.nextTick(() => {});
  console.log('beforeExit', ++count);
  if (count === 3) process.exit(1);
});
setTimeout(() => setImmediate(() => setImmediate(() => console.log(destroyed.size > 1))), 1);
