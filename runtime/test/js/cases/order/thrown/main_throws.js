process.on('uncaughtException', (e) => console.log('uncaught', e));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(()=>console.log('micro'));
setImmediate(() => console.log('imm'));
setTimeout(() => console.log('timeout'), 0);
const s=Date.now(); while(Date.now()-s<10);
throw 'main';
