'use strict';

// What a pipeline does to its streams, and when it calls back: for every way of ending.

const { Readable, Writable, PassThrough, Duplex, pipeline } = require('stream');
const promises = require('stream/promises');

const make = {
  r: (options) => new Readable({ read() {}, ...options }),
  w: (options) => new Writable({ write: (chunk, encoding, done) => done(), ...options }),
  t: (options) => new PassThrough(options),
  d: (options) => new Duplex({ read() {}, write: (chunk, encoding, done) => done(), ...options }),
};
const name = (error) => (error ? error.code ?? error.message : error);
const slowly = (error, done) => setImmediate(done, error);

let log;
function told(label, stream) {
  for (const event of ['error', 'close', 'end', 'finish', 'unpipe']) {
    stream.on(event, (value) => log(`${label} ${event}${event === 'error' ? ` ${name(value)}` : ''}`));
  }
  return stream;
}
const some = (options = {}) => Object.fromEntries(['r', 't', 'w'].map((key) => [key, told(key, make[key](options[key]))]));
const done = (error) => log(`callback ${name(error)}`);
function ticks(left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`tick ${number}`);
    ticks(left - 1, number + 1);
  });
}
const ended = (stream) => new Promise((resolve) => {
  stream.end();
  setTimeout(resolve, 20, stream);
});
const destroyed = (stream) => {
  stream.destroy();
  return stream;
};

const cases = {
  'pipe into destroyed': () => make.r().pipe(told('w', destroyed(make.w()))),
  'into destroyed': () => pipeline(told('r', make.r()), told('w', destroyed(make.w())), done),
  'from destroyed': () => pipeline(told('r', destroyed(make.r())), told('w', make.w()), done),
  'through destroyed': () => pipeline(told('r', make.r()), told('t', destroyed(make.t())), told('w', make.w()), done),
  'into finished that stays': async () => pipeline(told('r', make.r()), told('w', await ended(make.w({ autoDestroy: false }))), done),
  'into finished': async () => pipeline(told('r', make.r()), told('w', await ended(make.w())), done),
  'into finished duplex': async () => pipeline(told('r', make.r()), told('d', await ended(make.d())), done),
  'slow source': () => {
    const { r, t, w } = some({ r: { destroy: slowly } });
    pipeline(r, t, w, done);
    setImmediate(() => w.destroy(new Error('x')));
  },
  'slow sink': () => {
    const { r, t, w } = some({ w: { destroy: slowly } });
    pipeline(r, t, w, done);
    setImmediate(() => r.destroy(new Error('x')));
  },
  'source that is never destroyed': () => {
    const { r, t, w } = some({ r: { destroy() {} } });
    pipeline(r, t, w, done);
    setImmediate(() => w.destroy(new Error('x')));
  },
  'sink that closes at once': () => {
    const { r, w } = some();
    const { destroy } = w;
    w.destroy = function(error) {
      destroy.call(this, error);
      this.emit('close');
      return this;
    };
    pipeline(r, w, done);
    setImmediate(() => r.destroy(new Error('x')));
  },
  'no close': () => {
    const { r, t, w } = some({ r: { emitClose: false }, t: { emitClose: false }, w: { emitClose: false } });
    pipeline(r, t, w, done);
    setImmediate(() => {
      w.destroy(new Error('x'));
      ticks(3);
    });
  },
  'no destruction of its own': () => {
    const { r, t, w } = some({ r: { autoDestroy: false }, w: { autoDestroy: false, write: (chunk, encoding, callback) => callback(new Error('x')) } });
    pipeline(r, t, w, done);
    setImmediate(() => {
      r.push('a');
      ticks(5);
    });
  },
  'well': () => {
    const { r, t, w } = some();
    pipeline(r, t, w, done);
    r.push('a');
    r.push(null);
  },
  'sink ended early': () => {
    const { r, t, w } = some();
    pipeline(r, t, w, done);
    setImmediate(() => w.end());
  },
  'write after end': () => {
    const { r, w } = some({ w: { autoDestroy: false, write: (chunk, encoding, callback) => setImmediate(callback) } });
    w.end('last');
    pipeline(r, w, done);
    r.push('more');
  },
  'signal': () => {
    const controller = new AbortController();
    const { r, t, w } = some();
    promises.pipeline(r, t, w, { signal: controller.signal }).then(() => log('kept'), (error) => log(`refused ${name(error)}`));
    setImmediate(() => {
      controller.abort();
      ticks(3);
    });
  },
  'end: false': () => {
    const { r, w } = some();
    promises.pipeline(r, w, { end: false }).then(() => log(`kept ${w.writableEnded}`), (error) => log(`refused ${name(error)}`));
    r.push('a');
    r.push(null);
  },
  'generator': () => pipeline(told('r', Readable.from(['a', 'b'])), async function*(source) {
    for await (const chunk of source) yield `${chunk}!`;
  }, told('w', make.w()), done),
};
for (const which of ['r', 't', 'w']) {
  for (const error of [new Error('x'), undefined]) {
    cases[`${which} destroyed with ${error?.message}`] = () => {
      const streams = some();
      pipeline(streams.r, streams.t, streams.w, done);
      setImmediate(() => {
        streams[which].destroy(error);
        ticks(4);
      });
    };
  }
}

(async () => {
  for (const title of Object.keys(cases)) {
    const seen = [];
    log = (text) => seen.push(text);
    try {
      await cases[title]();
    } catch (error) {
      log(`threw ${name(error)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 60));
    console.log(`${title}: ${seen.join(', ')}`);
  }
})();
