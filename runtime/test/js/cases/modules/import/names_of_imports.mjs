// What a default value of a parameter sees, values in parentheses, and texts and places of functions after all that.
import last, { path } from '../support/parentheses.mjs';
import * as all from '../support/parentheses.mjs';

function before(x = path) {
  var path = 'the body';
  return [x, path];
}
console.log(before(), last, all.default === last);

const shorthand = { path, all };
console.log(shorthand.path, Object.keys(shorthand.all), new (class { [path] = last })());
const arrow = ({ path }, y = (path) => path) => [path, y(1)];
console.log(arrow({ path: 'own' }), String(() => path), String(function f(x = last) { return `${path}${x}`; }));
try {
  path = 1;
} catch (error) {
  console.log(error.name);
}
try {
  all.path(last)(1);
} catch (error) {
  console.log(error.stack.split('\n')[1].replace(/file:.*\//, ''));
}
export let counter = 0;
export const add = () => ++counter;
import(import.meta.url).then((self) => {
  add();
  console.log(self.counter, counter);
});
