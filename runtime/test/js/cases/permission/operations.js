'use strict';

// Every function of fs with a path, in all of its forms, without any permission: what is thrown, passed to the callback, or rejected.
const { run } = require('./support/run');

const code = `
  const fs = require('fs');
  const P = '/etc/permission-1', Q = '/etc/permission-2';
  const calls = {
    access: [P], appendFile: [P, 'x'], chmod: [P, 0o600], chown: [P, 1, 1], copyFile: [P, Q], exists: [P], lchown: [P, 1, 1], link: [P, Q], lstat: [P],
    lutimes: [P, 1, 1], mkdir: [P], mkdtemp: [P], open: [P, 'r'], opendir: [P], readFile: [P], readdir: [P], readlink: [P], rename: [P, Q], rm: [P],
    rmdir: [P], stat: [P], statfs: [P], symlink: [P, Q], truncate: [P], unlink: [P], utimes: [P, 1, 1], writeFile: [P, 'x'], fchmod: [0, 1],
    fchown: [0, 1, 1], futimes: [0, 1, 1], fsync: [0], fdatasync: [0], open1: [P, 'w'], open2: [P, 'r+'], open3: [P, 'a+'], open4: [P, 'wx'],
    open5: [P, fs.constants.O_RDONLY | fs.constants.O_NOCTTY], open6: [Buffer.from(P), 'r'], open7: [new URL('file://' + P), 'r'],
    readFile1: [Buffer.from('/etc/x/../hostname')], readFile2: ['../../../../../../../../etc/hostname'], mkdir1: [P, { recursive: true }], glob: ['/etc/h*'],
  };
  const show = (error) => [error.code, error.permission, error.resource, error.message, Object.keys(error).join()].join(' | ');
  const promises = [];
  for (const key of Object.keys(calls)) {
    const name = key.replace(/\\d$/, '');
    try {
      console.log(key, 'at once', fs[name + 'Sync'](...calls[key]));
    } catch (error) {
      console.log(key, 'threw', show(error));
    }
    let isNow = true;
    try {
      fs[name](...calls[key], (error) => { if (error) console.log(key, 'callback', isNow ? 'at once' : 'later', show(error)); });
    } catch (error) {
      console.log(key, 'callback form threw', show(error));
    }
    isNow = false;
    promises.push(async () => {
      if (name === 'exists' || name[0] === 'f' || name === 'glob') return;
      await fs.promises[name](...calls[key]).then(() => console.log(key, 'promise is fulfilled'), (error) => console.log(key, 'promise', show(error)));
    });
  }
  for (const [name, start] of [['watch', () => fs.watch(P)], ['watchFile', () => fs.watchFile(P, () => {})], ['chdir', () => process.chdir('/etc')],
    ['createReadStream', () => fs.createReadStream(P).on('error', (error) => console.log('stream', show(error)))],
    ['openAsBlob', () => fs.openAsBlob(P)], ['cp', () => fs.cpSync(P, Q)]]) {
    try {
      Promise.resolve(start()).catch((error) => console.log(name, 'rejected', error.code));
    } catch (error) {
      console.log(name, 'threw', error.code, error.permission, error.resource);
    }
  }
  (async () => { for (const each of promises) await each(); })();
`;
const { stdout, status } = run(['--permission'], code);
console.log(stdout, status);
