'use strict';
// A rejection that is fatal is shown where its error was made, an error that is thrown where it was thrown.
const { spawnSync } = require('child_process');
const shown = (code, ...options) => {
  const { stderr } = spawnSync(process.execPath, [...options, '-e', code], { encoding: 'utf8' });
  console.log(stderr.split('\n').slice(0, 3).map((line) => line.replace(/^file:.*\[/, '[')).join('\n'));
};
shown('async function f() {   throw new Error("asynchronous"); }\nf();');
shown('function f() {   throw new Error("thrown"); }\nf();');
shown('Promise.reject(new Error("rejected"));');
shown('await 1;  throw new Error("top level");', '--input-type=module');
shown('setTimeout(() => { throw new Error("timer"); }, 1);');
