'use strict';
// Callbacks of one round, one of which is ended by a limit of time: the others still run, and the process ends.
const vm = require('vm');

const endless = () => vm.runInThisContext('for (;;);', { timeout: 5 });
process.on('uncaughtException', () => console.log('ended'));
setImmediate(() => console.log('immediate 1'));
setImmediate(endless);
setImmediate(() => {
  console.log('immediate 2');
  setImmediate(() => {
    console.log('immediate 3');
    setTimeout(endless, 10);
    setTimeout(() => console.log('timer 1'), 10);
    setTimeout(() => console.log('timer 2'), 10);
  });
});
process.on('exit', () => console.log('exit'));
