'use strict';

// Values that look plain and are not, each as the first one that a thread shows.

const { Worker, isMainThread, workerData } = require('worker_threads');

const values = [
  () => new Proxy({ a: 1 }, {}),
  () => new Proxy([1], {}),
  () => Object.create(null, { a: { value: 1, enumerable: true } }),
  () =>
    new (class A {
      x = 1;
    })(),
  () => new (class A extends Map {})([[1, 2]]),
  () => Object.assign([1], { extra: 2 }),
  () => [, 1],
  () => ({ 'a-b': 1 }),
  () => ({ ['__proto__']: 1 }),
  () => ({ constructor: 1 }),
  () => ({ constructor: class B {} }),
  () => ({
    get a() {
      return 1;
    },
  }),
  () => Object.defineProperty({ b: 1 }, 'a', { value: 1 }),
  () => ({ [Symbol('s')]: 1 }),
  () => ({ [Symbol.toStringTag]: 'Tag' }),
  () => ({ [require('util').inspect.custom]: () => 'custom' }),
  () => {
    Object.prototype[require('util').inspect.custom] = () => 'everywhere';
    return {};
  },
  () => {
    Map.prototype[Symbol.for('nodejs.util.inspect.custom')] = () => 'a map';
    return { a: new Map() };
  },
  () => {
    require('util').inspect.defaultOptions.depth = 0;
    return { a: { b: 1 } };
  },
  () => {
    require('util').inspect.defaultOptions = { compact: false };
    return { a: 1 };
  },
  () => {
    const a = {};
    a.a = a;
    return a;
  },
  () => ({ a: { b: { c: { d: 1 } } } }),
  () => "it's",
  () => 'a\nb',
  () => '\u00e9',
  () => ({ a: () => {} }),
  () => [new Date(0), /a/],
  () => Object.freeze({ a: 1 }),
  () =>
    (function () {
      return arguments;
    })(1),
  () => new Uint8Array(2),
  () => Object(1),
];

if (!isMainThread) {
  console.log(workerData, require('util').inspect(values[workerData]()));
} else {
  const next = (i) => {
    if (i < values.length) new Worker(__filename, { workerData: i }).on('exit', () => next(i + 1));
  };
  next(0);
}
