'use strict';

// The figures of a histogram, to the last digit, and its clones, which go on with it.
const { createHistogram, monitorEventLoopDelay } = require('perf_hooks');

const few = createHistogram();
for (const value of [10000000, 10000000, 20000000, 30000000]) few.record(value);
console.log(few.min, few.max, few.mean, few.stddev, few.exceeds, few.percentiles, few.percentilesBigInt);
for (const percent of [0.001, 1, 50, 51, 62, 63, 75, 88, 100]) console.log(percent, few.percentile(percent), few.percentileBigInt(percent));

const many = createHistogram();
for (let i = 1; i <= 1000; i++) many.record(i * 12345);
console.log(many.percentiles, many.percentile(49.96), many.percentile(33.3333), many.mean, many.stddev);

const clone = structuredClone(few);
few.record(7);
clone.record(9);
console.log(clone.constructor.name, clone.count, few.count, clone.min, few.min);
few.reset();
console.log(clone.count, few.count);

const monitor = monitorEventLoopDelay({ resolution: 1 });
monitor.enable();
const seen = structuredClone(monitor);
console.log(seen.constructor.name, seen.count, seen.enable, seen.disable);
try {
  many.add(monitor);
} catch (error) {
  console.log(error.code, error.message);
}
for (const [run, self] of [[monitor.enable, {}], [monitor.disable, few], [few.reset, {}], [few.percentile, monitor]]) {
  try {
    console.log(run.call(self, 50) >= 0);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
setTimeout(() => {
  console.log(seen.count > 0, seen.count === monitor.count, monitor.disable());
}, 500);
