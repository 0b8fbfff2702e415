'use strict';
// Nothing that code in a context can get at belongs to the program's realm: neither the functions that stand in for some of the context's own, nor what
// they return, throw, or hand to the code.
const vm = require('vm');

const code = `(() => {
  const found = [];
  const seen = new Set();
  const isOurs = (value) => {
    if (typeof value === 'function' && value !== Function.prototype && !(value instanceof Function) && Object.getPrototypeOf(value) !== null) return false;
    for (let at = value; at !== null; at = Object.getPrototypeOf(at))
      if (at !== Object.prototype && Object.hasOwn(at, 'hasOwnProperty')) return false;
    return true;
  };
  const walk = (value, path, depth) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value) || depth > 6) return;
    seen.add(value);
    if (!isOurs(value)) {
      found.push(path);
      return;
    }
    for (const key of Reflect.ownKeys(value)) {
      const own = Reflect.getOwnPropertyDescriptor(value, key);
      for (const part of ['value', 'get', 'set']) walk(own?.[part], path + '.' + String(key), depth + 1);
    }
    walk(Object.getPrototypeOf(value), path + '.__proto__', depth + 1);
  };
  const thrown = (f) => {
    try {
      return f();
    } catch (error) {
      return error;
    }
  };
  const prepared = (prepare) => {
    Error.prepareStackTrace = prepare;
    const { stack } = new Error('x');
    const other = thrown(() => null.x).stack;
    Error.prepareStackTrace = undefined;
    return [stack, other];
  };
  const shared = () => new Int32Array(new SharedArrayBuffer(8));
  for (const name of Object.getOwnPropertyNames(globalThis)) walk(globalThis[name], name, 0);
  const values = {
    error: thrown(() => null.x), overflow: thrown(() => { const f = () => f(); f(); }), syntax: thrown(() => eval('(')), json: thrown(() => JSON.parse('{')), made: new Error('a'),
    sites: prepared((error, sites) => sites), receivers: prepared((error, sites) => sites.map((site) => [site.getThis(), site.getFunction()])),
    misused: prepared((error, [site]) => Object.getOwnPropertyNames(Object.getPrototypeOf(site)).map((name) => thrown(() => site[name].call({})))),
    captured: [Error, {}].map((object) => (Error.captureStackTrace(object), object.stack)), refused: thrown(() => Error.captureStackTrace(5)),
    waits: [Atomics.waitAsync(shared(), 0, 0), Atomics.waitAsync(shared(), 0, 1), thrown(() => Atomics.wait({})), thrown(() => Atomics.notify({})), thrown(() => Atomics.waitAsync(shared(), 9, 0)),
      thrown(() => Atomics.waitAsync(new BigInt64Array(new SharedArrayBuffer(8)), 0, 5))],
    text: thrown(() => Function.prototype.toString.call(5)), finally: thrown(() => Promise.prototype.finally.call(5)),
  };
  values.handed = [];
  Promise.prototype.finally.call({ constructor: Promise, then(...given) { values.handed.push(given); } }, () => {});
  for (const key of Object.keys(values)) walk(values[key], '<' + key + '>', 0);
  return found.join(' ') || 'nothing';
})()`;

for (const make of [() => vm.createContext(Object.create(null)), () => vm.createContext(vm.constants.DONT_CONTEXTIFY), () => vm.createContext(Object.create(null), { microtaskMode: 'afterEvaluate' })])
  console.log(vm.runInContext(code, make()));
console.log(vm.runInNewContext('Error.captureStackTrace.constructor("return typeof process")()'));
console.log(vm.runInNewContext('Error.prepareStackTrace = (error, sites) => Array.isArray(sites) && sites instanceof Array; [new Error().stack, (() => { try { null.x } catch (e) { return e.stack } })()].join()'));
