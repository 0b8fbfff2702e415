'use strict';
// Writable.toWeb: how many jobs a write takes, also on a stream that has failed and on one without room.
const { Writable } = require('stream');
const fs = require('fs');
const log = (...a) => fs.writeSync(1, a.join(' ') + '\n');
const turn = async () => { for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done)); };
async function go(name, options, chunks, done) {
  log('==', name);
  const node = new Writable({ write(c, e, cb) { log('_write', String(c)); done(cb); }, ...options });
  node.on('error', (e) => log('error', e.message)); node.on('drain', () => log('drain')); node.on('close', () => log('close'));
  const w = Writable.toWeb(node).getWriter(); 
  let n = 0; const job = () => { if (n++ < 14) { log('  job', n); queueMicrotask(job); } }; 
  w.closed.then(() => log('closed'), (e) => log('closed', e.message)); w.ready.then(() => log('ready'));
  process.nextTick(() => log('tick')); queueMicrotask(job);
  for (const x of chunks) w.write(x).then(() => log('wrote', x), (e) => log('wrote', x, e.message));
  w.close().then(() => log('done'), (e) => log('done', e.message));
  await turn();
}
(async () => {
  await go('object error', { objectMode: true }, ['1', '2'], (cb) => cb(new Error('e')));
  await go('object', { objectMode: true }, ['1', '2'], (cb) => cb());
  await go('object tick', { objectMode: true }, ['1', '2'], (cb) => process.nextTick(cb));
  await go('object micro error', { objectMode: true }, ['1', '2'], (cb) => queueMicrotask(() => cb(new Error('m'))));
  await go('small', { highWaterMark: 1 }, ['1', '2'], (cb) => cb());
  await go('small error', { highWaterMark: 1 }, ['1', '2'], (cb) => cb(new Error('e')));
  await go('small micro', { highWaterMark: 1 }, ['1', '2'], (cb) => queueMicrotask(cb));
  await go('two', { highWaterMark: 2 , objectMode: true}, ['1', '2', '3'], (cb) => queueMicrotask(cb));
  await go('bytes', { }, ['1', '2', '3'], (cb) => setImmediate(cb));
  await go('throws', { objectMode: true }, ['1', '2'], (cb) => { throw new Error('thrown') });
})();
