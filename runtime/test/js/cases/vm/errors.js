'use strict';

// Errors made in a context have stacks like all others, and a limit and a way of preparing them of their own.
const vm = require('vm');

const context = vm.createContext({});
const run = (code) => vm.runInContext(code, context, { filename: '/made/up.js' });
const head = (stack) => stack.split('\n').slice(0, 2).map((line) => line.replace(/:\d+\)?$/, ''));

console.log(head(run('function thrower() { return new Error("one"); }\nthrower().stack')));
console.log(head(run('class Special extends TypeError {}\nfunction special() { return new Special("two").stack }\nspecial()')));
console.log(run('Error.stackTraceLimit'), run('typeof Error.captureStackTrace'), run('Error.length'), run('Error.name'));
console.log(head(run('const holder = { name: "Held", message: "m" }; (function hidden() { Error.captureStackTrace(holder, hidden); })(); holder.stack')));
console.log(run('new RangeError("x") instanceof Error'), run('Object.getPrototypeOf(TypeError) === Error'), run('new Error("x")') instanceof Error);
Error.prepareStackTrace = (error, sites) => `by the program: ${error.message} ${sites.length > 0}`;
console.log(run('new Error("inside").stack'));
Error.prepareStackTrace = undefined;
console.log(run('Error.stackTraceLimit = 1; new Error("short").stack.split("\\n").length'), Error.stackTraceLimit);
console.log(run('Error.prepareStackTrace = (error, sites) => `${error.message} ${sites[0].getLineNumber()}`; \n new Error("prepared").stack'));
console.log(new Error('outside').stack.split('\n')[0]);
