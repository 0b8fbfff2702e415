'use strict';
// Keeps its loop alive in several ways until it is signalled.
const fs = require('fs');
const net = require('net');
const { spawn } = require('child_process');
const { Worker } = require('worker_threads');
const timers = require('timers/promises');

require('async_hooks').createHook({ init() {} }).enable(); // promises have marks then
function later() {}
setTimeout(later, 500000);
setInterval(function beat() {}, 500000);
const server = net.createServer();
server.listen(0, () => {
  net.connect(server.address().port, '127.0.0.1');
});
new Worker('setInterval(() => {}, 1000)', { eval: true });
timers.setTimeout(500000);
fs.watch(__dirname, () => {});
const child = spawn('sleep', ['600']);
setTimeout(() => {
  child.kill();
  process.exit();
}, Number(process.argv[2]));
