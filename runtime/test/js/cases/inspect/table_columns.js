'use strict';

// Columns: numbers first, as among an object's keys, also those that are asked for.

console.table([{ a: 1 }, ['x'], '日本']);
console.table([{ a: 1, b: 2 }], ['a', 0]);
console.table([[1, 2], [3]], ['a', 0]);
console.table([Object.assign(['p', 'q'], { x: 3, '-1': 4 }), { a: 1, 10: 2, 9: 3 }]);
console.table({ b: { c: 1 }, 2: { 1: 1 }, a: 'v' });
