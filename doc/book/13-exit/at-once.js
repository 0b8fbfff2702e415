process.on('exit', (code) => console.log('exit, code', code));
process.nextTick(() => console.log('never: a tick'));
setTimeout(() => console.log('never: a timer'), 0);

process.exitCode = 0;
console.log('the last line');
process.exit();
