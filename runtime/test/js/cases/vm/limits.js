'use strict';

// Time limits, options that are refused, functions compiled in a context, text that is no program.
const vm = require('vm');
const failed = (work) => { try { return work(); } catch (error) { return `${error.code ?? error.name}: ${error.message}`; } };

console.log(failed(() => vm.runInNewContext('for (;;);', {}, { timeout: 20 })));
console.log(failed(() => vm.runInThisContext('for (;;);', { timeout: 20 })));
console.log(failed(() => vm.runInNewContext('1 + x', { x: 2 }, { timeout: 30000 })));
console.log(failed(() => vm.runInContext('1', {})));
console.log(failed(() => new vm.Script('1', { lineOffset: 'a' })));
console.log(failed(() => vm.compileFunction('}); (function() {')));
console.log(vm.compileFunction('return a + b + typeof outer', ['a', 'b'])(1, 2));
console.log(vm.compileFunction('return x', [], { parsingContext: vm.createContext({ x: 7 }) })());
console.log(vm.compileFunction('return y', [], { contextExtensions: [{ y: 8 }] })());
try {
  new vm.Script('let a;\nvar x = ;', { filename: 'broken.js', lineOffset: 2 });
} catch (error) {
  console.log(error.stack.split('\n').slice(0, 5).join('\n'));
}
const script = new vm.Script('typeof count === "undefined" ? count = 1 : ++count');
const context = vm.createContext({});
for (let i = 0; i < 3; i++) script.runInContext(context);
console.log(context, vm.isContext(context), vm.isContext({}));
const plain = vm.createContext(vm.constants.DONT_CONTEXTIFY);
console.log(vm.runInContext('globalThis.z = 5; z', plain), plain.z);
