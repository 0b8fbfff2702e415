'use strict';
// Loops that the engine has fully optimized are interrupted, too, repeatedly.
const vm = require('vm');
const { Worker } = require('worker_threads');

globalThis.loop = function () {
  for (;;);
};
globalThis.holder = {
  get loop() {
    for (;;);
  },
};
globalThis.adds = function (n) {
  for (let x = 0; x >= 0;) x += n;
};

const scripts = [
  'loop()',
  'holder.loop',
  'adds(0)',
  'try { loop() } finally { loop() }',
  'for (;;) { try { holder.loop } catch {} }',
  'for (;;) adds(-1)',
];
for (const code of scripts) {
  let ended = 0;
  for (let i = 0; i < 10; i++) {
    try {
      vm.runInThisContext(code, { timeout: 12 });
    } catch (error) {
      if (error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') ended++;
    }
  }
  console.log(code, ended);
}

// The thread says that it begins when the loop's function has been compiled.
const code = `
function spin(again) { do; while (again); }
for (let i = 0; i < 1e6; i++) spin(false);
require('worker_threads').parentPort.postMessage('begins');
spin(true);`;
const worker = new Worker(code, { eval: true });
worker.on('message', async (text) => {
  console.log(text);
  console.log(await worker.terminate());
});
