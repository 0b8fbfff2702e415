import './waits.mjs';
console.log('fails starts');
await 0;
throw new Error('of fails');
