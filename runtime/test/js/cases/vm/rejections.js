// Rejections of promises of other contexts are reported in the order in which they happen.
const vm = require('vm');
process.on('unhandledRejection', (e, p) => console.log('unhandled', e.message, p.constructor === Promise)).on('rejectionHandled', () => console.log('handled later'));
const run = (code) => vm.runInContext(code, vm.createContext({ setTimeout, console }));
Promise.reject(new Error('main 1'));
run(`Promise.reject(new Error('a'))`);
run(`(async () => { throw new Error('b') })()`);
run(`const p = Promise.reject(new Error('caught')); p.catch(() => {})`);
run(`const q = Promise.reject(new Error('late')); setTimeout(() => q.catch(() => console.log('caught late')), 5)`);
Promise.reject(new Error('main 2'));
process.nextTick(() => { console.log('tick'); run(`Promise.reject(new Error('in tick'))`); });
queueMicrotask(() => { console.log('micro'); run(`Promise.reject(new Error('in micro'))`); });
