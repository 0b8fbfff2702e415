process.on('uncaughtException', (e) => { console.log('uncaught', e); });
process.on('exit', (c) => { console.log('exit', c); });
process.on('beforeExit', (c) => { console.log('beforeExit', c); if (!global.x) { global.x=1; process.nextTick(()=>console.log('btick')); throw 'be' } });
