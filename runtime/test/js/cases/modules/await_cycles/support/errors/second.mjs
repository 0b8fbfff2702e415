import { nothing } from './third.mjs';
import './first.mjs';
console.log('second starts', nothing());
await 0;
console.log('second ends');
