process.on('uncaughtException', (e) => console.log('uncaught', e));
setTimeout(() => { process.nextTick(() => console.log('tick')); Promise.resolve().then(()=>console.log('micro')); throw 't1'; }, 1);
setTimeout(() => console.log('t2'), 1);
setTimeout(() => console.log('t3'), 1);
setTimeout(() => console.log('t4 (2)'), 2);
const s=Date.now(); while(Date.now()-s<10);
