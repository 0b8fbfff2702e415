// The stack of an error is made when it is wanted; nothing shows that: keys, descriptors, changes, frozen errors, classes, limits.
const lines = (error, n = 3) => String(error.stack).split('\n').slice(0, n).map((line) => line.replace(/\(?[^ (]*\/(.*?)(:\d+:\d+)?\)?$/, '$1$2'));
class Base extends Error {
  constructor(message, options) {
    super(message, options);
    this.name = 'Base';
    this.code = 'E_BASE';
  }
}
class Derived extends Base {
  extra = [1];
}
class Deep extends Derived {
  constructor(...args) {
    super(...args);
    Object.defineProperty(this, 'fixed', { value: 1, enumerable: true, configurable: true });
  }
}
function make(Kind) {
  return new Kind('message', { cause: 'cause' });
}
for (const Kind of [Error, TypeError, Base, Derived, Deep]) {
  console.log(Kind.name, Reflect.ownKeys(make(Kind)), Object.keys(make(Kind)), JSON.stringify(make(Kind)), lines(make(Kind)));
  console.log('stack' in make(Kind), Object.hasOwn(make(Kind), 'stack'), Object.hasOwn(make(Kind), 'line'), make(Kind).line, make(Kind).column, make(Kind).sourceURL);
  const { get, set, enumerable, configurable } = Object.getOwnPropertyDescriptor(make(Kind), 'stack');
  console.log(typeof get, typeof set, enumerable, configurable, { ...make(Kind) });
}
const error = make(Base);
error.more = 1;
console.log(Reflect.ownKeys(error), error.stack === error.stack, Reflect.ownKeys(error));
error.stack = 'mine';
console.log(error.stack, `${error}`, delete error.stack, 'stack' in error, Reflect.ownKeys(error));
const changed = make(Error);
changed.message = 'changed later';
changed.name = 'Renamed';
console.log(lines(changed, 1));
const frozen = Object.freeze(make(Derived));
console.log(lines(frozen, 2), Object.isFrozen(frozen), Reflect.ownKeys(frozen).sort());
const sealed = Object.seal(make(Error));
console.log(Reflect.ownKeys(sealed).sort(), lines(sealed, 1), Object.isSealed(sealed));
const closed = Object.preventExtensions(make(Error));
console.log(lines(closed, 2), Object.isExtensible(closed));
console.log(Reflect.defineProperty(make(Error), 'stack', { value: 5 }), Object.defineProperty(make(Error), 'stack', { value: 5 }).stack);
console.log(Object.defineProperty(make(Error), 'line', { value: 5, enumerable: true }).line, Object.entries(Object.assign(make(Error), { line: 7, column: 8 })));
function capture() {
  const again = make(Base);
  Error.captureStackTrace(again, capture);
  return again;
}
function outer() {
  return capture();
}
console.log(lines(outer(), 2), Reflect.ownKeys(outer()));
const inherits = Object.create(make(Derived));
console.log(lines(inherits, 2), Object.hasOwn(inherits, 'stack'));
const copy = structuredClone(make(TypeError));
console.log(copy instanceof TypeError, copy.message, copy.cause, lines(copy, 2));
const deep = (n, f) => (n === 0 ? f() : deep(n - 1, f));
Error.stackTraceLimit = 3;
const short = deep(20, () => make(Deep));
Error.stackTraceLimit = 15;
const long = deep(20, () => make(Deep));
Error.stackTraceLimit = 0;
const none = make(Deep);
Error.stackTraceLimit = 10;
console.log(short.stack.split('\n').length, long.stack.split('\n').length, none.stack);
const sites = [];
const waiting = [make(Error), make(Deep), deep(3, () => make(Base))];
Error.prepareStackTrace = (given, trace) => {
  sites.push(`${given.name} ${trace[0].getFunctionName()} ${trace.length > 1}`);
  return trace;
};
console.log(sites, waiting.map(({ stack }) => Array.isArray(stack)), sites);
Error.prepareStackTrace = undefined;
const { runInNewContext } = require('vm');
const foreign = runInNewContext('class Own extends RangeError { code = 1 }; new Own("there")');
console.log(Reflect.ownKeys(foreign), foreign instanceof RangeError, foreign.stack.split('\n')[0]);
const proxied = new Proxy(make(Base), {});
console.log(lines(proxied, 2), Reflect.ownKeys(proxied));
for (let i = 0, sum = 0; i < 20000; i++) {
  const one = i % 2 ? new Error('a') : new Derived('b');
  one.index = i;
  sum += one.message.length + one.index;
  if (i % 1000 === 0 && !one.stack.includes('late_stack')) throw one;
  if (i === 19999) console.log(sum);
}
console.log(new Deep('shown', { cause: make(TypeError).message }).message, Reflect.construct(Error, ['x'], Base) instanceof Base, Error('called').message);
