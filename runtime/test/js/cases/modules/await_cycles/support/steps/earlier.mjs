import { each } from '../../steps.mjs';
console.log(typeof each, each('x', 1)[Symbol.asyncIterator]().i);
export function counted() {
  const turns = { count: 0 };
  (async () => { while (turns.count < 2000) { await undefined; turns.count++; } })();
  return turns;
}
