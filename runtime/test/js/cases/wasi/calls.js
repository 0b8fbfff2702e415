'use strict';
// WASI's functions, called as a guest would, on a memory that a small module exports. What leads out of the directory is refused.
const { WASI } = require('node:wasi');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

const directory = fs.mkdtempSync(join(tmpdir(), 'guest-'));
const sandbox = join(directory, 'sandbox');
fs.mkdirSync(join(sandbox, 'inner'), { recursive: true });
fs.writeFileSync(join(directory, 'secret'), 'secret');
fs.writeFileSync(join(sandbox, 'file'), 'some text');
fs.symlinkSync('../secret', join(sandbox, 'out'));
fs.symlinkSync('/etc/passwd', join(sandbox, 'absolute'));
fs.symlinkSync('inner/../file', join(sandbox, 'in'));
fs.symlinkSync('two', join(sandbox, 'one'));
fs.symlinkSync('one', join(sandbox, 'two'));
fs.symlinkSync('..', join(sandbox, 'up'));

// (module (memory (export "memory") 1) (func (export "_start")))
const bytes = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 5, 3, 1, 0, 1, 7, 19, 2, 6, 109, 101, 109, 111, 114, 121, 2, 0,
  6, 95, 115, 116, 97, 114, 116, 0, 0, 10, 4, 1, 2, 0, 11]);

const file = 0x8e001ffn & ~0x3e00n; // what can be done with a file
const tooMuch = 1n << 40n;
const wasi = new WASI({ version: 'preview1', args: ['program', 'h\u00e9'], env: { NAME: 'value', OTHER: '' }, preopens: { '/sandbox': sandbox } });
const calls = wasi.wasiImport;
console.log(Object.keys(wasi.getImportObject()), Object.keys(calls).length, Object.keys(calls).sort().join(' '));
for (const options of [undefined, null, 5, {}, { version: 'x' }, { version: 'preview1', args: 'x' }, { version: 'preview1', env: 5 }, { version: 'preview1', stdin: 'x' },
  { version: 'preview1', returnOnExit: 1 }, { version: 'preview1', preopens: { a: '/no/such/directory' } }]) {
  try {
    new WASI(options);
    console.log('made');
  } catch (error) {
    console.log(error.name, error.code);
  }
}
try {
  calls.sched_yield();
} catch (error) {
  console.log(error.code, error.message);
}

const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes));
console.log(wasi.start(instance));
for (const again of [() => wasi.start(instance), () => wasi.initialize(instance), () => new WASI({ version: 'preview1' }).start({ exports: {} }),
  () => new WASI({ version: 'preview1' }).initialize(instance)]) {
  try {
    console.log(again());
  } catch (error) {
    console.log(error.name, error.code);
  }
}

const { memory } = instance.exports;
const view = () => new DataView(memory.buffer);
const put = (text, at = 1000) => {
  const encoded = Buffer.from(text);
  new Uint8Array(memory.buffer).set(encoded, at);
  return [at, encoded.length];
};
const u32 = (at) => view().getUint32(at, true);
const u64 = (at) => view().getBigUint64(at, true);
const show = (label, status, ...values) => console.log(label, status, ...(status === 0 ? values : []));

show('arguments', calls.args_sizes_get(0, 4), u32(0), u32(4));
calls.args_get(0, 100);
console.log(u32(0), u32(4), Buffer.from(memory.buffer, 100, 12).toString());
show('environment', calls.environ_sizes_get(0, 4), u32(0), u32(4));
calls.environ_get(0, 100);
console.log(Buffer.from(memory.buffer, 100, 18).toString());
show('clock', calls.clock_time_get(0, 1n, 0), u64(0) > 1700000000000000000n);
show('clock', calls.clock_res_get(1, 0), u64(0));
show('no clock', calls.clock_time_get(9, 1n, 0));
show('random', calls.random_get(0, 16), Buffer.from(memory.buffer, 0, 16).some((byte) => byte !== 0));
show('outside of memory', calls.random_get(70000, 16));
show('given', calls.fd_prestat_get(3, 0), view().getUint8(0), u32(4));
show('given name', calls.fd_prestat_dir_name(3, 0, 8), Buffer.from(memory.buffer, 0, 8).toString());
show('short name', calls.fd_prestat_dir_name(3, 0, 4));
show('not given', calls.fd_prestat_get(4, 0));

