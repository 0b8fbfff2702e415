'use strict';

// unhandledRejection is emitted in the context in which the promise was rejected.

const { AsyncLocalStorage } = require('async_hooks');
const als = new AsyncLocalStorage();
process.on('unhandledRejection', (r) => console.log('unhandled', r, als.getStore()));
process.on('rejectionHandled', () => console.log('handled later', als.getStore()));
let p;
als.run('a', () => { Promise.reject('1'); });
als.run('b', async () => { await null; throw '2'; });
als.run('c', () => { p = Promise.reject('3'); setTimeout(() => als.run('other', () => p.catch(() => {})), 200); });
als.run('d', () => { const q = Promise.reject('never'); process.nextTick(() => q.catch(() => console.log('caught', als.getStore()))); });
als.run('e', () => { new Promise((_, no) => setTimeout(no, 1, '4')); });
als.run('f', () => { new Promise((_, no) => setTimeout(() => als.run('rejecter', () => no('5')), 60)); });
Promise.reject('none');
