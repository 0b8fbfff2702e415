import { nothing } from './a.mjs';
console.log(nothing);
