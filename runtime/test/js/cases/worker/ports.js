'use strict';

// Ports: which listeners are called, and when; a port without listeners keeps its messages; broadcasts reach the oldest channel first.

const { MessageChannel, BroadcastChannel, Worker, receiveMessageOnPort } = require('worker_threads');

const lines = [];

function between() {
  // Ticks and promise jobs come between two messages of one port.
  const { port1, port2 } = new MessageChannel();
  port2.on('message', (n) => {
    lines.push(`message ${n}`);
    process.nextTick(() => lines.push(`tick ${n}`));
    Promise.resolve().then(() => lines.push(`job ${n}`));
    if (n === 3) port2.close();
  });
  for (const n of [1, 2, 3]) port1.postMessage(n);
  return new Promise((resolve) => port2.on('close', resolve));
}

async function paused() {
  const { port1, port2 } = new MessageChannel();
  const early = () => lines.push('heard too early');
  port2.on('message', early);
  port2.off('message', early);
  port1.postMessage('kept');
  await new Promise((resolve) => setTimeout(resolve, 20));
  lines.push(`by hand ${receiveMessageOnPort(port2).message}`);
  port1.postMessage('kept, too');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await new Promise((resolve) => port2.on('message', (text) => { lines.push(text); resolve(); }));
  port2.close();
}

async function broadcasts() {
  const channels = ['a', 'b', 'c'].map((name) => Object.assign(new BroadcastChannel('here'), { own: name }));
  let count = 0;
  await new Promise((resolve) => {
    for (const channel of channels) {
      channel.onmessage = ({ data }) => {
        lines.push(`${channel.own} hears ${data}`);
        if (++count === 6) resolve();
      };
    }
    channels[0].postMessage('from a');
    channels[2].postMessage('from c');
    channels[1].postMessage('from b');
  });
  for (const channel of channels) channel.close();
}

async function inThreads() {
  const worker = new Worker(`
    const { parentPort } = require('worker_threads');
    for (const name of ['send', 'disconnect', 'chdir', 'abort', 'setuid']) {
      try { process[name](); } catch (error) { parentPort.postMessage([name, process[name].disabled, error.code, error.message]); }
    }
    for (const name of ['channel', 'connected']) {
      try { process[name]; } catch (error) { parentPort.postMessage([name, error.code, error.message]); }
    }
    parentPort.postMessage([process.execArgv, process.traceProcessWarnings === true]);
    process.on('uncaughtException', () => { throw new Error('second'); });
    throw new Error('first');
  `, { eval: true, execArgv: ['--trace-warnings'], env: { NODE_CHANNEL_FD: 'some' } });
  worker.on('message', (message) => lines.push(message));
  worker.on('error', (error) => lines.push(error.message));
  await new Promise((resolve) => worker.on('exit', (code) => { lines.push(`exit ${code}`); resolve(); }));
}

(async () => {
  for (const each of [between, paused, broadcasts, inThreads]) await each();
  for (const line of lines) console.log(line);
})();
