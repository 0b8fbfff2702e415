import './second.mjs';
console.log('first starts');
throw new Error('of first');
await 0;
