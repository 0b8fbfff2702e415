process.on('exit', (c) => console.log('exit', c)); setImmediate(() => { process.exit(3); }); setTimeout(() => console.log('never'), 20000);
