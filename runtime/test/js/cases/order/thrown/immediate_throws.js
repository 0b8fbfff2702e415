process.on('uncaughtException', (e) => console.log('uncaught', e));
setImmediate(() => { process.nextTick(() => console.log('tick')); Promise.resolve().then(()=>console.log('micro')); throw 'i1'; });
setImmediate(() => console.log('i2'));
setImmediate(() => console.log('i3'));
