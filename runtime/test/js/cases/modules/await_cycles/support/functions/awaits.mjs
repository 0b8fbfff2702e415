import './earlier.mjs';
import './exports.mjs';
console.log('awaits starts', plain(0));
export let state = await Promise.resolve(10);
console.log('awaits goes on', state);
export function plain(value) {
  return `plain ${value}`;
}
export async function later() {
  return 'later';
}
export function* steps() {
  yield 1;
  yield* [2, 3];
}
export async function* laterSteps() {
  yield* steps();
}
export default function () {
  return 'default';
}
export function change(by) {
  state += by;
  return state;
}
export var old = 'old';
