'use strict';

// Compressors that are closed, reset and written to from inside of their own events.
const z = require('zlib');
const g = z.createGzip();
g.on('data', () => {
  g.close();
  try {
    g.write('x');
  } catch (e) {
    console.log('w', e.code);
  }
});
g.on('error', (e) => console.log('err', e.code));
g.on('close', () => console.log('closed'));
g.write('a'.repeat(1e6));
g.flush();
const d = z.createInflate();
d.on('error', (e) => {
  console.log('inf', e.code);
  d.write('again', (e2) => console.log('w2', e2 && e2.code));
  d.reset && d.destroy();
});
d.write(Buffer.from([1, 2, 3, 4]));
const e = z.createDeflate();
e._handle && e.close();
try {
  e.flush(() => console.log('flushed'));
} catch (x) {
  console.log(x.code);
}
try {
  e.params(3, 0, (er) => console.log('params', er && er.code));
} catch (x) {
  console.log('p', x.code || x.name);
}
