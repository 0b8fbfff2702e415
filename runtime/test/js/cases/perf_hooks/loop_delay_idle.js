'use strict';

// A loop that is monitored is not kept alive. Ours is not woken, either, at any resolution: Node's is, by its timer, so
// that part is only checked for ours. Iterations are counted without disturbing them on both.
const { monitorEventLoopDelay } = require('perf_hooks');
const { Worker, isMainThread, parentPort } = require('worker_threads');

const ours = process.rota !== undefined;
const loopCount = () => performance.nodeTiming.uvMetricsInfo.loopCount;
const idleFor = (duration) => new Promise((resolve) => {
  setImmediate(() => {
    const before = loopCount();
    setTimeout(() => resolve(loopCount() - before), duration);
  });
});

async function measure() {
  const lines = [];
  const timer = monitorEventLoopDelay({ resolution: 1 });
  const iterations = monitorEventLoopDelay({ samplePerIteration: true });
  iterations.enable();
  const without = await idleFor(300);
  lines.push(`iterations, idle: ${iterations.count <= 10 && iterations.count >= 2}`);
  iterations.disable();
  timer.enable();
  const during = await idleFor(300);
  timer.disable();
  lines.push(`not woken: ${!ours || during <= without + 5}`);
  lines.push(`and yet counted: ${timer.count > (ours ? 150 : 20)} ${timer.min < 5e6}`);
  // Enabled to the end: nothing waits for them.
  timer.enable();
  iterations.enable();
  return lines;
}

if (isMainThread) {
  measure().then((lines) => {
    for (const line of lines) console.log(line);
    new Worker(__filename).on('message', (line) => console.log(`worker: ${line}`)).on('exit', (code) => console.log('worker ended', code));
  });
} else {
  measure().then((lines) => lines.forEach((line) => parentPort.postMessage(line)));
}
