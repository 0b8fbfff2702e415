export { x as y } from './circle.mjs';
export { y as x } from './circle.mjs';
await 0;
