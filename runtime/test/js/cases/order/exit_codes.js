process.on('beforeExit', (c) => { console.log('beforeExit', c, process.exitCode); if (!global.once) { global.once = 1; setTimeout(() => console.log('revived'), 1); } });
process.on('exit', (c) => { console.log('exit', c); process.exitCode = 42; process.nextTick(() => console.log('never')); });
process.exitCode = 7;
