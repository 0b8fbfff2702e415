import './second.mjs';
console.log('third runs');
export function nothing() {}
