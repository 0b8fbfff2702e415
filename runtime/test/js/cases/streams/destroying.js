'use strict';
// destroy, signals, and the state of a stream.
const stream = require('stream');
const { Readable, Writable, Duplex, PassThrough, addAbortSignal } = stream;
const { watch, log, play } = require('./support/watch.js');
const quiet = (options) => new Readable({ read() {}, ...options });
const sink = (options) => new Writable({ write(chunk, encoding, callback) { callback(); }, ...options });
const asked = (s) => log(stream.isReadable(s), stream.isWritable(s), stream.isErrored(s), stream.isDisturbed(s), stream.isDestroyed?.(s));

play({
  'readable'() {
    const r = watch('r', quiet());
    r.push('lost');
    r.destroy();
    log(r.destroyed, r.push('late'), r.read());
  },
  'with an error'() {
    const r = watch('r', quiet({ destroy(error, callback) { log('destroy', error); setImmediate(callback, error); } }));
    r.destroy(new Error('mine'));
    log(r.errored, r.closed);
  },
  'the error is replaced'() {
    watch('r', quiet({ destroy(error, callback) { callback(new Error('other')); } })).destroy(new Error('mine'));
  },
  'the error is swallowed'() {
    watch('r', quiet({ destroy(error, callback) { callback(); } })).destroy(new Error('mine'));
  },
  'destroy throws'() {
    watch('r', quiet({ destroy() { throw new Error('thrown'); } })).destroy();
  },
  'during construct'() {
    const w = watch('w', sink({ construct(callback) { setImmediate(callback); }, destroy(error, callback) { log('destroy', error); callback(error); } }));
    w.write('a', (error) => log('cb', error));
    w.destroy(new Error('early'));
  },
  'in finish'() {
    const w = watch('w', sink());
    w.on('finish', () => w.destroy(new Error('after')));
    w.end();
  },
  'in close'() {
    const r = watch('r', quiet());
    r.on('close', () => { r.destroy(new Error('too late')); log('again'); });
    r.destroy();
  },
  'a signal'() {
    const controller = new AbortController();
    watch('r', quiet({ signal: controller.signal }));
    process.nextTick(() => { log('abort'); controller.abort(); });
  },
  'a signal, aborted before'() {
    watch('w', sink({ signal: AbortSignal.abort() }));
  },
  'a signal, added'() {
    const controller = new AbortController();
    const d = watch('d', addAbortSignal(controller.signal, new PassThrough()));
    d.end('a');
    d.on('close', () => { controller.abort(); log('no matter'); });
  },
  'capturing rejections'() {
    const r = watch('r', quiet({ captureRejections: true }), ['error', 'close']);
    r.on('data', async () => { throw new Error('async listener'); });
    r.push('x');
  },
  async 'disposed'() {
    const r = watch('r', quiet());
    await r[Symbol.asyncDispose]();
    log('disposed', r.destroyed);
  },
  'questions'() {
    const r = quiet();
    const w = sink();
    const d = new Duplex({ read() {}, write() {} });
    for (const s of [r, w, d]) asked(s);
    for (const s of [r, w, d]) { s.on('error', () => {}); s.destroy(new Error('x')); asked(s); }
    for (const s of [null, {}, new ReadableStream(), new WritableStream()]) asked(s);
    setImmediate(() => { for (const s of [r, w, d]) asked(s); });
  },
  'defaults'() {
    log(stream.getDefaultHighWaterMark(false), stream.getDefaultHighWaterMark(true));
    stream.setDefaultHighWaterMark(false, 100);
    log(new Readable().readableHighWaterMark, new Writable().writableHighWaterMark, new PassThrough().writableHighWaterMark);
    stream.setDefaultHighWaterMark(false, 65536);
    for (const wrong of [() => stream.setDefaultHighWaterMark(true, -1), () => new Readable({ highWaterMark: -1 }), () => new Writable({ highWaterMark: 'x' }), () => new Readable({ encoding: 'nope' }), () => new Writable({ defaultEncoding: 'nope' }), () => new Duplex({ readableHighWaterMark: NaN })]) try { wrong(); } catch (error) { log(error, error.message); }
  },
});
