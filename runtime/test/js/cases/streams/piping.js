'use strict';
// pipe, pipeline and finished: the events of each stream, and their order.
const { Readable, Writable, PassThrough, Transform, pipeline, finished } = require('stream');
const promises = require('stream/promises');
const { watch, log, note, play } = require('./support/watch.js');
const source = (items, options) => new Readable({ ...options, read() { this.push(items.length > 0 ? items.shift() : null); } });
const sink = (options) => new Writable({ write(chunk, encoding, callback) { log('write', chunk); callback(); }, ...options });
const slow = (options) => sink({ write(chunk, encoding, callback) { log('write', chunk); setImmediate(callback); }, ...options });
const said = (name) => (...args) => (name === 'done' ? note : log)(name, ...args);

play({
  pipe() {
    watch('r', source(['a', 'b'])).pipe(watch('w', sink()));
  },
  'pipe to a slow one'() {
    watch('r', source(['aa', 'bb', 'cc'])).pipe(watch('w', slow({ highWaterMark: 3 })));
  },
  'pipe to two'() {
    const r = watch('r', source(['a', 'b', 'c']), ['end', 'close', 'pause', 'resume']);
    r.pipe(watch('v', sink({ highWaterMark: 1 })));
    r.pipe(watch('w', slow({ highWaterMark: 1 })));
  },
  'pipe without end'() {
    const w = watch('w', sink());
    watch('r', source(['a'])).pipe(w, { end: false });
    setTimeout(() => w.end('later'), 3);
  },
  unpipe() {
    const r = watch('r', source(['a', 'b', 'c']));
    const w = watch('w', sink());
    r.pipe(w);
    r.once('data', () => { r.unpipe(w); log('unpiped', r.readableFlowing); setImmediate(() => r.resume()); });
  },
  'the destination fails'() {
    const r = watch('r', source(['a', 'b']));
    r.pipe(watch('w', sink({ write(chunk, encoding, callback) { callback(new Error('full')); } })));
  },
  'the destination throws'() {
    const r = watch('r', source(['a', 'b']));
    r.pipe(watch('w', sink({ write() { throw new Error('thrown'); } })));
  },
  'the source fails'() {
    const r = watch('r', new Readable({ read() { this.destroy(new Error('source')); } }));
    r.pipe(watch('w', sink()));
  },
  'the destination closes'() {
    const r = watch('r', source(['a', 'b', 'c']));
    const w = watch('w', sink());
    r.pipe(w);
    w.once('pipe', () => process.nextTick(() => w.destroy()));
  },
  pipeline() {
    pipeline(watch('r', source(['a', 'b'])), watch('t', new PassThrough()), watch('w', sink()), said('done'));
  },
  'pipeline fails at its end'() {
    pipeline(watch('r', source(['a', 'b'])), watch('t', new PassThrough()), watch('w', sink({ write(chunk, encoding, callback) { callback(new Error('end')); } })), said('done'));
  },
  'pipeline fails at its beginning'() {
    pipeline(watch('r', new Readable({ read() { this.destroy(new Error('begin')); } })), watch('t', new PassThrough()), watch('w', sink()), said('done'));
  },
  'pipeline fails in its middle'() {
    pipeline(watch('r', source(['a', 'b'])), watch('t', new Transform({ transform(chunk, encoding, callback) { callback(new Error('middle')); } })), watch('w', sink()), said('done'));
  },
  'pipeline closed early'() {
    const w = watch('w', sink());
    pipeline(watch('r', source(['a', 'b', 'c'])), w, said('done'));
    process.nextTick(() => w.destroy());
  },
  'pipeline of functions'() {
    pipeline(function* () { yield 'a'; yield 'b'; }, async function* (from) { for await (const chunk of from) yield `${chunk}!`; }, watch('w', sink()), said('done'));
  },
  'pipeline to a function'() {
    pipeline(watch('r', source(['a', 'b'])), async (from) => { let all = ''; for await (const chunk of from) all += chunk; return all; }, said('done'));
  },
  'pipeline with a failing function'() {
    pipeline(watch('r', source(['a', 'b'])), async function* (from) { for await (const chunk of from) { yield chunk; throw new Error('generator'); } }, watch('w', sink()), said('done'));
  },
  async 'pipeline, promised'() {
    await promises.pipeline(watch('r', source(['a'])), watch('w', sink()));
    log('resolved');
  },
  async 'pipeline, promised, aborted'() {
    const controller = new AbortController();
    const running = promises.pipeline(watch('r', new Readable({ read() {} })), watch('w', sink()), { signal: controller.signal });
    process.nextTick(() => controller.abort());
    await running.catch(said('rejected'));
  },
  async 'pipeline that does not end'() {
    const w = watch('w', sink());
    await promises.pipeline(watch('r', source(['a'])), w, { end: false });
    log('resolved', w.writableEnded);
  },
  'finished, readable'() {
    const r = watch('r', source(['a']));
    finished(r, said('finished'));
  },
  'finished, writable'() {
    const w = watch('w', sink());
    finished(w, said('finished'));
    w.end('a');
  },
  'finished, too early'() {
    const r = watch('r', source(['a', 'b']));
    finished(r, said('finished'));
    r.destroy();
  },
  'finished, already'() {
    const w = sink();
    w.end();
    w.on('close', () => { finished(w, said('finished')); log('asked'); });
  },
  'finished, cleaned up'() {
    const r = source(['a']);
    finished(r, said('never'))();
    watch('r', r);
  },
  'finished, one side of a duplex'() {
    const d = watch('d', new PassThrough());
    finished(d, { readable: false }, said('written'));
    finished(d, { writable: false }, said('read'));
    finished(d, said('both'));
    d.end('a');
  },
  async 'finished, promised'() {
    const r = source(['a']);
    r.resume();
    await promises.finished(r);
    log('resolved');
  },
});
