import { ofMain } from '../../functions.mjs';
import anonymous, { plain, later, steps, laterSteps, state, change, old } from './awaits.mjs';
import { through, 'a name' as named, all } from './exports.mjs';
import * as space from './exports.mjs';
console.log('earlier runs');
console.log(ofMain('a call'));
console.log(plain(1), plain.name, later.name, anonymous.name, anonymous());
console.log([...steps()]);
later().then((value) => console.log('later gives', value));
laterSteps().next().then(({ value }) => console.log('laterSteps gives', value));
console.log(through(2), named(3), all.plain(4), space.through === plain, all.old);
console.log(old, plain.toString().split('\n')[0], steps.toString().length);
try {
  change(1);
} catch (error) {
  console.log(error.name, error.message);
}
setImmediate(() => console.log(state, change(5), state, space.all.state, old));
export const seen = 'seen';
