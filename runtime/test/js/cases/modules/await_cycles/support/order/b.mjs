import './c.mjs';
import './e.mjs';
console.log('b starts');
Promise.resolve().then(() => console.log('b then'));
process.nextTick(() => console.log('b tick'));
