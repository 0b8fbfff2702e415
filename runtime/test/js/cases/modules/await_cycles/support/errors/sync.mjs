import './slow.mjs';
console.log('sync runs');
throw new Error('of sync');
