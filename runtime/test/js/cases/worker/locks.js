'use strict';

// navigator.locks: errors, the order of grants, across threads, stealing, signals.

const { locks, Worker } = require('worker_threads');

const lines = [];
setInterval(() => {}, 1000); // who waits for a lock keeps nothing alive
const tell = async (name, ask) => {
  try {
    lines.push([name, await ask()]);
  } catch (error) {
    lines.push([name, error.name, error.code, error.message]);
  }
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function refused() {
  const { signal } = new AbortController();
  const never = () => lines.push('called');
  await tell('nothing', () => locks.request());
  await tell('no callback', () => locks.request('r', {}));
  await tell('hyphen', () => locks.request('-r', never));
  await tell('mode', () => locks.request('r', { mode: 'other' }, never));
  await tell('steal and if available', () => locks.request('r', { steal: true, ifAvailable: true }, never));
  await tell('steal and shared', () => locks.request('r', { steal: true, mode: 'shared' }, never));
  await tell('steal and signal', () => locks.request('r', { steal: true, signal }, never));
  await tell('aborted', () => locks.request('r', { signal: AbortSignal.abort() }, never));
  await tell('no signal', () => locks.request('r', { signal: 5 }, never));
  await tell('a symbol', () => locks.request(Symbol('r'), never));
  await tell('no options', () => locks.request('r', 5, never));
}

async function order() {
  const seen = [];
  const all = [
    locks.request('o', async ({ name, mode }) => { seen.push(`${name} ${mode}`); await pause(5); }),
    locks.request('o', { mode: 'shared' }, async () => { seen.push('shared 1'); await pause(5); }),
    locks.request('o', { mode: 'shared' }, async () => { seen.push('shared 2'); await pause(1); seen.push('shared 2 ends'); }),
    locks.request('o', () => { seen.push('exclusive'); return 'value'; }),
    locks.request('o', { mode: 'shared' }, () => { seen.push('shared 3'); }),
  ];
  seen.push('asked');
  const { held, pending } = await locks.query();
  lines.push([held.length, pending.map(({ mode }) => mode), held[0].clientId === `node-${process.pid}-0`]);
  lines.push(await Promise.all(all), seen);
  await tell('rejects', () => locks.request('x', async () => { throw new RangeError('mine'); }));
  await tell('not available', () => locks.request('y', () => locks.request('y', { ifAvailable: true }, (lock) => lock)));
}

async function lost() {
  const held = locks.request('s', () => new Promise(() => {}));
  const waiting = locks.request('s', () => 'waited');
  const stolen = locks.request('s', { steal: true }, async () => { await pause(5); return 'stolen'; });
  await tell('held', () => held);
  await tell('thief', () => stolen);
  await tell('waiting', () => waiting);
  const controller = new AbortController();
  await locks.request('s', async () => {
    const waits = locks.request('s', { signal: controller.signal }, () => lines.push('called'));
    setTimeout(() => controller.abort(new Error('enough')), 5);
    await tell('aborted while it waits', () => waits);
  });
}

async function threads() {
  const worker = new Worker(`
    const { parentPort, locks } = require('worker_threads');
    locks.request('t', async () => {
      parentPort.postMessage('has it');
      await new Promise((resolve) => parentPort.once('message', resolve));
    });
  `, { eval: true });
  const heard = [];
  let next;
  worker.on('message', (message) => { heard.push(message); next?.(message); });
  const wait = (text) => new Promise((resolve) => { next = (message) => { if (message === text) resolve(); }; });
  await wait('has it');
  await pause(50);
  const { held, pending } = await locks.query();
  lines.push([held, pending]); // of this thread
  await tell('another has it', () => locks.request('t', { ifAvailable: true }, (lock) => lock));
  const mine = locks.request('t', (lock) => { heard.push('now we'); return lock.name; });
  worker.postMessage('go on');
  lines.push(await mine, heard);
}

(async () => {
  for (const each of [refused, order, lost, threads]) await each();
  for (const line of lines) console.log(line);
  process.exit();
})();
