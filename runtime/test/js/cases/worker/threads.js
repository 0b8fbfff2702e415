'use strict';

// Threads: what they get, what they say, how they end. Everything is printed by the main one, in an order that is sure.
const { Worker, isMainThread, MessageChannel, receiveMessageOnPort, BroadcastChannel, SHARE_ENV } = require('worker_threads');
const { once } = require('events');

const run = async (code, options = {}) => {
  const worker = new Worker(code, { eval: true, ...options });
  const heard = [];
  worker.on('message', (message) => heard.push(message));
  worker.on('error', (error) => heard.push(['error', error?.name, error?.message ?? error, error?.code]));
  const exit = await new Promise((resolve) => worker.on('exit', resolve));
  return { heard, exit };
};

async function main() {
  console.log(isMainThread);
  console.log(await run(`
    const { parentPort, workerData, isMainThread, threadId } = require('worker_threads');
    parentPort.postMessage({ isMainThread, positive: threadId > 0, workerData });
  `, { workerData: { map: new Map([[1, { deep: [1n, /x/g] }]]), date: new Date(5), bytes: new Uint8Array([1, 2]) } }));

  // Memory that both see, and waiting for each other.
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const adder = new Worker(`
    const { workerData } = require('worker_threads');
    for (let i = 0; i < 1000; i++) Atomics.add(workerData, 0, 1);
    Atomics.store(workerData, 1, 1);
    Atomics.notify(workerData, 1);
  `, { eval: true, workerData: shared });
  Atomics.wait(shared, 1, 0, 10000);
  console.log('shared', shared[0], shared[1]);
  await once(adder, 'exit');

  // A port that travels, a buffer that is given away.
  const { port1, port2 } = new MessageChannel();
  const buffer = new ArrayBuffer(16);
  const echo = new Worker(`
    const { parentPort } = require('worker_threads');
    parentPort.once('message', ({ port, buffer }) => {
      port.on('message', (message) => { port.postMessage([message, buffer.byteLength]); port.close(); });
    });
  `, { eval: true });
  echo.postMessage({ port: port2, buffer }, [port2, buffer]);
  port1.postMessage('there');
  console.log(await once(port1, 'message').then(([message]) => message), buffer.byteLength, buffer.detached);
  await once(echo, 'exit');

  console.log(await run('throw new TypeError("no")').then(({ heard, exit }) => [heard, exit]));
  console.log(await run('throw "text"'));
  console.log(await run('process.on("exit", (code) => { require("worker_threads").parentPort.postMessage(code); }); process.exit(7); parentPort.postMessage("never")'));
  console.log(await run('Promise.reject(Object.assign(new Error("async"), { code: "E_X" }))'));
  console.log(await run('let = 3 3'));

  const busy = new Worker('for (;;);', { eval: true });
  await once(busy, 'online');
  console.log('terminated', await busy.terminate());

  process.env.SEEN = 'before';
  await run('process.env.SEEN = "copy"');
  console.log(process.env.SEEN);
  await run('process.env.SEEN = "shared"', { env: SHARE_ENV });
  console.log(process.env.SEEN);
  console.log((await run('require("worker_threads").parentPort.postMessage([process.env.A, process.argv.slice(2)])', { env: { A: 1 }, argv: ['x', 2] })).heard);

  const out = new Worker('console.log("to you"); console.error("aside"); process.stdin.on("data", (d) => console.log(`got ${d}`))',
    { eval: true, stdout: true, stderr: true, stdin: true });
  out.stdin.end('input');
  let text = '';
  out.stdout.setEncoding('utf8').on('data', (chunk) => { text += chunk; });
  await once(out, 'exit');
  console.log(JSON.stringify(text), JSON.stringify(out.stderr.read()?.toString()));

  const channel = new BroadcastChannel('news');
  const told = once(channel, 'message');
  new Worker('const c = new BroadcastChannel("news"); c.postMessage("from a thread"); c.close();', { eval: true });
  console.log((await told)[0].data);
  channel.close();

  const nested = await run(`
    const { Worker, parentPort } = require('worker_threads');
    const inner = new Worker('require("worker_threads").parentPort.postMessage("from within")', { eval: true });
    inner.on('message', (message) => parentPort.postMessage(message));
  `);
  console.log(nested);
}
main();
