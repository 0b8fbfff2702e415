process.on('uncaughtExceptionMonitor', (e, o) => console.log('monitor', e.message, o)); process.on('exit', (c) => console.log('exit', c)); setTimeout(() => { throw new Error('x'); }, 1);
