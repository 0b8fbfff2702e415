process.on('unhandledRejection', (r, p) => console.log('unhandled', r, p instanceof Promise));
process.on('rejectionHandled', (p) => console.log('handled', p instanceof Promise));
const p = Promise.reject('a');
Promise.reject('b').catch(() => console.log('b caught'));
const q = Promise.reject('c'); process.nextTick(() => q.catch(() => console.log('c caught in tick')));
const s = Promise.reject('d'); queueMicrotask(() => process.nextTick(() => s.catch(() => console.log('d caught late tick'))));
setTimeout(() => p.catch(() => console.log('a caught later')), 5);
(async () => { throw 'e'; })();
