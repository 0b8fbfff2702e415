'use strict';
// Between Node's streams and the web's.
const { Readable, Writable, Duplex, PassThrough, pipeline, finished } = require('stream');
const { watch, log, play } = require('./support/watch.js');
const source = (items, options) => new Readable({ ...options, read() { this.push(items.length > 0 ? items.shift() : null); } });
const said = (name) => (...args) => log(name, ...args);
const all = async (stream) => { const out = []; for await (const chunk of stream) out.push(typeof chunk === 'object' ? Buffer.from(chunk).toString() : chunk); return out.join(); };
const web = (items) => new ReadableStream({ pull(controller) { if (items.length > 0) controller.enqueue(items.shift()); else controller.close(); }, cancel(reason) { log('cancelled', reason); } });

play({
  async 'Readable.toWeb'() {
    log(await all(Readable.toWeb(watch('r', source(['a', 'b']), ['end', 'close', 'error']))));
  },
  async 'Readable.toWeb, cancelled'() {
    const r = watch('r', source(['a', 'b']), ['end', 'close', 'error']);
    const reader = Readable.toWeb(r).getReader();
    log(Buffer.from((await reader.read()).value));
    await reader.cancel(new Error('enough'));
    log(r.destroyed);
  },
  async 'Readable.toWeb, failing'() {
    const r = watch('r', new Readable({ read() { this.destroy(new Error('source')); } }), ['close', 'error']);
    await all(Readable.toWeb(r)).catch(said('rejected'));
  },
  async 'Readable.toWeb, bytes'() {
    const reader = Readable.toWeb(source(['abcdef']), { type: 'bytes' }).getReader({ mode: 'byob' });
    for (let i = 0; i < 3; i++) { const { value, done } = await reader.read(new Uint8Array(4)); log(Buffer.from(value ?? []), done); }
  },
  'Readable.fromWeb'() {
    watch('r', Readable.fromWeb(web(['a', new Uint8Array([98])])));
  },
  'Readable.fromWeb, destroyed'() {
    const r = watch('r', Readable.fromWeb(web(['a', 'b', 'c'])));
    r.once('data', () => r.destroy(new Error('mine')));
  },
  'Readable.fromWeb, failing'() {
    watch('r', Readable.fromWeb(new ReadableStream({ start(controller) { controller.error(new Error('source')); } })));
  },
  async 'Writable.toWeb'() {
    const w = watch('w', new Writable({ write(chunk, encoding, callback) { log('write', chunk); setImmediate(callback); } }));
    const writer = Writable.toWeb(w).getWriter();
    await writer.write('a');
    log('written');
    writer.write(new Uint8Array([98]));
    await writer.close();
    log('closed', w.destroyed);
  },
  async 'Writable.toWeb, aborted'() {
    const w = watch('w', new Writable({ write(chunk, encoding, callback) { callback(); } }));
    const writer = Writable.toWeb(w).getWriter();
    writer.closed.catch(said('closed'));
    await writer.abort(new Error('mine'));
    log(w.destroyed);
  },
  'Writable.fromWeb'() {
    const w = watch('w', Writable.fromWeb(new WritableStream({ write(chunk) { log('write', Buffer.from(chunk)); }, close() { log('close of the sink'); } })));
    w.write('a', said('cb a'));
    w.end('b', said('cb end'));
  },
  'Writable.fromWeb, failing'() {
    const w = watch('w', Writable.fromWeb(new WritableStream({ write() { throw new Error('sink'); } })));
    w.write('a', said('cb a'));
  },
  async 'Duplex.toWeb'() {
    const { readable, writable } = Duplex.toWeb(watch('d', new PassThrough(), ['finish', 'end', 'close']));
    const writer = writable.getWriter();
    writer.write('a');
    writer.close();
    log(await all(readable));
  },
  'Duplex.fromWeb'() {
    const d = watch('d', Duplex.fromWeb(new TransformStream({ transform(chunk, controller) { controller.enqueue(Buffer.from(chunk).toString().toUpperCase()); } }), { encoding: 'utf8' }));
    d.write('a');
    d.end('b');
  },
  'pipeline through the web'() {
    pipeline(source(['a', 'b']), new TransformStream({ transform(chunk, controller) { controller.enqueue(`${chunk}!`); } }), watch('w', new Writable({ write(chunk, encoding, callback) { log('write', chunk); callback(); } })), said('done'));
  },
  'finished, of the web'() {
    const stream = web(['a']);
    finished(stream, said('finished'));
    all(stream).then(said('read'));
  },
  async 'consumers'() {
    const consumers = require('stream/consumers');
    log(await consumers.text(source(['a', 'b'])), await consumers.json(web(['[1,', '2]'])), (await consumers.buffer(source(['x']))), (await consumers.arrayBuffer(source(['xy']))).byteLength);
  },
  async 'compression'() {
    const text = 'compress me '.repeat(20);
    const squeezed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
    log((await all(squeezed.pipeThrough(new DecompressionStream('gzip')))) === text);
    await all(new Blob(['not compressed']).stream().pipeThrough(new DecompressionStream('deflate'))).catch((error) => log(error.name, error));
  },
  async 'text'() {
    log(await all(web(['\ud83c', '\udf89!']).pipeThrough(new TextEncoderStream())));
    log(await all(web([new Uint8Array([0xe2, 0x82]), new Uint8Array([0xac])]).pipeThrough(new TextDecoderStream())));
  },
}, { counts: false });
