'use strict';
// Duplex.from of two streams: what the end or the failure of one means to the others.
const { Duplex, Readable, Writable } = require('stream');
const log = (...a) => require('fs').writeSync(1, a.join(' ') + '\n');
process.on('uncaughtException', (e) => log('uncaught', e.message));
async function go(name, act, ro = {}, wo = {}) {
  log('==', name);
  const r = new Readable({ read() {}, ...ro }), w = new Writable({ write(c, e, done) { log('_write', String(c)); setImmediate(done); }, final(done) { log('_final'); done(); }, ...wo });
  for (const [k, s] of [['r', r], ['w', w]]) for (const e of ['close', 'error', 'finish', 'end']) s.on(e, (x) => log(k, e, x?.message));
  const s = Duplex.from({ readable: r, writable: w });
  for (const e of ['close', 'error', 'finish', 'end']) s.on(e, (x) => log('s', e, x?.message));
  s.on('data', (c) => log('data', String(c)));
  s.write('1');
  act(r, w, s);
  for (let i = 0; i < 20; i++) await new Promise((done) => setImmediate(done));
}
(async () => {
  await go('r error', (r) => r.destroy(new Error('re')));
  await go('r close', (r) => r.destroy());
  await go('r end', (r) => r.push(null));
  await go('w error', (r, w) => w.destroy(new Error('we')));
  await go('w close', (r, w) => w.destroy());
  await go('w finish', (r, w) => w.end());
  await go('s error', (r, w, s) => s.destroy(new Error('se')));
  await go('s close', (r, w, s) => s.destroy());
  await go('s end', (r, w, s) => s.end());
  await go('both', (r, w, s) => { s.end(); r.push('x'); r.push(null); });
  await go('r error later', (r) => setImmediate(() => r.destroy(new Error('re'))));
})();

