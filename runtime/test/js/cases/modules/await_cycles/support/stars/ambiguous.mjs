import { both } from './a.mjs';
console.log(both);
