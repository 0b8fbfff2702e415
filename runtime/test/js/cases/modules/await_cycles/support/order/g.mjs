import './f.mjs';
console.log('g starts');
await 1;
console.log('g 1');
await 2;
console.log('g 2');
Promise.resolve().then(() => console.log('g then'));
process.nextTick(() => console.log('g tick'));
