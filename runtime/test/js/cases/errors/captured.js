function outer() { return inner(); }
function inner() { return new Error('msg'); }
const e = outer();
console.log(e.stack.split('\n').slice(0, 3).map((l) => l.replace(__dirname, '')).join('|'));
class Custom extends Error { constructor(m) { super(m); this.name = 'Custom'; } }
console.log(String(new Custom('c')), new Custom('c') instanceof Error, Object.keys(new Custom('c')), new Custom('x').stack.split('\n')[0]);
const o = {}; Error.captureStackTrace(o, outer); console.log(typeof o.stack, o.stack.includes('outer'));
Error.stackTraceLimit = 1; console.log(new Error('a').stack.split('\n').length); Error.stackTraceLimit = 0; console.log(new Error('a').stack); Error.stackTraceLimit = 10;
Error.prepareStackTrace = (err, sites) => sites[0].getLineNumber() + ':' + (sites[0].getFileName() === __filename);
console.log(new Error('p').stack); Error.prepareStackTrace = undefined;
const d = Object.getOwnPropertyDescriptor(new Error('x'), 'stack'); console.log(d.enumerable, d.configurable);
try { null.x; } catch (err) { console.log(err instanceof TypeError, err.constructor === TypeError, err.name); }
console.log(new AggregateError([1, 2], 'm').errors, new Error('a', { cause: 1 }).cause, Error('x') instanceof Error, Error.isError(new TypeError()));
console.log(Object.getOwnPropertyNames(new Error('x')).sort().join(), Error.name, Error.length, TypeError.__proto__ === Error);
