import './b.mjs';
import './c.mjs';
console.log('a starts');
await 1;
console.log('a 1');
await 2;
console.log('a 2');
Promise.resolve().then(() => console.log('a then'));
process.nextTick(() => console.log('a tick'));
