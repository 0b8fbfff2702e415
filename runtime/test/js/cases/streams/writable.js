'use strict';
// When a writable's events and callbacks come.
const { Writable } = require('stream');
const { watch, log, play } = require('./support/watch.js');
const sink = (options) => new Writable({ write(chunk, encoding, callback) { log('write', chunk, encoding); callback(); }, ...options });
const slow = (options) => sink({ write(chunk, encoding, callback) { log('write', chunk); setImmediate(callback); }, ...options });
const said = (name) => (error) => log(name, error);

play({
  sync() {
    const w = watch('w', sink());
    log(w.write('a', said('cb a')), w.write('b', said('cb b')));
    w.end('c', said('cb end'));
    log('ended', w.writableEnded, w.writableFinished);
  },
  'the same callback'() {
    const w = watch('w', sink());
    const same = said('cb');
    w.write('a', same);
    w.write('b', same);
    process.nextTick(() => log('between'));
    w.write('c', same);
  },
  async() {
    const w = watch('w', slow());
    w.write('a', said('cb a'));
    w.write('b', said('cb b'));
    w.end(said('cb end'));
  },
  'drain'() {
    const w = watch('w', sink({ highWaterMark: 3 }));
    log(w.write('ab'), w.write('cd'), w.writableNeedDrain, w.writableLength);
  },
  'drain, async'() {
    const w = watch('w', slow({ highWaterMark: 3 }));
    log(w.write('ab'), w.write('cd'), w.write('ef'), w.writableNeedDrain, w.writableLength);
    w.once('drain', () => { log('again', w.write('g')); w.end(); });
  },
  'cork'() {
    const w = watch('w', sink({ writev(chunks, callback) { log('writev', chunks.map(({ chunk, encoding }) => `${chunk}/${encoding}`).join()); callback(); } }));
    w.cork();
    w.write('a', said('cb a'));
    w.write('b', 'latin1', said('cb b'));
    w.cork();
    w.uncork();
    log(w.writableCorked);
    process.nextTick(() => w.uncork());
  },
  'cork, ended'() {
    const w = watch('w', slow());
    w.cork();
    w.write('a');
    w.write('b');
    w.end('c');
  },
  'writev while slow'() {
    const w = watch('w', slow({ writev(chunks, callback) { log('writev', chunks.length); process.nextTick(callback); } }));
    for (const text of ['a', 'b', 'c']) w.write(text, said(`cb ${text}`));
    w.end();
  },
  'final'() {
    const w = watch('w', sink({ final(callback) { log('final'); setImmediate(callback); } }));
    w.end('a', said('cb end'));
  },
  'final, at once'() {
    const w = watch('w', sink({ final(callback) { log('final'); callback(); } }));
    w.end(said('cb end'));
  },
  'final fails'() {
    const w = watch('w', sink({ final(callback) { callback(new Error('final')); } }));
    w.end('a', said('cb end'));
  },
  'write fails'() {
    const w = watch('w', sink({ write(chunk, encoding, callback) { callback(new Error('write')); } }));
    log(w.write('a', said('cb a')), w.write('b', said('cb b')));
    w.end(said('cb end'));
  },
  'write fails, later'() {
    const w = watch('w', slow({ write(chunk, encoding, callback) { setImmediate(callback, new Error('write')); } }));
    w.write('a', said('cb a'));
    w.write('b', said('cb b'));
  },
  'write after end'() {
    const w = watch('w', sink());
    w.end();
    w.write('late', said('cb late'));
  },
  'end twice'() {
    const w = watch('w', sink());
    w.end(said('first'));
    w.end(said('second'));
    w.on('finish', () => w.end(said('third')));
    setImmediate(() => w.end(said('fourth')));
  },
  'callback twice'() {
    const w = watch('w', sink({ write(chunk, encoding, callback) { callback(); callback(); } }));
    w.write('a');
  },
  'null and wrong'() {
    const w = watch('w', sink());
    for (const value of [null, undefined, 5, {}]) try { w.write(value); } catch (error) { log(error); }
    try { w.write('x', 'nope'); } catch (error) { log(error); }
  },
  'destroyed while writing'() {
    const w = watch('w', slow());
    w.write('a', said('cb a'));
    w.write('b', said('cb b'));
    w.end(said('cb end'));
    w.destroy();
    w.write('c', said('cb c'));
  },
  'destroyed with an error'() {
    const w = watch('w', sink({ destroy(error, callback) { log('destroy', error); process.nextTick(callback, error); } }));
    w.destroy(new Error('mine'));
    w.destroy(new Error('second'));
    log(w.destroyed, w.closed, w.errored);
  },
  'autoDestroy off'() {
    watch('w', sink({ autoDestroy: false })).end('a');
  },
  'construct'() {
    const w = watch('w', sink({ construct(callback) { log('construct'); setImmediate(callback); } }));
    w.write('a', said('cb a'));
    w.end('b');
  },
  'decodeStrings off'() {
    const w = watch('w', sink({ decodeStrings: false, defaultEncoding: 'latin1' }));
    w.write('a');
    w.write('b', 'hex');
    w.setDefaultEncoding('utf8');
    w.end('c');
  },
  'objects'() {
    const w = watch('w', sink({ objectMode: true, highWaterMark: 2 }));
    log(w.write({ a: 1 }), w.write([2]), w.write('three'), w.writableLength);
    w.end();
  },
  'state'() {
    const w = sink();
    const show = () => log(w.writable, w.writableEnded, w.writableFinished, w.writableLength, w.writableHighWaterMark, w.writableObjectMode, w.writableCorked, w.writableAborted, w.closed, w.destroyed, w.errored);
    show();
    w.on('close', show);
    w.end('a');
    show();
  },
});
