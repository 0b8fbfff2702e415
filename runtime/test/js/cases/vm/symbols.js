'use strict';

// What a context's global shows of the object behind it: symbols, accessors, descriptors.
const vm = require('vm');

const one = Symbol('one');
const two = Symbol('two');
const sandbox = { [one]: 1, two, get accessor() { return 'got'; } };
const context = vm.createContext(sandbox);
const self = vm.runInContext('this', context);

console.log(self[one], Object.hasOwn(self, one), one in self, Object.getOwnPropertySymbols(self).includes(one));
sandbox[two] = 5;
console.log(self[two], vm.runInContext('globalThis[two]', context));
self[two] = 6;
console.log(sandbox[two], delete self[two], two in sandbox, typeof sandbox.two);
Object.defineProperty(self, 'defined', { value: 1, configurable: true });
console.log(Object.getOwnPropertyDescriptor(sandbox, 'defined'), Object.getOwnPropertyDescriptor(self, 'defined'));
vm.runInContext('Object.defineProperty(globalThis, "inside", { get() { return 9; }, configurable: true })', context);
console.log(sandbox.inside, typeof Object.getOwnPropertyDescriptor(sandbox, 'inside').get, vm.runInContext('inside', context));
console.log(self.accessor, typeof Object.getOwnPropertyDescriptor(self, 'accessor').get);
vm.runInContext('var variable = 1; function declared() {} let lexical = 2; assigned = 3; this.direct = 4;', context);
console.log(sandbox.variable, typeof sandbox.declared, sandbox.lexical, sandbox.assigned, sandbox.direct, vm.runInContext('lexical', context));
console.log(Object.keys(self).includes('assigned'), vm.runInContext('delete globalThis.direct', context), 'direct' in sandbox);
sandbox.Array = 5;
console.log(vm.runInContext('Array', context));
delete sandbox.Array;
console.log(vm.runInContext('typeof Array', context));

// A Proxy as the object behind: it is asked for descriptors without reading anything.
const target = { get read() { console.log('read'); return 1; } };
const proxied = vm.createContext(new Proxy(target, {}));
const proxiedSelf = vm.runInContext('this', proxied);
console.log(typeof proxiedSelf.Symbol, typeof proxiedSelf.nothing, Object.getOwnPropertyNames(proxiedSelf).includes('read'));
console.log(typeof Object.getOwnPropertyDescriptor(proxiedSelf, 'read').get, proxiedSelf.read);
Object.defineProperty(proxiedSelf, 'defined', { value: 2, configurable: true });
console.log(target.defined, vm.runInContext('defined', proxied));
class Behind {
  method() { return 'method'; }
}
const inherited = vm.createContext(new Behind());
console.log(vm.runInContext('method()', inherited), vm.runInContext('Object.hasOwn(globalThis, "method")', inherited));
