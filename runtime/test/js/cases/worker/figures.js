'use strict';

// Statistics of a thread for its maker: how busy its loop is, its processor time, its heap.

const { Worker } = require('worker_threads');

const kinds = (object) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, typeof value]));

const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  const used = () => { const { user, system } = process.threadCpuUsage(); return user + system; };
  const end = used() + 60000;
  while (used() < end);
  setInterval(() => {}, 10);
  setTimeout(() => parentPort.postMessage('calm'), 300);
`, { eval: true, name: 'counted' });

worker.on('message', async () => {
  console.log(worker.threadName, worker.threadId > 0);
  const first = worker.performance.eventLoopUtilization();
  console.log(kinds(first), first.idle > 50, first.active > 0, first.utilization > 0 && first.utilization < 1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const since = worker.performance.eventLoopUtilization(first);
  console.log(since.idle + since.active > 50, since.utilization < 0.9);
  const second = worker.performance.eventLoopUtilization();
  const between = worker.performance.eventLoopUtilization(second, first);
  console.log(Math.abs(between.idle - (second.idle - first.idle)) < 1e-6);
  const usage = await worker.cpuUsage();
  console.log(kinds(usage), usage.user + usage.system > 30000);
  const more = await worker.cpuUsage(usage);
  console.log(more.user + more.system < usage.user + usage.system);
  for (const wrong of [{ user: -1, system: 0 }, { user: 1, system: 'x' }, 5, {}, { user: Infinity, system: 1 }]) {
    try {
      await worker.cpuUsage(wrong);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  console.log(Object.keys(await worker.getHeapStatistics()).sort().join());
  await worker.terminate();
  console.log(worker.performance.eventLoopUtilization(), worker.threadId, worker.threadName);
  for (const ask of ['cpuUsage', 'getHeapStatistics', 'getHeapSnapshot']) await worker[ask]().catch((error) => console.log(ask, error.code));
});
