'use strict';
// Streams of files: options, and the order of their events.
const fs = require('fs');
const os = require('os');
const path = require('path');
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'streams-'));
process.on('exit', () => fs.rmSync(directory, { recursive: true }));
const f = path.join(directory, 'file');
fs.writeFileSync(f, 'abcdefghij');
const bad = (g) => { try { g(); console.log('ok'); } catch (e) { console.log(e.code, e.message); } };
for (const o of [5, true, null, () => {}, { start: 'a' }, { start: -1 }, { start: 1.5 }, { end: 'a' }, { end: -1 }, { end: NaN }, { start: 5, end: 4 }, { start: 2 ** 53 }, { encoding: 'x' }, { fd: 'a' }, { fd: -1 }, { fd: {} }, { fs: 5 }, { fs: {} }, { fs: { open() {} } }, { mode: 'zz' }, { flags: 'zz' }, { highWaterMark: 0 }, { highWaterMark: 'x' }, { signal: 5 }, { autoClose: 5 }, { emitClose: 5 }, { windowsHandle: 1n }, 'x']) { process.stdout.write('r '); bad(() => fs.createReadStream(f, o).on('error', () => {}).destroy()); }
for (const o of [5, true, null, { start: 'a' }, { start: -1 }, { start: 1.5 }, { end: 'a' }, { encoding: 'x' }, { fd: 'a' }, { fs: {} }, { fs: { open() {}, write() {} } }, { fs: { open() {}, close() {} } }, { fs: { open() {}, close() {}, writev: 5, write() {} } }, { flush: 5 }, { flush: null }, 'x', 'latin1']) { process.stdout.write('w '); bad(() => fs.createWriteStream(f + '2', o).on('error', () => {}).destroy()); }
bad(() => fs.createReadStream()); bad(() => fs.createReadStream(5)); bad(() => fs.createReadStream('a\0b')); bad(() => fs.ReadStream(f).destroy()); bad(() => console.log(fs.createReadStream(undefined, { fd: 0 }).path));
bad(() => Object.getOwnPropertyDescriptor(fs.ReadStream.prototype, 'autoClose').get.call({}));
console.log(Object.getOwnPropertyDescriptor(fs.ReadStream.prototype, 'autoClose') && Object.keys(Object.getOwnPropertyDescriptor(fs.ReadStream.prototype, 'autoClose')).join());
let current;
const log = (s, n) => {
  for (const e of ['open', 'ready', 'data', 'end', 'finish', 'close', 'error', 'drain']) s.on(e, (x) => console.log(n, e, e === 'data' ? String(x) : e === 'open' ? typeof x : x?.code ?? '', s.pending, typeof s.fd, s.closed, s.destroyed));
  return (current = s);
};
const steps = [
  () => log(fs.createReadStream(f, { highWaterMark: 4 }), 'r'),
  () => log(fs.createReadStream(f, { start: 2, end: 6, highWaterMark: 4, encoding: 'utf8' }), 'r'),
  () => log(fs.createReadStream('/nope/x'), 'r'),
  () => log(fs.createWriteStream('/nope/x'), 'w'),
  () => { const w = log(fs.createWriteStream(f + '2', { highWaterMark: 3 }), 'w'); console.log(w.write('ab', (e) => console.log('cb', e, w.bytesWritten)), w.write('cdef'), w.write('g')); w.end('z', (e) => console.log('endcb', e, w.bytesWritten, fs.readFileSync(f + '2', 'utf8'))); },
  () => { const w = log(fs.createWriteStream(f + '2', { flags: 'r+', start: 1 }), 'w'); w.end('XY'); w.on('close', () => console.log(fs.readFileSync(f + '2', 'utf8'))); },
  () => { const w = log(fs.createWriteStream(f + '2', { flags: 'a' }), 'w'); w.end('++'); w.on('close', () => console.log(fs.readFileSync(f + '2', 'utf8'))); },
  () => { const r = log(fs.createReadStream(f, { autoClose: false }), 'r'); r.on('end', () => setImmediate(() => { console.log(r.destroyed, typeof r.fd); r.close((e) => console.log('closed', e)); })); },
  () => { const r = log(fs.createReadStream(f), 'r'); r.close((e) => console.log('closecb', e?.code)); r.close((e) => console.log('closecb2', e?.code)); },
  () => { const r = log(fs.createReadStream(f), 'r'); r.destroy(new Error('d')); r.close((e) => console.log('closecb', e?.message)); },
  () => { const w = log(fs.createWriteStream(f + '2'), 'w'); w.close((e) => console.log('closecb', e?.code)); },
  () => { const w = log(fs.createWriteStream(f + '2', { autoClose: false }), 'w'); w.write('a'); w.close((e) => console.log('closecb', e, w.fd)); },
  () => { const w = log(fs.createWriteStream(f + '2', { emitClose: false }), 'w'); w.end('a'); },
  () => { const fd = fs.openSync(f); const r = log(fs.createReadStream('', { fd, start: 3, end: 4 }), 'r'); console.log(r.path, r.fd === fd, r.pending); },
  () => { const r = log(fs.createReadStream(f, { fs: { open: fs.open, read: (fd, b, o, l, p, cb) => cb(new Error('rd')), close: fs.close } }), 'r'); r.resume(); },
  () => { const w = log(fs.createWriteStream(f + '2', { flush: true, fs: { open: fs.open, write: fs.write, fsync: (fd, cb) => { console.log('fsync'); fs.fsync(fd, cb); }, close: (fd, cb) => { console.log('close!'); fs.close(fd, cb); } } }), 'w'); w.end('q'); },
];
(async () => {
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const [i, step] of steps.entries()) {
    console.log('--', i);
    step();
    await new Promise((resolve) => current.on(current._writableState?.emitClose === false ? 'finish' : 'close', () => setTimeout(resolve, 20)));
  }
})();
