// Of a CommonJS module that hands on a built-in one no names are known.
import * as namespace from '../support/hands_on.cjs';

console.log(Object.keys(namespace), typeof namespace.default.inspect);
