'use strict';
// Asynchronous functions and generators in a script that needs no loader, against ticks, microtasks and the loop.
const order = [];
const say = (text) => order.push(text);

async function two(name) {
  say(`${name} 0`);
  await undefined;
  say(`${name} 1`);
  await { then: (resolve) => resolve() };
  say(`${name} 2`);
  try {
    await Promise.reject(new Error(name));
  } catch (error) {
    say(error.message);
  } finally {
    await null;
    say(`${name} 3`);
  }
}
async function* numbers() {
  yield 1;
  yield Promise.resolve(2);
  return 3;
}

setImmediate(say, 'immediate');
setTimeout(say, 0, 'timeout');
process.nextTick(say, 'tick');
queueMicrotask(() => say('microtask'));
two('a').then(() => say('a is done'));
two('b');
(async () => {
  for await (const number of numbers()) say(number);
  for await (const each of ['x', Promise.resolve('y')]) say(each);
})();
process.on('exit', () => console.log(order.filter((text) => text !== 'immediate' && text !== 'timeout').join(', ')));
