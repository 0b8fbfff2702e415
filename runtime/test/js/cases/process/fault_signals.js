'use strict';
// Signals of a fault end a program, also when somebody sends them: from inside and from outside.
const { spawn, spawnSync } = require('child_process');

for (const signal of ['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT'])
  console.log(signal, spawnSync(process.execPath, ['-e', `process.kill(process.pid, '${signal}'); setTimeout(() => {}, 1e6)`]).signal);

const child = spawn(process.execPath, ['-e', 'console.log(1); setTimeout(() => {}, 1e6)']);
child.stdout.once('data', () => child.kill('SIGSEGV'));
child.on('exit', (status, signal) => console.log('from outside', status, signal));
