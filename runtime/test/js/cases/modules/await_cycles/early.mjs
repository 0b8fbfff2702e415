// Variables of a module with top-level await that has not run yet: the name in the message is the one that the program wrote.
import './support/early/reads.mjs';
console.log('main starts');
await 1;
export let variable = 1;
export const constant = 2;
export class Kind {}
let inner = 3;
export { inner as renamed };
export var old = 4;
export default { value: 5 };
export function reads() {
  return variable;
}
console.log('main ends');
