// The names of a CommonJS module that re-exports a built-in one are not known.
import * as namespace from '../support/hands_on.cjs';

console.log(Object.keys(namespace), typeof namespace.default.inspect);
