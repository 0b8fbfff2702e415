export { plain as through, plain as 'a name' } from './awaits.mjs';
export * as all from './awaits.mjs';
console.log('exports starts');
await null;
console.log('exports ends');
