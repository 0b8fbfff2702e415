import './d.mjs';
import './g.mjs';
console.log('f starts');
Promise.resolve().then(() => console.log('f then'));
process.nextTick(() => console.log('f tick'));
