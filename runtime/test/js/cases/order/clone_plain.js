'use strict';

// structuredClone of plain data, of plain data with something else in it, and what an accessor sees meanwhile.

const shown = (value) => console.log(value);

shown(
  structuredClone({
    a: [1, , 'b', { c: null }],
    m: new Map([
      [{ k: 1 }, [2]],
      ['x', undefined],
    ]),
    ['__proto__']: 1,
  }),
);
const circle = { list: [] };
circle.list.push(circle, circle.list, new Map([[circle, circle]]));
const copy = structuredClone(circle);
shown([copy !== circle, copy.list[0] === copy, copy.list[1] === copy.list, copy.list[2].get(copy) === copy]);

// An accessor changes the map while it is copied, and is called once.
const map = new Map([[1, { get late() { map.set(3, 4); calls++; return 'late'; } }], [2, 2]]); // prettier-ignore
let calls = 0;
shown([structuredClone(map), calls]);
const mixed = { get first() { calls++; return 1; }, date: new Date(0), again: undefined, set: new Set([[1]]) }; // prettier-ignore
mixed.again = mixed.date;
const both = structuredClone(mixed);
shown([both, both.again === both.date, calls]);

class Own { x = 1; } // prettier-ignore
shown(
  structuredClone([new Own(), Object.create(null), Object.create({ inherited: 1 }), Object.assign([1], { more: 2 })]),
);
shown(structuredClone(Object.setPrototypeOf([1], null)));
for (const bad of [{ f() {} }, [Symbol('s')], { a: new Map([[1, () => {}]]) }, { p: new Proxy({}, {}) }]) {
  try {
    shown(structuredClone(bad));
  } catch (error) {
    shown([error.name, error.constructor === DOMException, error.message]);
  }
}
(function () {
  try {
    shown(structuredClone({ inner: arguments }));
  } catch (error) {
    shown(error.name);
  }
})(1);
shown(structuredClone({ after: 'the other way is loaded', list: [new Map([[1, [2]]])] }));

// Jobs of queueMicrotask among others.
const order = [];
Promise.resolve().then(() => order.push('then 1'));
queueMicrotask(() => {
  order.push('job 1');
  queueMicrotask(() => order.push('job of job'));
  Promise.resolve().then(() => order.push('then of job'));
});
Promise.resolve().then(() => order.push('then 2'));
queueMicrotask(() => order.push('job 2'));
queueMicrotask(() => order.push('job 3'));
process.nextTick(() => order.push('tick'));
setImmediate(() => shown(order));
