'use strict';

// pipeline() of streams that are fresh, ended, destroyed or will be, with functions and iterables, and compose().

const { PassThrough, Readable, Transform, Writable, compose, pipeline, promises } = require('stream');
const { log, scene, callback, moments, told, watch } = require('./support/scenes.js');

const source = (when, options) => {
  let i = 0;
  return watch(new Readable({ read() { when(() => this.push(++i > 2 ? null : 'a')); }, ...options }), 'r');
};
const sink = (when, options) => {
  const write = (chunk, encoding, done) => {
    log('write ', chunk);
    when(done);
  };
  return watch(new Writable({ highWaterMark: 1, write, ...options }), 'w');
};
const states = {
  'fresh': () => {},
  'destroyed': (s) => s.destroy(),
  'destroyed with an error': (s) => s.destroy(new Error('mine')),
  'ended': (s) => (s.end ? s.end() : s.resume()),
  'destroyed in a tick': (s) => process.nextTick(() => s.destroy()),
  'failing later': (s) => setImmediate(() => s.destroy(new Error('later'))),
};

for (const [moment, when] of Object.entries(moments)) {
  for (const options of [{}, { autoDestroy: false }]) {
    for (const who of ['r', 't', 'w']) {
      for (const [state, prepare] of Object.entries(states)) {
        for (const isOld of [false, true]) {
          scene(`${moment}, ${JSON.stringify(options)}, ${who} ${state}${isOld ? ' before' : ''}`, () => {
            const streams = { r: source(when, options), t: watch(new PassThrough(options), 't'), w: sink(when, options) };
            prepare(streams[who]);
            const go = () => pipeline(Object.values(streams), callback('pipeline'));
            if (isOld) setImmediate(go);
            else go();
          });
        }
      }
    }
  }
}

const { tick, immediate } = moments;
const settle = (promise) => promise.then((value) => log('kept ', value), (error) => log('refused ', told(error)));
const double = async function*(chunks) { for await (const chunk of chunks) yield `${chunk}${chunk}`; };
const careful = async function*(chunks) {
  try {
    for await (const chunk of chunks) yield chunk;
  } finally {
    log('finally');
  }
};
const failing = async function*(chunks) { for await (const chunk of chunks) throw new Error(`generator at ${chunk}`); };
const gather = async (chunks) => (await Array.fromAsync(chunks)).join();
const stubborn = () => new PassThrough({ destroy: (error, done) => immediate(() => done(new Error('stubborn'))) });

scene('a function in the middle', () => settle(promises.pipeline(source(tick), double, sink(immediate))));
scene('a function that fails', () => settle(promises.pipeline(source(tick), failing, sink(immediate))));
scene('a function at the end', () => settle(promises.pipeline(source(tick), gather)));
scene('functions only', () => settle(promises.pipeline(function*() { yield 'x'; yield 'y'; }, double, gather)));
scene('an iterable', () => settle(promises.pipeline(['x', 'y'], sink(immediate))));
scene('a sink that fails', () => {
  const w = sink(immediate);
  settle(promises.pipeline(source(tick), careful, w));
  setImmediate(() => w.destroy(new Error('sink')));
});
scene('a source that closes', () => {
  const r = source(immediate);
  settle(promises.pipeline(r, careful, sink(immediate)));
  setImmediate(() => r.destroy());
});
for (const end of [true, false]) scene(`end: ${end}`, () => settle(promises.pipeline(source(tick), sink(immediate), { end })));
for (const isEarly of [true, false]) {
  scene(`a signal, ${isEarly ? 'early' : 'late'}`, () => {
    const controller = new AbortController();
    if (isEarly) controller.abort();
    settle(promises.pipeline(source(tick), careful, sink(immediate), { signal: controller.signal }));
    setImmediate(() => controller.abort());
  });
}
scene('an error instead of the abortion', () => {
  const controller = new AbortController();
  settle(promises.pipeline(source(tick), stubborn(), sink(immediate), { signal: controller.signal }));
  process.nextTick(() => controller.abort());
});

const change = (when, name) => watch(new Transform({
  transform(chunk, encoding, done) {
    log(name, chunk);
    when(() => done(null, chunk));
  },
}), name);
const use = (c) => {
  c.on('data', (chunk) => log('data ', chunk));
  c.write('1', callback('1'));
  c.write('2', callback('2'));
  return c;
};
for (const [moment, when] of Object.entries(moments)) {
  scene(`composed, ${moment}`, () => use(watch(compose(change(when, 't'), change(when, 'u')), 'c')).end(callback('end')));
  scene(`composed with a function, ${moment}`, () => use(watch(compose(change(when, 't'), careful), 'c')).end(callback('end')));
  scene(`composed and destroyed, ${moment}`, () => {
    const c = use(watch(compose(change(when, 't'), careful), 'c'));
    setImmediate(() => c.destroy(new Error('mine')));
  });
}
