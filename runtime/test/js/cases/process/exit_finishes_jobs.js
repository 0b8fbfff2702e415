'use strict';

// What was begun before the process ends is finished: files that are written, jobs of the pool.

const fs = require('fs');
const path = require('path');
const os = require('os');
const { spawnSync } = require('child_process');

const ends = {
  exit: () => process.exit(),
  reallyExit: () => process.reallyExit(0),
  throws: () => {
    throw new Error('thrown');
  },
  rejects: () => Promise.reject(new Error('rejected')),
};
const effects = {
  open: [(d) => fs.open(`${d}/new`, 'w', () => {}), (d) => fs.existsSync(`${d}/new`)],
  write: [(d) => fs.write(fs.openSync(`${d}/file`, 'r+'), 'written', () => {}), (d) => fs.readFileSync(`${d}/file`, 'utf8')],
  mkdir: [(d) => fs.mkdir(`${d}/new`, () => {}), (d) => fs.existsSync(`${d}/new`)],
  unlink: [(d) => fs.unlink(`${d}/file`, () => {}), (d) => fs.existsSync(`${d}/file`)],
  promise: [(d) => fs.promises.rename(`${d}/file`, `${d}/new`), (d) => fs.existsSync(`${d}/new`)],
  // The pool has four threads: the last one waits in its queue.
  queued: [
    (d) => {
      for (let i = 0; i < 8; i++) require('crypto').pbkdf2('a', 'b', 20000, 64, 'sha512', () => {});
      fs.mkdir(`${d}/new`, () => {});
    },
    (d) => fs.existsSync(`${d}/new`),
  ],
};

if (process.argv[2]) {
  const [, , effect, end, directory] = process.argv;
  setImmediate(() => {
    effects[effect][0](directory);
    ends[end]();
  });
} else {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'exit-'));
  for (const effect of Object.keys(effects)) {
    for (const end of Object.keys(ends)) {
      fs.rmSync(directory, { recursive: true, force: true });
      fs.mkdirSync(directory);
      fs.writeFileSync(`${directory}/file`, 'content');
      const { status } = spawnSync(process.execPath, [__filename, effect, end, directory]);
      console.log(effect, end, status, effects[effect][1](directory));
    }
  }
  fs.rmSync(directory, { recursive: true });
}
