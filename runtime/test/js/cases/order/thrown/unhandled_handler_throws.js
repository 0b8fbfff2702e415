process.on('unhandledRejection', (e) => { console.log('unh', e); process.nextTick(()=>console.log('tick from handler', e)); Promise.resolve().then(()=>console.log('micro from handler', e)); if (e==='r1') throw 'thrown in handler' });
process.on('uncaughtException', (e,o) => { console.log('uncaught', e,o); });
Promise.reject('r1');
Promise.reject('r2');
setImmediate(() => console.log('imm'));
