import './rootTwo.mjs';
console.log('slow starts');
await new Promise((resolve) => setTimeout(resolve, 5));
console.log('slow ends');
