const { threadId } = require('node:worker_threads');

setTimeout(function onTimeout() {
  console.log('timer, thread', threadId);
}, 0);

const start = Date.now();
while (Date.now() - start < 30);
console.log('main script, thread', threadId, '- the timer is due for long');
