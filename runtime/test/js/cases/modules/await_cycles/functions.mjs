// Modules with top-level await in a cycle: their functions exist when the cycle is linked, so a module that runs earlier can call them.
import './support/functions/awaits.mjs';
import { seen } from './support/functions/earlier.mjs';
import fallback from './support/functions/expression.mjs';
console.log('main runs', fallback);
export function ofMain(text) {
  return `main got ${text}, ${typeof notYet}`;
}
var notYet = 1;
await 0;
console.log('main ends', seen);
