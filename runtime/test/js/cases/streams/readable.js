'use strict';
// When a readable's events come, by ticks and microtasks.
const { Readable } = require('stream');
const { watch, log, play } = require('./support/watch.js');
const source = (items, options) => new Readable({ ...options, read() { this.push(items.length > 0 ? items.shift() : null); } });
const quiet = (options) => new Readable({ read() {}, ...options });

play({
  flowing() {
    watch('r', source(['a', 'b', 'c']));
  },
  'flowing, objects'() {
    watch('r', source([1, { b: 2 }, 'c'], { objectMode: true }));
  },
  'pushed from outside'() {
    const r = watch('r', quiet());
    r.push('a');
    process.nextTick(() => r.push('b'));
    Promise.resolve().then(() => r.push('c'));
    setImmediate(() => { r.push('d'); r.push('e'); r.push(null); log('pushed'); });
  },
  'readable event'() {
    const r = watch('r', source(['abc', 'defg', 'h'], { highWaterMark: 4 }), ['end', 'close', 'readable']);
    r.on('readable', () => { let chunk; while ((chunk = r.read()) !== null) log('read', chunk); });
  },
  'readable event, pushed from outside'() {
    const r = watch('r', quiet(), ['end', 'close', 'readable']);
    r.on('readable', () => log('read', r.read(), r.readableLength));
    r.push('a');
    r.push('b');
    setImmediate(() => { r.push('c'); process.nextTick(() => r.push(null)); });
  },
  'sizes'() {
    const r = quiet();
    r.push('abcdef');
    r.push('ghi');
    log(r.read(2), r.read(), r.read(100), r.read(0), r.read(), r.read());
    r.push('x');
    r.push(null);
    log(r.read(100), r.read());
    watch('r', r);
    r.resume();
  },
  'unshift'() {
    const r = watch('r', source(['a', 'b']), ['end', 'close']);
    r.once('readable', () => { const first = r.read(); r.unshift('again '); log(first, r.read(), r.read()); r.resume(); r.on('data', (d) => log('data', d)); });
  },
  'encoding'() {
    const r = quiet({ encoding: 'utf8' });
    r.push(Buffer.from([0xe2, 0x82]));
    r.push(Buffer.from([0xac, 0x41]));
    log(r.read(), r.readableEncoding);
    watch('r', r);
    r.push(Buffer.from([0xf0, 0x9f]));
    r.push(null);
  },
  'pause and resume'() {
    const r = watch('r', source(['a', 'b', 'c', 'd']));
    r.once('data', () => { r.pause(); log('paused', r.isPaused(), r.readableFlowing); setImmediate(() => { log('resume'); r.resume(); }); });
  },
  'resume without listeners'() {
    const r = watch('r', source(['a', 'b']), ['end', 'close', 'resume', 'pause']);
    r.resume();
    r.pause();
    r.resume();
  },
  'listener removed'() {
    const r = watch('r', source(['a', 'b', 'c']), ['end', 'close', 'pause', 'resume']);
    const listener = (d) => { log('data', d); r.off('data', listener); setImmediate(() => { log(r.readableFlowing, r.readableLength); r.resume(); }); };
    r.on('data', listener);
  },
  'push after the end'() {
    const r = watch('r', quiet());
    r.push(null);
    r.push('late');
  },
  'unshift after the end'() {
    const r = watch('r', quiet());
    r.on('end', () => r.unshift('late'));
    r.push(null);
  },
  'bad chunk'() {
    watch('r', quiet()).push(5);
  },
  'error in read'() {
    watch('r', new Readable({ read() { throw new Error('read'); } }));
  },
  'destroyed in data'() {
    const r = watch('r', source(['a', 'b', 'c']));
    r.once('data', () => r.destroy(new Error('enough')));
  },
  'autoDestroy off'() {
    watch('r', source(['a'], { autoDestroy: false }));
  },
  'emitClose off'() {
    watch('r', source(['a'], { emitClose: false }));
  },
  'construct'() {
    watch('r', new Readable({
      construct(callback) { log('construct'); setImmediate(() => { callback(); log('called back'); }); },
      read() { log('read'); this.push('x'); this.push(null); },
    }));
  },
  'construct fails'() {
    watch('r', new Readable({ construct(callback) { callback(new Error('construct')); }, read() {} }));
  },
  'an empty end while flowing'() {
    const r = watch('r', quiet());
    setImmediate(() => { r.push(null); log('ended', r.readableEnded); });
  },
  'state'() {
    const r = source(['a']);
    log(r.readable, r.readableFlowing, r.readableLength, r.readableHighWaterMark, r.readableObjectMode, r.readableDidRead, r.readableAborted, r.readableEnded, r.closed, r.destroyed, r.errored);
    r.on('close', () => log(r.readable, r.readableFlowing, r.readableLength, r.readableDidRead, r.readableAborted, r.readableEnded, r.closed, r.destroyed, r.errored));
    r.resume();
  },
  'wrap'() {
    const old = new (require('events'))();
    old.pause = () => log('old pause');
    old.resume = () => log('old resume');
    old.special = () => 'special';
    const r = watch('r', new Readable({ highWaterMark: 2 }).wrap(old));
    log(r.special());
    old.emit('data', Buffer.from('ab'));
    old.emit('data', Buffer.from('cd'));
    setImmediate(() => old.emit('end'));
  },
});
