'use strict';

// What a guest of node:wasi may do is asked where the system is called: beneath a directory that it was given it reads and writes
// only what the program may. Node does not ask, so there the answers are taken as they should be.
const fs = require('fs');
const path = require('path');
const { place, run } = require('./support/run');

for (const name of ['root/open/inner', 'root/shut', 'root/read']) fs.mkdirSync(path.join(place, name), { recursive: true });
for (const name of ['root/open/file', 'root/open/inner/file', 'root/shut/file', 'root/read/file']) fs.writeFileSync(path.join(place, name), 'text');

const code = `
  const { WASI } = require('node:wasi');
  const { memory } = { memory: new WebAssembly.Memory({ initial: 1 }) };
  const strict = process.versions.rota !== undefined;
  const wasi = new WASI({ version: 'preview1', preopens: { '/root': ${JSON.stringify(path.join(place, 'root'))} } });
  wasi.finalizeBindings({ exports: { memory } });
  const calls = wasi.wasiImport;
  const put = (text, at = 1000) => [at, Buffer.from(memory.buffer, at).write(text)];
  const all = 0x8e001ffn & ~0x3e00n;
  const open = (text, { from = 3, flags = 0, rights = 2n } = {}) => {
    const status = calls.path_open(from, 1, ...put(text), flags, rights, all, 0, 0);
    return status === 0 ? new DataView(memory.buffer).getUint32(0, true) : -status;
  };
  const is = (name, found, wanted) => console.log(name, strict ? found === wanted || found : true);
  const isDone = (name, found) => is(name, found >= 0, true);
  isDone('read', open('open/file'));
  isDone('read only', open('read/file'));
  isDone('elsewhere', open('open/../shut/file'));
  is('to write by way of another', open('open/../shut/file', { rights: 64n }), -2);
  is('a new file', open('read/new', { flags: 1, rights: 64n }), -2);
  is('to write', open('read/file', { rights: 64n }), -2);
  is('cut', open('read/file', { flags: 8, rights: 64n }), -2);
  isDone('write', open('open/file', { rights: 66n }));
  const inner = open('open/inner', { flags: 2, rights: 0x2402n });
  isDone('directory', inner);
  isDone('beneath it', open('file', { from: inner }));
  is('above it', open('../file', { from: inner }) < 0, true);
  isDone('written beneath it', open('made', { from: inner, flags: 1, rights: 64n }));
  is('mkdir', calls.path_create_directory(3, ...put('read/made')), 2);
  is('unlink', calls.path_unlink_file(3, ...put('read/file')), 2);
  is('rmdir', calls.path_remove_directory(3, ...put('shut')), 2);
  is('rename away', calls.path_rename(3, ...put('read/file'), 3, ...put('open/taken', 2000)), 2);
  is('rename to', calls.path_rename(3, ...put('open/file'), 3, ...put('read/given', 2000)), 2);
  is('link', calls.path_link(3, 0, ...put('shut/file'), 3, ...put('open/linked', 2000)), 2);
  is('symlink', calls.path_symlink(...put('file', 2000), 3, ...put('read/link')), 2);
  is('stat', calls.path_filestat_get(3, 0, ...put('shut/file'), 0), 0);
  is('times', calls.path_filestat_set_times(3, 0, ...put('read/file'), 1n, 1n, 5), 2);
  calls.fd_close(inner);
  is('closed', open('file', { from: inner }), -8);
  try {
    new WASI({ version: 'preview1', preopens: { '/': '/etc' } });
    console.log('etc', !strict);
  } catch (error) {
    console.log('etc', error.code === 'ERR_ACCESS_DENIED');
  }
`;
const options = ['--permission', '--no-warnings', '--allow-wasi', '--allow-fs-read=PLACE/main.js', '--allow-fs-read=PLACE/root',
  '--allow-fs-write=PLACE/root/open/*'];
const { stdout, stderr, status } = run(options, code);
console.log(stdout, stderr, status);
