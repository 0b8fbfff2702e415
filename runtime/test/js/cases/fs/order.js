// A callback of the file system runs in the poll phase: what it queues comes in that order.
const fs = require('fs');
fs.readFile(__filename, (error) => {
  console.log('read', error);
  setTimeout(() => console.log('timeout'), 0);
  setImmediate(() => console.log('immediate'));
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
});
process.nextTick(() => console.log('first tick'));
console.log('main');