// ---- paths ----
const open = (path, { follow = 1, flags = 0, rights = file, how = 0 } = {}) => {
  const status = calls.path_open(3, follow, ...put(path), flags, rights, 0n, how, 0);
  return status === 0 ? [status, u32(0)] : [status];
};
for (const path of ['file', './inner/../file', 'in', 'out', 'absolute', '../secret', 'inner/../../secret', '/etc/passwd', 'one', 'missing', 'missing/file', 'file/x', '']) {
  const [status, fd] = open(path);
  console.log('open', JSON.stringify(path), status);
  if (status === 0) calls.fd_close(fd);
}
console.log('too much', open('file', { rights: tooMuch }));
console.log('made outside', open('../made', { flags: 1 }), open('out', { flags: 1 }), fs.readdirSync(directory));
// Node says that its sandbox is none, and lets these out.
const isKept = (path, options, expected = 76) => process.versions.rota === undefined || open(path, options)[0] === expected;
console.log(isKept('up/secret'), isKept('up/sandbox/file'), isKept('up/made', { flags: 1 }), isKept('out', { follow: 0 }, 32), isKept('in', { follow: 0 }, 32));
fs.symlinkSync('up/secret', join(sandbox, 'chain'));
fs.symlinkSync('../up', join(sandbox, 'inner', 'back'));
console.log(isKept('chain'), isKept('inner/back/secret'), isKept('inner/back/../../secret'), fs.existsSync(join(directory, 'made')));
const status = (name, ...given) => console.log(name, calls[name](...given));
status('path_create_directory', 3, ...put('made'));
status('path_create_directory', 3, ...put('made'));
status('path_create_directory', 3, ...put('../made'));
status('path_unlink_file', 3, ...put('../secret'));
status('path_remove_directory', 3, ...put('made'));
status('path_symlink', ...put('file', 2000), 3, ...put('new link'));
status('path_readlink', 3, ...put('new link'), 0, 100, 200);
console.log(Buffer.from(memory.buffer, 0, u32(200)).toString());
status('path_rename', 3, ...put('new link'), 3, ...put('renamed', 2000));
status('path_rename', 3, ...put('renamed'), 3, ...put('../renamed', 2000));
status('path_unlink_file', 3, ...put('renamed'));
status('path_link', 3, 0, ...put('file'), 3, ...put('second', 2000));
show('stat', calls.path_filestat_get(3, 1, ...put('in'), 0), view().getUint8(16), u64(24), u64(32));
show('link', calls.path_filestat_get(3, 0, ...put('in'), 0), view().getUint8(16));
show('outside', calls.path_filestat_get(3, 1, ...put('out'), 0));
status('path_filestat_set_times', 3, 1, ...put('file'), 1000000000n, 2000000000n, 5);
show('times', calls.path_filestat_get(3, 1, ...put('file'), 0), u64(40), u64(48));

// ---- descriptors ----
const [, fd] = open('file');
const vector = (at, ...pieces) => pieces.forEach(([where, length], i) => {
  view().setUint32(at + i * 8, where, true);
  view().setUint32(at + i * 8 + 4, length, true);
});
vector(300, [400, 4], [500, 100]);
show('read', calls.fd_read(fd, 300, 2, 0), u32(0), Buffer.from(memory.buffer, 400, 4).toString(), Buffer.from(memory.buffer, 500, 5).toString());
show('seek', calls.fd_seek(fd, 5n, 0, 0), u64(0));
show('tell', calls.fd_tell(fd, 0), u64(0));
show('pread', calls.fd_pread(fd, 300, 1, 0n, 0), u32(0), Buffer.from(memory.buffer, 400, 4).toString());
put('TEXT', 400);
vector(300, [400, 4]);
show('write', calls.fd_write(fd, 300, 1, 0), u32(0));
status('fd_filestat_set_size', fd, 7n);
show('size', calls.fd_filestat_get(fd, 0), u64(32));
status('fd_sync', fd);
show('state', calls.fd_fdstat_get(fd, 0), view().getUint8(0));
console.log(fs.readFileSync(join(sandbox, 'file'), 'utf8'));
status('fd_renumber', fd, 3);
status('fd_close', 99);
status('fd_read', 99, 300, 1, 0);
status('sock_shutdown', 99, 0);
calls.fd_close(3);
console.log('closed', open('second'));
fs.rmSync(directory, { recursive: true });
