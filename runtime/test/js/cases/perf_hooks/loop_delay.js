'use strict';

// The delay of a loop that is blocked twice for 100 ms and idle else, as monitors of three kinds see it.
const { monitorEventLoopDelay } = require('perf_hooks');

const ms = 1e6;
const block = (duration) => {
  const end = performance.now() + duration;
  while (performance.now() < end);
};
const show = (name, value) => console.log(`${name}: ${value}`);

setTimeout(() => {
  const began = performance.now();
  const fine = monitorEventLoopDelay({ resolution: 10 });
  const coarse = monitorEventLoopDelay({ resolution: 50 });
  const idle = monitorEventLoopDelay({ resolution: 10 });
  show('enable', [fine.enable(), fine.enable(), coarse.enable(), idle.enable()]);
  show('nothing yet', [fine.count, fine.min, fine.max, fine.mean, fine.stddev, fine.percentiles.size]);

  setTimeout(() => {
    show('idle: count', idle.count >= 2 && idle.count <= (performance.now() - began) / 9);
    show('idle: min', idle.min >= 8.9 * ms && idle.min < 50 * ms);
    show('idle: disable', [idle.disable(), idle.disable()]);
    block(100);
  }, 200);

  setTimeout(() => block(100), 450);

  setTimeout(() => {
    const took = (performance.now() - began) * ms;
    const { count } = idle;
    for (const [name, histogram, resolution] of [['fine', fine, 10], ['coarse', coarse, 50]]) {
      show(`${name}: count`, histogram.count >= 4 && histogram.count <= took / ms / (resolution - 1));
      show(`${name}: min`, histogram.min >= (resolution - 1.1) * ms && histogram.min < 3 * resolution * ms);
      show(`${name}: max`, histogram.max >= 95 * ms);
      show(`${name}: all of the time`, histogram.mean * histogram.count > took * 0.7 && histogram.mean * histogram.count <= took);
      show(`${name}: deviation`, histogram.stddev > ms);
      show(`${name}: percentiles`, histogram.percentile(25) < 3 * resolution * ms && histogram.percentile(100) === histogram.max);
      show(`${name}: ascending`, [...histogram.percentiles.values()].every((value, i, all) => i === 0 || value >= all[i - 1]));
      show(`${name}: ends`, [[...histogram.percentiles.keys()].at(0), [...histogram.percentiles.keys()].at(-1)]);
      show(`${name}: big`, [histogram.countBigInt === BigInt(histogram.count), histogram.maxBigInt === BigInt(histogram.max),
        histogram.percentileBigInt(50) === BigInt(histogram.percentile(50)), histogram.exceedsBigInt]);
    }
    show('more of the fine ones', fine.count > coarse.count);
    show('disabled stays', idle.count === count);
    show('twice', fine.percentile(100 - 150 / fine.count) >= 95 * ms);
    fine.reset();
    show('reset', [fine.count, fine.min, fine.max, fine.mean, fine.exceeds]);
    // What it measured from is forgotten, too: this is not seen.
    block(1000);
    setTimeout(() => {
      show('after reset', fine.count > 0 && fine.max < 990 * ms);
      show('disable', [fine.disable(), fine.disable(), coarse.disable()]);
    }, 100);
  }, 700);
}, 20);
