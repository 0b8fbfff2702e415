// What the scripts share.
'use strict';
const fs = require('fs');

// Whether the library under test is the one that is loaded.
exports.mapped = () => {
  const maps = fs.readFileSync('/proc/self/maps', 'utf8');
  const paths = new Set(maps.split('\n').filter((l) => l.includes('libuv.so')).map((l) => l.split(/\s+/)[5]));
  for (const path of paths) {
    if (!path.startsWith(fs.realpathSync(process.env.CLIENTS_LIB))) throw new Error(`libuv is ${path}`);
  }
  if (paths.size === 0) throw new Error('there is no libuv.so.1');
};

// A script whose loop ends before it has called this has failed.
let isFinished = false;
exports.finished = () => { isFinished = true; };
if (require('worker_threads').isMainThread && process.argv[2] !== 'child') {
  process.on('exit', (code) => {
    if (code === 0 && !isFinished) {
      console.error('the loop ran empty before the script was finished');
      process.exitCode = 1;
    }
  });
}
