'use strict';
// Atomics.waitAsync: what it answers, its place in the loop, timeouts, counts and order, also with threads that sleep in
// Atomics.wait.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');

if (!isMainThread) {
  const { view, how } = workerData;
  if (how === 'sleep') {
    parentPort.postMessage('ready');
    parentPort.postMessage(`slept ${Atomics.wait(view, 0, 0)}`);
  } else if (how === 'wait') {
    const { async, value } = Atomics.waitAsync(view, 0, 0);
    value.then((answer) => {
      parentPort.postMessage(`waited ${async} ${answer}`);
      parentPort.close();
    });
    parentPort.on('message', () => {});
    parentPort.postMessage('ready');
  } else if (how === 'end') {
    Atomics.waitAsync(view, 0, 0).value.then(() => console.log('never'));
  } else {
    Atomics.store(view, 0, 1);
    parentPort.postMessage(['notified by a thread', Atomics.notify(view, 0, 1), Atomics.notify(view, 0)].join(' '));
  }
  return;
}

const view = () => new Int32Array(new SharedArrayBuffer(16));
const next = (worker, event) => new Promise((resolve) => worker.once(event, resolve));
const start = (how, memory) => new Worker(__filename, { workerData: { view: memory, how } });

function answers() {
  const big = new BigInt64Array(new SharedArrayBuffer(16));
  const calls = [
    () => Atomics.waitAsync(view(), 0, 1),
    () => Atomics.waitAsync(view(), 0, 0, 0),
    () => Atomics.waitAsync(view(), 0, 0, -5),
    () => Atomics.waitAsync(view(), 0, 0, NaN),
    () => Atomics.waitAsync(view(), 3, 4294967296, '0'),
    () => Atomics.waitAsync(big, 1, 1n),
    () => Atomics.waitAsync(big, 1, 18446744073709551616n, 0),
    () => Atomics.waitAsync(big, 0, 0),
    () => Atomics.waitAsync(),
    () => Atomics.waitAsync({}, 0, 0),
    () => Atomics.waitAsync(new Int32Array(4), 0, 0),
    () => Atomics.waitAsync(new Uint32Array(new SharedArrayBuffer(8)), 0, 0),
    () => Atomics.waitAsync(view(), 5, 0),
    () => Atomics.waitAsync(view(), -1, 0),
    () => Atomics.waitAsync(view(), 0, Symbol('x')),
    () => Atomics.waitAsync(view(), 0, 0, Symbol('x')),
    () => Atomics.notify(new Int32Array(4), 0),
    () => Atomics.notify(new Uint8Array(4), 0),
    () => Atomics.notify(view(), 9),
    () => Atomics.notify(view(), 0, -3),
    () => Atomics.notify({}, 0),
    () => Atomics.wait(new Int32Array(4), 0, 0),
    () => Atomics.wait({}, 0, 0),
    () => Atomics.wait(view(), 9, 0),
    () => Atomics.wait(view(), 0, 0, 1),
    () => Atomics.wait(view(), 0, 7),
    () => new Atomics.waitAsync(view(), 0, 0),
  ];
  for (const call of calls) {
    try {
      console.log(String(call), call());
    } catch ({ name, message }) {
      console.log(String(call), `${name}: ${message}`);
    }
  }
  for (const name of ['wait', 'waitAsync', 'notify'])
    console.log(Object.getOwnPropertyDescriptor(Atomics, name), Atomics[name].length, String(Atomics[name]));
}

async function place() {
  const memory = view();
  const told = [];
  for (let i = 0; i < 6; i++) {
    told.push(
      Atomics.waitAsync(memory, 0, 0).value.then((answer) => {
        console.log('answer', i, answer);
        process.nextTick(() => console.log('tick', i));
        return Promise.resolve().then(() => console.log('job', i));
      }),
    );
  }
  setImmediate(() => console.log('immediate'));
  console.log(Atomics.notify(memory, 0, 2), Atomics.notify(memory, 1, 2), Atomics.notify(memory, 0, 1));
  process.nextTick(() => console.log('tick'));
  await told[2];
  await new Promise(setImmediate);
  console.log(Atomics.notify(memory, 0), Atomics.notify(memory, 0));
  await told[5];
  const both = [0, 1].map((at) => Atomics.waitAsync(memory, at, 0).value.then(() => console.log('place', at)));
  console.log(Atomics.notify(memory, 1), Atomics.notify(memory, 0));
  await Promise.all(both);
}

async function times() {
  const memory = view();
  const keep = setInterval(() => {}, 1000);
  const late = Atomics.waitAsync(memory, 0, 0, 60).value;
  const early = Atomics.waitAsync(memory, 0, 0, 20).value;
  const never = Atomics.waitAsync(memory, 0, 0, 1e12).value;
  late.then((answer) => console.log('late', answer));
  console.log('early', await early);
  await late;
  console.log(Atomics.notify(memory, 0), await never);
  clearInterval(keep);
}

async function threads() {
  const memory = view();
  const first = start('sleep', memory);
  await next(first, 'message');
  await new Promise((resolve) => setTimeout(resolve, 400)); // until it sleeps, which nobody tells
  const waits = Atomics.waitAsync(memory, 0, 0).value.then((answer) => console.log('main', answer));
  const third = start('wait', memory);
  await next(third, 'message');
  const slept = next(first, 'message');
  console.log(Atomics.notify(memory, 0, 1), await slept);
  console.log(Atomics.notify(memory, 0, 1));
  await waits;
  const waited = next(third, 'message');
  console.log(Atomics.notify(memory, 0, 1), await waited, Atomics.notify(memory, 0));
  const fourth = Atomics.waitAsync(memory, 0, 0).value;
  const last = start('notify', memory);
  console.log(await next(last, 'message'));
  console.log(await fourth, Atomics.waitAsync(memory, 0, 0));
}

async function ends() {
  const memory = view();
  await next(start('end', memory), 'exit');
  console.log('left by a thread that ended:', Atomics.notify(memory, 0));
  process.on('beforeExit', () => console.log('beforeExit'));
  Atomics.waitAsync(memory, 0, 0, 60000).value.then(() => console.log('never'));
  Atomics.waitAsync(memory, 1, 0).value.then((answer) => console.log('at the end:', answer));
  Atomics.notify(memory, 1);
}

(async () => {
  answers();
  await place();
  await times();
  await threads();
  await ends();
})();
