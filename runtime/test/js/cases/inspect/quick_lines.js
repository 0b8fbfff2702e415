'use strict';
// The first lines of a program, before anything that shows objects is loaded.
console.log(1);
console.log(-0, 0, 1.5, NaN, Infinity, 1e21, 1e-7, 0xff);
console.log(1n, -5n, true, false, undefined, null);
console.log('a', 1, 'b', null);
console.log(1, 'a%d', 2);
console.log('100%', 5);
console.log('%d and %s', 5, 6, 7);
console.log('%', 1);
console.log('a%');
console.log(undefined);
console.log();
console.log('', 1);
console.log(Symbol('s'), 1);
console.log(1234567.25, 12345678901234567890n);
console.log(1, [2], { a: -0 });
require('util').inspect.defaultOptions.numericSeparator = true;
console.log(1234567.25, 12345678901234567890n);
