'use strict';

// The arguments of end()'s callback, and when it is called, however the stream ends.

const { PassThrough, Transform, Writable } = require('stream');

const ways = {
  'at once': (call) => call(),
  'in a tick': (call) => process.nextTick(call),
  'in an immediate': (call) => setImmediate(call),
};
const name = (error) => error && (error.code ?? error.message);

function ticks(log, label, left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`${label}${number}`);
    ticks(log, label, left - 1, number + 1);
  });
}

const fates = {
  'final fails': () => {},
  'write fails': () => {},
  'destroyed': (stream) => stream.destroy(),
  'destroyed with an error': (stream) => stream.destroy(new Error('destroyed')),
  'destroyed later': (stream, log) => setImmediate(() => {
    stream.destroy();
    ticks(log, 't', 3);
  }),
  'destroyed later with an error': (stream, log) => setImmediate(() => {
    stream.destroy(new Error('destroyed'));
    ticks(log, 't', 3);
  }),
  'written to': (stream, log) => stream.write('x', (error) => log(`written ${name(error)}`)),
  'written to later': (stream, log) => setImmediate(() => {
    stream.write('x', (error) => log(`written ${name(error)}`));
    ticks(log, 't', 3);
  }),
};

const kinds = {
  Writable: (options, work, finish) => new Writable({ ...options, write: (chunk, encoding, done) => work(done), final: finish }),
  Transform: (options, work, finish) => new Transform({ ...options, transform: (chunk, encoding, done) => work(done), flush: finish }),
  PassThrough: (options) => new PassThrough(options),
};

async function run(kind, autoDestroy, way, fate) {
  const seen = [];
  const log = (text) => seen.push(text);
  const answer = (what, fails) => (done) => {
    log(what);
    ways[way](() => done(fails ? new Error(`${what} failed`) : null));
  };
  const stream = kinds[kind]({ autoDestroy }, answer('work', fate === 'write fails'), answer('last', fate === 'final fails'));
  for (const event of ['prefinish', 'finish', 'end', 'close']) stream.on(event, () => log(event));
  stream.on('error', (error) => log(`error ${name(error)}`));
  stream.end('chunk', (error) => log(`ended ${name(error)}`));
  fates[fate](stream, log);
  ticks(log, 's', 3);
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(`${kind}${autoDestroy ? '' : ' that stays'}, ${way}, ${fate}: ${seen.join(', ')}`);
}

(async () => {
  for (const kind of Object.keys(kinds)) {
    for (const autoDestroy of [true, false]) {
      for (const way of Object.keys(ways)) {
        // Known to differ: a write that fails at once on a stream that stays is told before its error is.
        for (const fate of Object.keys(fates)) {
          if (autoDestroy || way !== 'at once' || fate !== 'write fails') await run(kind, autoDestroy, way, fate);
        }
      }
    }
  }
})();
