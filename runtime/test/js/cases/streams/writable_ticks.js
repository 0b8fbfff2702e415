'use strict';

// In which tick a Writable calls, tells and finishes, whenever its sink answers.

const { Writable } = require('stream');
const { log, scene, callback, moments, watch } = require('./support/scenes.js');

// A sink that fails at the chunk `fails`.
function sink(when, options = {}) {
  return watch(new Writable({
    write(chunk, encoding, done) {
      log('write ', chunk);
      when(() => {
        log('done ', chunk);
        done(options.fails === String(chunk) ? new Error('failed') : undefined);
        log('/', chunk);
      });
    },
    ...options,
  }));
}

const step = (name, when) => (done) => {
  log(name);
  when(() => {
    log('/', name);
    done();
  });
};
const writeAll = (w, text) => [...text].forEach((c) => log(w.write(c, callback(c))));
const laterDestroy = (w, error) => process.nextTick(() => w.destroy(error));

const deeds = {
  'writes': (w) => writeAll(w, 'abc'),
  'writes without callbacks': (w) => ['a', 'b'].forEach((c) => log(w.write(c))),
  'one callback for all': (w) => [...'abc'].forEach((c, i, all) => w.write(c, (all.shared ??= callback('x')))),
  'ends': (w) => w.end(callback('end')),
  'writes and ends': (w) => { writeAll(w, 'ab'); w.end(callback('end')); },
  'ends with a chunk': (w) => { w.write('a'); w.end('b', callback('end')); },
  'ends twice': (w) => { w.end(callback('end')); w.end(callback('again')); setImmediate(() => w.end(callback('late'))); },
  'writes after the end': (w) => { w.end('a', callback('end')); log(w.write('z', callback('z'))); },
  'is destroyed': (w) => { writeAll(w, 'ab'); w.destroy(); writeAll(w, 'c'); },
  'is destroyed with an error': (w) => { writeAll(w, 'ab'); w.destroy(new Error('mine'), callback('destroy')); },
  'is destroyed after the end': (w) => { writeAll(w, 'ab'); w.end(callback('end')); w.destroy(); },
  'is destroyed a tick after the end': (w) => { w.end(callback('end')); laterDestroy(w); },
  'is destroyed, then ended': (w) => { w.write('a', callback('a')); w.destroy(); w.end(callback('end')); },
  'corks': (w) => { w.cork(); writeAll(w, 'ab'); log(w.writableLength); w.uncork(); log(w.writableCorked); },
  'corks and ends': (w) => { w.cork(); w.cork(); writeAll(w, 'ab'); w.end(callback('end')); },
  'corks and is destroyed': (w) => { w.cork(); writeAll(w, 'ab'); w.destroy(); w.uncork(); },
  'writes in the callback': (w) => w.write('a', () => { log('a'); w.write('b', callback('b')); w.end(callback('end')); }),
};
const settings = {
  'plain': () => ({}),
  'small': () => ({ highWaterMark: 1 }),
  'of objects': () => ({ objectMode: true, highWaterMark: 2 }),
  'without autoDestroy': () => ({ autoDestroy: false }),
  'with writev': (when) => ({ writev: (chunks, done) => { log('writev ', chunks.length); when(done); } }),
  'with construct': (when) => ({ construct: step('construct', when) }),
  'with final': (when) => ({ final: step('final', when) }),
  'with a failing final': (when) => ({ final: (done) => when(() => done(new Error('final failed'))) }),
  'with destroy': (when) => ({ destroy: (error, done) => { log('destroy'); when(() => done(error)); } }),
  'failing at a': () => ({ fails: 'a' }),
  'failing at b, without autoDestroy': () => ({ fails: 'b', autoDestroy: false }),
};

for (const [moment, when] of Object.entries(moments)) {
  for (const [setting, options] of Object.entries(settings)) {
    for (const [deed, act] of Object.entries(deeds)) scene(`${moment}, ${setting}, ${deed}`, () => act(sink(when, options(when))));
  }
}
