// A FileHandle that nobody receives is closed with its message; one that nobody closes is closed when it is collected, which is an error.
// Ports and streams in such messages are closed, too.
const fs = require('fs');
const { MessageChannel, Worker, receiveMessageOnPort } = require('worker_threads');
const { once } = require('events');
const { setTimeout: sleep } = require('timers/promises');

const countOpen = () => fs.readdirSync('/proc/self/fd').filter((name) => {
  try {
    return fs.readlinkSync(`/proc/self/fd/${name}`) === __filename;
  } catch {
    return false; // the directory's own
  }
}).length;
const shown = ({ name, code, message }) =>
  `${name} ${code} ${message.replace(/descriptor: \d+/, 'descriptor: N').replace(__dirname, '')}`;
process.on('uncaughtException', (error) => console.log('uncaught:', shown(error)));
const open = () => fs.promises.open(__filename);

async function collect(isDone) {
  for (let i = 0; i < 100 && !isDone(); i++) {
    gc();
    await sleep(5);
  }
}
const collectFiles = () => collect(() => countOpen() === 0);
const start = (code, options) =>
  new Worker(`const { parentPort, workerData } = require('worker_threads'); ${code}`, { eval: true, ...options })
    .on('error', (error) => console.log('error:', shown(error)));

const ways = {
  async 'the receiver is closed'() {
    const { port1, port2 } = new MessageChannel(), handle = await open();
    port1.postMessage(handle, [handle]);
    port2.close();
    await once(port1, 'close');
  },
  async 'the receiver was closed'() {
    const { port1, port2 } = new MessageChannel(), handle = await open();
    port2.close();
    await once(port1, 'close');
    port1.postMessage(handle, [handle]);
    console.log(handle.fd);
  },
  async 'received and forgotten'() {
    const { port1, port2 } = new MessageChannel(), handle = await open();
    port1.postMessage(handle, [handle]);
    console.log(typeof receiveMessageOnPort(port2).message.fd);
    port1.close();
    await collectFiles();
  },
  async 'cloned and forgotten'() {
    const handle = await open();
    (() => structuredClone({ handle }, { transfer: [handle] }))();
    await collectFiles();
  },
  async 'opened and forgotten'() {
    await (async () => console.log(typeof (await open()).fd))();
    await collectFiles();
  },
  async 'the message cannot be made'() {
    const { port1 } = new MessageChannel(), handle = await open();
    try {
      port1.postMessage([handle, () => {}], [handle]);
    } catch (error) {
      console.log(error.name);
    }
    gc();
    await sleep(10);
    gc();
    await sleep(10);
    console.log((await handle.readFile('utf8')).length > 100);
    await handle.close();
    port1.close();
  },
  async 'a worker that does not listen'() {
    const handle = await open(), worker = start('setTimeout(() => {}, 20)');
    worker.postMessage(handle, [handle]);
    await once(worker, 'exit');
  },
  async 'a worker that is terminated'() {
    const handle = await open(), worker = start('setInterval(() => {}, 1000)');
    await once(worker, 'online');
    worker.postMessage(handle, [handle]);
    await worker.terminate();
  },
  async 'a worker that does not close it'() {
    const handle = await open();
    const worker = start(`console.log(typeof workerData.fd)`, {
      workerData: handle,
      transferList: [handle],
      trackUnmanagedFds: false,
    });
    await once(worker, 'exit');
  },
  async 'a worker that cannot start'() {
    const handle = await open();
    const worker = new Worker('/none.js', { workerData: handle, transferList: [handle] });
    console.log((await once(worker, 'error'))[0].code);
    await once(worker, 'exit');
  },
  async 'a worker that forgets it'() {
    const handle = await open();
    const worker = start(`parentPort.once('message', () => setInterval(gc, 5))`);
    worker.postMessage(handle, [handle]);
    await new Promise((resolve) => worker.on('exit', resolve)); // once() would fail with the error
  },
  async 'waits in a port that moves'() {
    const { port1, port2 } = new MessageChannel(), handle = await open();
    const stream = new ReadableStream({ start(controller) { controller.enqueue('chunk'); controller.close(); } });
    port1.postMessage({ handle, stream }, [handle, stream]);
    const worker = start(
      `workerData.once('message', async ({ handle, stream }) => {
         console.log((await handle.readFile('utf8')).length > 100);
         await handle.close();
         for await (const chunk of stream) console.log(chunk);
         workerData.close();
       })`,
      { workerData: port2, transferList: [port2] },
    );
    await once(worker, 'exit');
  },
};

const portWays = {
  async 'the receiver was closed'(port) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    await once(port1, 'close');
    port1.postMessage('', [port]);
  },
  async 'the receiver is closed'(port) {
    const { port1, port2 } = new MessageChannel();
    port1.postMessage('', [port]);
    port2.close();
  },
  async 'its thread has ended'(port) {
    const { port1, port2 } = new MessageChannel();
    const worker = start('', { workerData: port2, transferList: [port2] });
    await once(worker, 'exit');
    port1.on('message', () => {});
    port1.unref();
    await sleep(20);
    port1.postMessage('', [port]);
  },
};

async function main() {
  setInterval(() => {}, 1000); // a port that waits for 'close' keeps nobody alive
  for (const [name, run] of Object.entries(ways)) {
    await run();
    await sleep(10);
    console.log(name, '-> open:', countOpen());
  }
  for (const [name, send] of Object.entries(portWays)) {
    const { port1, port2 } = new MessageChannel();
    const closed = once(port1, 'close').then(() => 'closed');
    await send(port2);
    console.log('a port,', name, '->', await Promise.race([closed, sleep(2000, 'open', { ref: false })]));
    port1.close();
  }
}

if (typeof gc === 'function') {
  main().finally(() => process.exit());
} else {
  const { status, stdout } = require('child_process').spawnSync(process.execPath, ['--expose-gc', __filename], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  process.exitCode = status;
}
