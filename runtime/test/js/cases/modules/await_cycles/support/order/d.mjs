import './e.mjs';
import './f.mjs';
import './a.mjs';
console.log('d starts');
await 1;
console.log('d 1');
Promise.resolve().then(() => console.log('d then'));
process.nextTick(() => console.log('d tick'));
