'use strict';
// Duplexes, transforms, pairs and compositions.
const { Duplex, Transform, PassThrough, Readable, Writable, duplexPair, compose } = require('stream');
const { watch, log, play } = require('./support/watch.js');
const said = (name) => (...args) => log(name, ...args);

play({
  'pass through'() {
    const t = watch('t', new PassThrough());
    t.write('a', said('cb a'));
    t.end('b', said('cb end'));
  },
  'pass through, nobody reads'() {
    const t = watch('t', new PassThrough({ highWaterMark: 2 }), ['finish', 'end', 'close', 'drain', 'readable']);
    log(t.write('aa'), t.write('bb'), t.write('cc'));
    t.end();
    setImmediate(() => { let c; while ((c = t.read()) !== null) log('read', c); setImmediate(() => { while ((c = t.read()) !== null) log('read', c); }); });
  },
  transform() {
    const t = watch('t', new Transform({
      transform(chunk, encoding, callback) { log('transform', chunk); this.push(`${chunk}1`); callback(null, `${chunk}2`); },
      flush(callback) { log('flush'); callback(null, 'last'); },
    }));
    t.write('a', said('cb a'));
    t.end('b', said('cb end'));
  },
  'transform, later'() {
    const t = watch('t', new Transform({ transform(chunk, encoding, callback) { setImmediate(callback, null, chunk); }, flush(callback) { setImmediate(callback); } }));
    t.write('a', said('cb a'));
    t.write('b', said('cb b'));
    t.end();
  },
  'transform with final'() {
    const t = watch('t', new Transform({ transform(chunk, encoding, callback) { callback(null, chunk); }, final(callback) { log('final'); this.push('from final'); callback(); }, flush(callback) { log('flush'); callback(); } }));
    t.end('a');
  },
  'transform fails'() {
    const t = watch('t', new Transform({ transform(chunk, encoding, callback) { callback(new Error('transform')); } }));
    t.write('a', said('cb a'));
    t.write('b', said('cb b'));
    t.end(said('cb end'));
  },
  'flush fails'() {
    const t = watch('t', new Transform({ transform(chunk, encoding, callback) { callback(); }, flush(callback) { callback(new Error('flush')); } }));
    t.end('a', said('cb end'));
  },
  'object to bytes'() {
    const t = watch('t', new Transform({ writableObjectMode: true, transform(chunk, encoding, callback) { callback(null, JSON.stringify(chunk)); } }));
    t.write({ a: 1 });
    t.end([2]);
    log(t.readableObjectMode, t.writableObjectMode, t.readableHighWaterMark, t.writableHighWaterMark);
  },
  duplex() {
    const d = watch('d', new Duplex({ read() { this.push('r'); this.push(null); }, write(chunk, encoding, callback) { log('write', chunk); callback(); } }));
    setImmediate(() => d.end('w'));
  },
  'duplex, half open'() {
    const d = watch('d', new Duplex({ allowHalfOpen: false, read() { this.push(null); }, write(chunk, encoding, callback) { callback(); } }));
    log(d.allowHalfOpen);
  },
  'duplex, one side only'() {
    const d = watch('d', new Duplex({ readable: false, write(chunk, encoding, callback) { callback(); } }));
    log(d.readable, d.writable);
    d.end('a');
  },
  'duplex, destroyed'() {
    const d = watch('d', new Duplex({ read() {}, write(chunk, encoding, callback) { setImmediate(callback); } }));
    d.write('a', said('cb a'));
    d.write('b', said('cb b'));
    d.destroy(new Error('mine'));
  },
  pair() {
    const [a, b] = duplexPair();
    watch('a', a);
    watch('b', b);
    a.write('to b', said('cb'));
    b.end('to a');
    setImmediate(() => a.end());
  },
  'pair, destroyed'() {
    const [a, b] = duplexPair();
    watch('a', a);
    watch('b', b);
    a.write('x', said('cb'));
    a.destroy(new Error('one side'));
  },
  'from an iterable'() {
    watch('r', Readable.from(['a', 'b']));
  },
  'from text, bytes and promises'() {
    watch('text', Readable.from('abc'));
    watch('bytes', Readable.from(Buffer.from('def')));
    watch('promises', Readable.from([Promise.resolve(1), 2]));
  },
  'from a generator that fails'() {
    watch('r', Readable.from((function* () { try { yield 'a'; throw new Error('generator'); } finally { log('finally'); } })()));
  },
  'from a generator, destroyed'() {
    const r = watch('r', Readable.from((async function* () { try { yield 'a'; yield 'b'; } finally { log('finally'); } })()));
    r.once('data', () => r.destroy());
  },
  'Duplex.from a function'() {
    const d = watch('d', Duplex.from(async function* (from) { for await (const chunk of from) yield String(chunk).toUpperCase(); }));
    d.write('a');
    d.end('b');
  },
  'Duplex.from a promise'() {
    watch('d', Duplex.from(Promise.resolve('value')));
  },
  'Duplex.from two streams'() {
    const d = watch('d', Duplex.from({ readable: Readable.from(['r']), writable: new Writable({ write(chunk, encoding, callback) { log('write', chunk); callback(); } }) }));
    d.end('w');
  },
  compose() {
    const d = watch('d', compose(new PassThrough(), new Transform({ transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); } })));
    d.write('a');
    d.end('b', said('cb end'));
  },
  'compose functions'() {
    const d = watch('d', compose(async function* (from) { for await (const chunk of from) yield `${chunk}?`; }, async function* (from) { for await (const chunk of from) yield `${chunk}!`; }));
    d.end('a');
  },
  'compose fails'() {
    const d = watch('d', compose(new PassThrough(), async function* (from) { for await (const chunk of from) throw new Error(String(chunk)); }));
    d.end('a');
  },
  'readable.compose'() {
    const r = watch('r', Readable.from(['a', 'b']).compose(async function* (from) { for await (const chunk of from) yield `<${chunk}>`; }));
    log(r.readable, r.writable);
  },
});
