// Collections, templates, cloning, and a debounced function.
const _ = require('lodash');
console.log(_.chunk(_.range(10), 3), _.groupBy(['one', 'two', 'three'], 'length'));
console.log(_.template('<% for (const n of list) { %>[<%- n %>]<% } %>')({ list: ['<a>', 'b'] }));
console.log(_.cloneDeep({ a: [1, { b: new Map([[1, new Set([2])]]) }], r: /x/g, d: new Date(0) }));
console.log(_.isEqual({ a: [1, 2, { b: 3 }] }, { a: [1, 2, { b: 3 }] }), _.merge({ a: { b: 1 } }, { a: { c: 2 } }));
const late = _.debounce((word) => console.log('debounced', word), 20);
late('first');
late('last');
