// Promise.any: what it gives, when, and what it says when there is nothing to give.
const log = (name) => (value) => console.log(name, value instanceof Error ? [value.name, value.message, value.errors] : value);
const both = (name, promise) => promise.then(log(`${name} fulfilled`), log(`${name} rejected`));

console.log(Promise.any.name, Promise.any.length, Object.getOwnPropertyDescriptor(Promise, 'any').enumerable);
both('first', Promise.any([Promise.reject(1), Promise.resolve(2), 3]));
both('none', Promise.any([]));
both('all', Promise.any([Promise.reject('a'), Promise.reject('b'), Promise.reject('c')]));
both('no iterable', Promise.any(5).catch((error) => error.constructor.name));
both('thenable', Promise.any([{ then(resolve, reject) { reject('no'); reject('again'); } }, { then(resolve) { resolve('yes'); } }]));
for (const self of [undefined, 1, {}]) {
  try {
    Promise.any.call(self, []);
  } catch (error) {
    console.log(typeof self, error.constructor.name);
  }
}

class Own extends Promise {
  static resolve(value) {
    console.log('resolve', value);
    return super.resolve(value);
  }
}
console.log(Promise.any.call(Own, [7]) instanceof Own);

// An iterator is closed when a step of ours fails, and not when it fails itself.
function* closing(name) {
  try {
    yield 1;
    yield 2;
  } finally {
    console.log('closed', name);
  }
}
class Refusing extends Promise {
  static resolve() { throw new Error('refused'); }
}
both('refusing', Promise.any.call(Refusing, closing('refusing')));
both('failing', Promise.any((function* failing() { yield Promise.reject(0); throw new RangeError('of the iterator'); })()));

// Turns of the microtask queue.
let p = Promise.resolve();
for (let i = 0; i < 8; i++) p = p.then(() => console.log('turn', i));
both('turn of any', Promise.any([Promise.resolve('x')]));
both('turn of none', Promise.any([Promise.reject('x')]));
Promise.any([Promise.reject(1)]).catch((error) => console.log(error.stack, Object.keys(error), error instanceof AggregateError));
