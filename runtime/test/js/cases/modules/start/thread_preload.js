// A thread first loads the modules that its options name.
'use strict';
const { Worker } = require('worker_threads');
const execArgv = ['-r', '../support/says.cjs', '--import', 'data:text/javascript,console.log("imported")'];
function run(script, options, next) {
  const worker = new Worker(script, { stdout: true, ...options });
  let text = '';
  worker.stdout.on('data', (chunk) => { text += chunk; });
  worker.on('exit', (code) => {
    console.log(text, code);
    next?.();
  });
}
run('console.log("text", process.execArgv.length)', { eval: true, execArgv }, () => {
  run('../support/thread.cjs', { execArgv }, () => {
    run('../support/thread.mjs', { execArgv }, () => run('../support/thread.mjs', { execArgv: [] }));
  });
});
