'use strict';

// Streams that are destroyed, read and called back twice from inside of their own functions.
const { Readable, Writable, Transform, pipeline, Duplex } = require('stream');
let d = 0;
const r = new Readable({
  read() {
    if (d++ < 50) this.read(0);
    this.push(d < 100 ? 'x' : null);
  },
  destroy(e, c) {
    c();
    c();
  },
});
r.on('data', () => {
  r.pause();
  r.resume();
  r.unshift('');
});
r.on('end', () => console.log('end'));
r.on('close', () => console.log('close'));
const w = new Writable({
  write(c, e, cb) {
    cb();
    try {
      cb();
    } catch (x) {
      console.log(x.code);
    }
  },
});
w.on('error', (e) => console.log('w', e.code));
w.write('a');
w.write('b');
const t = new Transform({
  transform(c, e, cb) {
    this.destroy();
    cb(null, c);
    this.push('late');
  },
});
t.on('error', (e) => console.log('t', e.code));
t.on('close', () => console.log('tclose'));
t.end('x');
pipeline(
  new Readable({
    read() {
      throw new Error('rd');
    },
  }),
  new Writable({
    write() {
      throw 1;
    },
  }),
  (e) => console.log('pl', e.message),
);
const p = new Duplex({
  read() {},
  write(c, e, cb) {
    cb();
  },
});
p.pipe(p);
p.push('loop');
setImmediate(() => p.destroy());
