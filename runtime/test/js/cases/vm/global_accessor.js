'use strict';
// An accessor that a script puts on its global is called by nobody but a reader.
const vm = require('vm');
const sandbox = { log: [] };
const context = vm.createContext(sandbox);
vm.runInContext('Object.defineProperty(globalThis, "q", { get() { log.push("read"); return 5; }, configurable: true }); 1', context);
vm.runInContext('Object.defineProperty(globalThis, "w", { set(value) { log.push("written " + value); }, configurable: true }); 1', context);
console.log(sandbox.log);
console.log(typeof Object.getOwnPropertyDescriptor(sandbox, 'q').get, typeof Object.getOwnPropertyDescriptor(sandbox, 'w').set);
console.log(sandbox.q, sandbox.log);
sandbox.w = 7;
console.log(sandbox.log);
