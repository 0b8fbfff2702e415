'use strict';
// exec and execFile: what they collect, their limits, their promises.
const { exec, execFile } = require('child_process');
const { promisify } = require('util');
const shown = (error) => error && [error.name, error.code, error.killed, error.signal, error.cmd, error.message];
exec('echo out; echo err >&2', (error, out, err) => {
  console.log(shown(error), [out, err]);
  exec('exit 4', (error4) => {
    console.log(shown(error4));
    execFile('printf', ['%s', 'x'.repeat(100)], { maxBuffer: 10 }, (errorMax, text) => {
      console.log(shown(errorMax), text);
      execFile('sleep', ['10'], { timeout: 50 }, (errorTime) => {
        console.log(shown(errorTime));
        execFile('no-such-program', (errorMissing) => {
          console.log(shown(errorMissing), errorMissing.path);
          exec('printf "\\377"', { encoding: 'buffer' }, async (errorNone, bytes) => {
            console.log(errorNone, bytes);
            console.log(await promisify(exec)('echo promised'));
            const failed = await promisify(execFile)('sh', ['-c', 'echo told; exit 2']).catch((e) => e);
            console.log(shown(failed), failed.stdout, failed.stderr);
            const controller = new AbortController();
            execFile('sleep', ['10'], { signal: controller.signal }, (aborted) => console.log(aborted.name, aborted.code, aborted.cause?.name));
            controller.abort();
          });
        });
      });
    });
  });
});
