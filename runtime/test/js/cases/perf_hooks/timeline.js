'use strict';

// What perf_hooks refuses and takes: observers' options, measures, timerify, utilisation, and one origin for all threads.
const { PerformanceObserver, performance } = require('perf_hooks');
const { Worker } = require('worker_threads');

function told(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

function observe(options, first) {
  const observer = new PerformanceObserver(() => {});
  told(`observe ${JSON.stringify(first)} ${JSON.stringify(options)}`, () => {
    if (first) observer.observe(first);
    return observer.observe(options);
  });
  observer.disconnect();
}

const list = { entryTypes: ['mark'] };
const one = { type: 'mark' };
for (const options of [{}, undefined, null, { entryTypes: null }, { type: null }, { entryTypes: null, type: null }, { entryTypes: null, type: 'mark' },
  { entryTypes: ['mark'], type: null }, { entryTypes: 'mark' }, { entryTypes: ['mark'], type: 'mark' }, { entryTypes: [] }, { entryTypes: ['x'] }, { type: 'x' }]) {
  observe(options);
}
observe(one, list);
observe(list, one);
observe({ entryTypes: 1 }, one);
observe(one, { type: 'x' });
observe(list, { type: 'x' });

for (const args of [[{ start: 1, end: 2, duration: 3 }], [{ duration: 3 }], [{ start: 1 }, 'x'], [{ detail: 1 }, 'x'], [{ end: 5 }], [{ start: 5 }], [{}, ''],
  [undefined, 'nope'], [{ duration: 3 }, 'nope'], [{ end: 7, duration: 2 }], [{ start: 7, duration: 2 }], [{ start: 7, end: 9 }], [null], [null, 'nope'], [3], [3, 9]]) {
  told(`measure ${JSON.stringify(args)}`, () => {
    const { startTime, duration } = performance.measure('m', ...args);
    return [startTime, Number.isInteger(duration) ? duration : 'long'];
  });
}
told('clear', () => performance.clearMarks(Symbol('x')));

const sum = performance.timerify(function foo(a, b) {
  return [new.target === undefined, a + b];
});
console.log(sum.name, sum.length, sum(1, 2), Object.getOwnPropertyDescriptor(sum, 'name'), Object.keys(sum));
class Made {
  constructor(x) {
    this.x = x;
  }
}
const Timed = performance.timerify(Made);
console.log(new Timed(3), new Timed(1) instanceof Made);
told('histogram', () => performance.timerify(() => {}, { histogram: 1 }));
told('histogram', () => performance.timerify(() => {}, { histogram: {} }));

new PerformanceObserver((entries) => {
  for (const entry of entries.getEntries()) console.log(JSON.stringify(entry).replace(/"(startTime|duration)":[^,]+/g, '"$1":0'), entry[0], entry[1], Object.keys(entry));
}).observe({ entryTypes: ['function'] });
sum(4, 5);
new Timed(9);
performance.timerify(async function later(x) {
  return x;
})(7).then((value) => console.log('later', value));

performance.mark('early');
new PerformanceObserver((entries) => console.log('buffered', entries.getEntries().map(({ name }) => name))).observe({ type: 'mark', buffered: true });

console.log(performance.eventLoopUtilization(), Object.keys(performance.nodeTiming.toJSON()), JSON.stringify(performance.mark('z', { detail: { a: 1 }, startTime: 5 })));
setTimeout(() => {
  const first = performance.eventLoopUtilization();
  setTimeout(() => {
    const second = performance.eventLoopUtilization();
    const between = performance.eventLoopUtilization(second, first);
    const since = performance.eventLoopUtilization(first);
    console.log(Object.keys(between), between.idle > 30, since.active >= between.active, second.utilization <= 1);
    new Worker('require("worker_threads").parentPort.postMessage([performance.timeOrigin, performance.now(), process.uptime()])', { eval: true })
      .on('message', ([origin, now, uptime]) => console.log(origin === performance.timeOrigin, now > second.idle, uptime > 0.06));
  }, 300);
}, 10);
