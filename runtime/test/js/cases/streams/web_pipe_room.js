// When pipeTo reads and writes: with more and less room at both ends, chunks that are there and that come later, and ends of all kinds.
const { run, wait } = require('./support/jobs.js');

const sink = (at, extra, strategy) => new WritableStream({ write(c) { at(`write${c}`)(); }, close() { at('close')(); }, abort() { at('abort')(); }, ...extra }, strategy);
const source = (at, extra, strategy) => {
  let controller;
  const stream = new ReadableStream({ start(c) { controller = c; }, cancel() { at('cancel')(); }, ...extra }, strategy);
  return [stream, controller];
};
const told = (promise, at) => promise.then(at('piped'), at('pipedE'));
const programs = {};

for (const highWaterMark of [0, 1, 2, 5]) {
  for (const count of [0, 1, 4]) {
    programs[`pulls ${count}, room ${highWaterMark}`] = (at) => {
      let i = 0;
      const pull = (c) => { at(`pull${i}`)(); if (i >= count) c.close(); else c.enqueue(i++); };
      told(new ReadableStream({ pull }, { highWaterMark }).pipeTo(sink(at, {}, { highWaterMark })), at);
    };
    programs[`has ${count}, room ${highWaterMark}`] = async (at) => {
      const s = new ReadableStream({ start(c) { for (let i = 0; i < count; i++) c.enqueue(i); c.close(); } });
      const w = sink(at, {}, { highWaterMark, size(x) { at(`size${x}`)(); return 1; } });
      await wait(4);
      at('begin')();
      told(s.pipeTo(w), at);
    };
  }
  programs[`slow writes, room ${highWaterMark}`] = (at) => {
    let i = 0;
    const write = async (c) => { at(`write${c}`)(); await wait(5); at(`done${c}`)(); };
    const pull = (c) => { at(`pull${i}`)(); if (i > 4) c.close(); else c.enqueue(i++); };
    told(new ReadableStream({ pull }, { highWaterMark: 0 }).pipeTo(sink(at, { write }, { highWaterMark })), at);
  };
  programs[`pushes, room ${highWaterMark}`] = async (at) => {
    const [s, c] = source(at);
    told(s.pipeTo(sink(at, {}, { highWaterMark })), at);
    for (let i = 0; i < 3; i++) { await wait(5); at('push')(); c.enqueue(i); c.enqueue(i); }
    await wait(4);
    at('closing')();
    c.close();
  };
}

// What ends the pipe while a chunk is on its way.
const ends = {
  'error'(c, w, k) { c.error(new Error('source')); },
  'close'(c, w, k) { c.close(); },
  'failing destination'(c, w, k) { w.error(new Error('destination')); },
  'signal'(c, w, k) { k.abort(new Error('signal')); },
};
for (const [name, end] of Object.entries(ends)) {
  for (const options of [{}, { preventClose: true, preventAbort: true, preventCancel: true }]) {
    for (const slow of [0, 10]) {
      programs[`${name}, ${Object.keys(options).length} ${slow}`] = async (at) => {
        const k = new AbortController();
        const [s, c] = source(at);
        let w;
        const d = sink(at, { start(x) { w = x; }, async write(x) { at(`write${x}`)(); await wait(slow); at('written')(); } }, { highWaterMark: 5 });
        told(s.pipeTo(d, { ...options, signal: k.signal }), at);
        await wait(4);
        at('push')();
        c.enqueue(1);
        c.enqueue(2);
        end(c, w, k);
        at('ended')();
      };
    }
  }
}

Object.assign(programs, {
  async 'abort rejects'(at) { const k = new AbortController(); const [s] = source(at, { cancel() { at('cancel')(); throw new Error('c'); } }); told(s.pipeTo(sink(at, { abort() { at('abort')(); throw new Error('a'); } }), { signal: k.signal }), at); await wait(4); k.abort(new Error('x')); },
  'aborted and errored'(at) { told(new ReadableStream({ start(c) { c.error(new Error('s')); } }).pipeTo(sink(at), { signal: AbortSignal.abort(new Error('x')) }), at); },
  'both errored'(at) { told(new ReadableStream({ start(c) { c.error(new Error('s')); } }).pipeTo(sink(at, { start(c) { c.error(new Error('d')); } })), at); },
  'closed, errored'(at) { told(new ReadableStream({ start(c) { c.close(); } }).pipeTo(sink(at, { start(c) { c.error(new Error('d')); } })), at); },
  'closed, closed'(at) { const w = sink(at); w.close(); told(new ReadableStream({ start(c) { c.close(); } }).pipeTo(w), at); },
  'errored, closed'(at) { const w = sink(at); w.close(); told(new ReadableStream({ start(c) { c.error(new Error('s')); } }).pipeTo(w), at); },
  async 'open, closed'(at) { const w = sink(at); w.close(); await wait(5); at('now')(); told(source(at)[0].pipeTo(w), at); },
  'size throws'(at) { told(new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); }, cancel() { at('cancel')(); } }).pipeTo(sink(at, {}, { size() { throw new Error('size'); } })), at); },
  async 'locked'(at) { const s = new ReadableStream({ start(c) { c.close(); } }); const w = sink(at); s.pipeTo(w).then(() => at(`piped ${s.locked} ${w.locked}`)()); for (let i = 0; i < 6; i++) { at(`locked ${s.locked} ${w.locked}`)(); await 0; } },
  async 'bytes'(at) { const [s, c] = source(at, { type: 'bytes' }); told(s.pipeTo(sink(at)), at); await wait(3); c.enqueue(new Uint8Array([1])); c.enqueue(new Uint8Array([2])); await wait(9); c.enqueue(new Uint8Array([3])); c.close(); },
  'refused'(at) {
    const s = new ReadableStream();
    const w = sink(at);
    w.getWriter();
    const thrown = (name, call) => { try { call(); } catch (error) { at(`${name} ${error.message}`)(error); } };
    const rejected = (name, promise) => promise.catch((error) => at(`${name} ${error.message}`)(error));
    thrown('1', () => s.pipeThrough(5));
    thrown('2', () => s.pipeThrough({}));
    thrown('3', () => s.pipeThrough({ readable: s }));
    thrown('4', () => s.pipeThrough({ readable: s, writable: sink(at) }, { signal: 5 }));
    thrown('5', () => s.pipeThrough({ readable: s, writable: w }));
    rejected('6', s.pipeTo());
    rejected('7', s.pipeTo(5));
    rejected('8', s.pipeTo(sink(at), 5));
    rejected('9', s.pipeTo(sink(at), { signal: 5 }));
    rejected('10', s.pipeTo(w));
    rejected('11', ReadableStream.prototype.pipeTo.call({}, sink(at)));
  },
});
for (const count of [0, 1, 2, 3]) {
  for (const options of [{}, { preventClose: true }, { preventCancel: true }]) {
    programs[`has ${count}, failing destination, ${Object.keys(options)}`] = (at) => {
      let c;
      const w = sink(at, { start(x) { c = x; } });
      c.error(new Error('x'));
      told(new ReadableStream({ start(k) { for (let i = 0; i < count; i++) k.enqueue(i); k.close(); }, cancel() { at('cancel')(); } }).pipeTo(w, options), at);
    };
  }
}

run(programs);
