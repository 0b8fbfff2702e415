exports.foo = 1; exports.bar = () => 2; console.log('cjs', typeof require, module.id === __filename);
import('./b.mjs').then(m => console.log('dyn from cjs', m.y));
