'use strict';
// Error.prepareStackTrace that looks at the error's own stack gets the usual text: vitest finds its callers so.
const fail = (text) => new Error(text);
const top = (stack) => (typeof stack === 'string' ? stack.split('\n').slice(0, 2).join('|').replace(__dirname, '') : stack);

Error.prepareStackTrace = (error) => error.stack;
console.log(top(fail('read').stack));
class Derived extends Error {}
console.log(top(new Derived('derived').stack));
try {
  null.x;
} catch (error) {
  console.log(top(error.stack));
}
Error.prepareStackTrace = (error, sites) => [top(error.stack), error.stack === error.stack, sites.length > 1];
console.log(fail('twice').stack);
const plain = {};
Error.captureStackTrace(plain);
console.log(plain.stack);
Error.prepareStackTrace = (error) => [top(error.stack), new Error('inner').stack.split('\n')[0]];
console.log(fail('outer').stack);
Error.prepareStackTrace = (error) => {
  error.stack = 'set';
  return error.stack;
};
console.log(fail('written').stack);
