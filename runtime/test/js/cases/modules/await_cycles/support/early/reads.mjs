import whole, { variable, constant as fixed, Kind, renamed as other, old, reads } from '../../early.mjs';
import * as space from '../../early.mjs';
import { passed } from './passes.mjs';
function attempt(name, read) {
  try {
    console.log(name, read());
  } catch (error) {
    const places = error.stack.split('\n').slice(1).filter((line) => line.includes('file:') || line.includes('<anonymous>'));
    console.log(name, `${error}`, places.map((line) => line.replace(/(?:file:.*)?\//, '').replace(/:\d+(?=\)?$)/, '').trim()));
  }
}
attempt('variable', () => variable);
attempt('constant', () => fixed + 1);
attempt('class', () => Kind);
attempt('call', () => other());
attempt('member', () => whole.value);
attempt('tag', () => other`text`);
attempt('shorthand', () => ({ variable }));
attempt('template', () => `${fixed}`);
attempt('var', () => old);
attempt('inside', () => reads());
attempt('passed', () => passed);
attempt('space.variable', () => space.variable);
attempt('space.renamed', () => space.renamed);
attempt('space[key]', () => space['default']);
const messages = (...reads) => {
  for (const read of reads) {
    try {
      console.log(read());
    } catch (error) {
      console.log(`${error}`);
    }
  }
};
messages(
  () => new Kind(),
  () => typeof variable,
  () => Object.keys(space),
  () => Object.getOwnPropertyDescriptor(space, 'constant'),
  () => Object.hasOwn(space, 'constant'),
  () => ({ ...space }),
  () => Object.assign({}, space),
  () => JSON.stringify(space),
  () => Reflect.defineProperty(space, 'constant', { value: 1 }),
  () => { for (const key in space) console.log(key); },
  () => Reflect.has(space, 'constant'),
  () => Object.getOwnPropertyDescriptor(space, 'old'),
  () => space.nothing,
);
console.log(space);
console.log({ a: { b: { space } } }, [space].length);
