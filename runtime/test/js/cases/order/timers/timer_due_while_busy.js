'use strict';

// A callback that takes longer than a timer which it has set: the timer is due in the same iteration, whatever else is set behind it.
const { MessageChannel } = require('worker_threads');

function busy() {
  const start = process.hrtime();
  for (;;) {
    const [s, n] = process.hrtime(start);
    if (s * 1e3 + n / 1e6 > 4) return;
  }
}

function scene(name, next) {
  let left = 2;
  const said = (what) => {
    console.log(name, what);
    if (--left === 0) setImmediate(next);
  };
  setTimeout(said, 1, 'timer');
  busy();
  const far = setTimeout(() => {}, 100000);
  setImmediate(() => {
    said('immediate');
    clearTimeout(far);
  });
}

scene('main', () => {
  setImmediate(scene, 'from an immediate', () => {
    require('fs').stat(__filename, () => scene('from a file', () => {
      const { port2 } = new MessageChannel();
      port2.on('message', () => {});
      port2.on('close', () => scene('from a close', () => {}));
      port2.close();
    }));
  });
});
