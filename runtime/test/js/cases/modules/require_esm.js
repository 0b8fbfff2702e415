const b = require('./support/b.mjs'); console.log(b.x, b.__esModule, b.default()); b.inc(); console.log(b.x);
try { require('./support/tla.mjs') } catch (e) { console.log(e.code) }
console.log(require.resolve('./support/b.mjs').replace(__dirname, ''));
