// How many jobs a step of a web stream takes, counted by a chain of promises that runs beside it.
let jobs = 0;
let log = [];
const chain = () => (++jobs < 400 ? Promise.resolve().then(chain) : undefined);
const shown = (value) => (value instanceof Error ? value.name : typeof value === 'object' && value && 'done' in value ? JSON.stringify(value) : typeof value);
const at = (name) => (value) => log.push(`${name}@${jobs}${value === undefined ? '' : ` ${shown(value)}`}`);
async function run(programs) {
  for (const [title, program] of Object.entries(programs)) {
    jobs = 0;
    Promise.resolve().then(chain);
    program(at);
    await new Promise((resolve) => setTimeout(resolve, 5));
    console.log(title, log.join(' | '));
    log = [];
  }
}

run({
  'read start'(at) { const s = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); r.read().then(at('r3')); r.closed.then(at('closed')); },
  'read pull'(at) { let i = 0; const s = new ReadableStream({ pull(c) { at('pull')(); c.enqueue(i++); if (i > 2) c.close(); } }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); r.read().then(at('r3')); r.read().then(at('r4')); r.closed.then(at('closed')); },
  'pull hwm0'(at) { let i = 0; const s = new ReadableStream({ pull(c) { at('pull')(); c.enqueue(i++); if (i > 2) c.close(); } }, { highWaterMark: 0 }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); r.read().then(at('r3')); r.read().then(at('r4')); },
  'async pull'(at) { let i = 0; const s = new ReadableStream({ async pull(c) { at('pull')(); await 0; c.enqueue(i++); if (i > 2) c.close(); } }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); r.read().then(at('r3')); r.read().then(at('r4')); },
  'cancel'(at) { const s = new ReadableStream({ cancel() { at('cancel')(); } }); const r = s.getReader(); r.read().then(at('read')); r.cancel('x').then(at('cancelled')); r.closed.then(at('closed')); },
  'cancel async'(at) { const s = new ReadableStream({ async cancel() { await 0; at('cancel')(); } }); s.cancel('x').then(at('cancelled')); },
  'error'(at) { let c; const s = new ReadableStream({ start(x) { c = x; } }); const r = s.getReader(); r.read().then(0, at('read')); r.closed.then(0, at('closed')); c.error(new Error('x')); s.cancel; r.read().then(0, at('read2')); },
  'start rejects'(at) { const s = new ReadableStream({ start() { return Promise.reject(new Error('x')); } }); const r = s.getReader(); r.read().then(0, at('read')); r.closed.then(0, at('closed')); },
  'start async'(at) { const s = new ReadableStream({ async start(c) { await 0; await 0; c.enqueue(1) }, pull() { at('pull')(); } }); const r = s.getReader(); r.read().then(at('read')); },
  'write'(at) { const w = new WritableStream({ write(c) { at('write' + c)(); }, close() { at('close')(); } }).getWriter(); w.ready.then(at('ready')); w.write(1).then(at('w1')); w.write(2).then(at('w2')); w.ready.then(at('ready2')); w.close().then(at('c')); w.closed.then(at('closed')); },
  'write async'(at) { const w = new WritableStream({ async write(c) { at('write' + c)(); await 0; }, async close() { at('close')(); await 0; } }).getWriter(); w.write(1).then(at('w1')); w.write(2).then(at('w2')); w.close().then(at('c')); w.closed.then(at('closed')); },
  'write start async'(at) { const w = new WritableStream({ async start() { await 0; }, write(c) { at('write' + c)(); } }).getWriter(); w.write(1).then(at('w1')); w.close().then(at('c')); },
  'write throws'(at) { const w = new WritableStream({ write(c) { throw new Error('x') } }).getWriter(); w.write(1).then(0, at('w1')); w.write(2).then(0, at('w2')); w.close().then(0, at('c')); w.closed.then(0, at('closed')); w.ready.then(at('ready'), at('readyE')); },
  'abort'(at) { const w = new WritableStream({ write(c) { at('write')(); return new Promise(() => {}) }, abort() { at('abort')(); } }).getWriter(); w.abort('x').then(at('aborted')); w.write(1).then(0, at('w1')); w.closed.then(0, at('closed')); w.ready.then(at('ready'), at('readyE')); },
  'abort2'(at) { const w = new WritableStream({ write(c) { at('write')(); }, abort() { at('abort')(); } }).getWriter(); w.write(1).then(at('w'), at('w1E')); Promise.resolve().then(() => { w.abort('x').then(at('aborted')); w.closed.then(0, at('closed')); w.ready.then(at('ready'), at('readyE')); }); },
  'transform'(at) { const t = new TransformStream({ transform(c, k) { at('t' + c)(); k.enqueue(c); }, flush() { at('flush')(); } }); const w = t.writable.getWriter(), r = t.readable.getReader(); w.write(1).then(at('w1')); w.write(2).then(at('w2')); w.close().then(at('c')); r.read().then(at('r1')); r.read().then(at('r2')); r.read().then(at('r3')); r.closed.then(at('rclosed')); w.closed.then(at('wclosed')); },
  'identity'(at) { const t = new TransformStream(); const w = t.writable.getWriter(), r = t.readable.getReader(); r.read().then(at('r1')); w.write(1).then(at('w1')); w.close().then(at('c')); r.read().then(at('r2')); },
  'transform error'(at) { const t = new TransformStream({ transform() { throw new Error('x') } }); const w = t.writable.getWriter(), r = t.readable.getReader(); w.write(1).then(at('w'), at('wE')); r.read().then(0, at('rE')); w.closed.then(0, at('wc')); r.closed.then(0, at('rc')); },
  'transform cancel'(at) { const t = new TransformStream({ cancel() { at('cancel')(); } }); t.readable.cancel('x').then(at('cancelled')); t.writable.getWriter().closed.then(0, at('wc')); },
  'terminate'(at) { const t = new TransformStream({ transform(c, k) { k.terminate(); } }); const w = t.writable.getWriter(), r = t.readable.getReader(); w.write(1).then(at('w'), at('wE')); r.read().then(at('r'), at('rE')); w.closed.then(0, at('wc')); },
  'tee cancel'(at) { const s = new ReadableStream({ cancel() { at('c')(); } }); const [a, b] = s.tee(); a.cancel(1).then(at('a')); b.cancel(2).then(at('b')); },
  'pipe dest error'(at) { const s = new ReadableStream({ start(c) { c.enqueue(1) }, cancel() { at('cancel')(); } }); s.pipeTo(new WritableStream({ write() { throw new Error('x') } })).then(0, at('pipedE')); },
  'iterate'(at) { const s = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); c.close(); } }); (async () => { for await (const x of s) at('i' + x)(); at('end')(); })(); },
  'iterate break'(at) { const s = new ReadableStream({ start(c) { c.enqueue(1); c.enqueue(2); }, cancel() { at('cancel')(); } }); (async () => { for await (const x of s) { at('i' + x)(); break; } at('end')(); })(); },
  'iterate pull'(at) { let i = 0; const s = new ReadableStream({ pull(c) { c.enqueue(i++); if (i > 2) c.close(); } }); (async () => { for await (const x of s) at('i' + x)(); at('end')(); })(); },
  'bytes default'(at) { const s = new ReadableStream({ type: 'bytes', pull(c) { at('pull')(); c.enqueue(new Uint8Array(2)); c.close() } }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); },
  'bytes auto'(at) { const s = new ReadableStream({ type: 'bytes', autoAllocateChunkSize: 8, pull(c) { at('pull')(); c.byobRequest.respond(3); } }); const r = s.getReader(); r.read().then(at('r1')); r.read().then(at('r2')); },
  'bytes tee'(at) { const s = new ReadableStream({ type: 'bytes', start(c) { c.enqueue(new Uint8Array(2)); c.close() } }); const [a, b] = s.tee(); const x = a.getReader(), y = b.getReader(); x.read().then(at('x1')); y.read().then(at('y1')); x.read().then(at('x2')); y.read().then(at('y2')); },
  'release'(at) { const s = new ReadableStream({}); const r = s.getReader(); r.read().then(0, at('readE')); r.closed.then(0, at('closedE')); r.releaseLock(); },
  'release w'(at) { const w = new WritableStream({}).getWriter(); w.closed.then(0, at('closedE')); w.releaseLock(); w.ready.then(at('ready'), at('readyE')); },
  'text decoder'(at) { const t = new TextDecoderStream(); const w = t.writable.getWriter(), r = t.readable.getReader(); w.write(new Uint8Array([65])).then(at('w')); w.close().then(at('c')); r.read().then(at('r1')); r.read().then(at('r2')); },
  'text encoder'(at) { const t = new TextEncoderStream(); const w = t.writable.getWriter(), r = t.readable.getReader(); w.write('a').then(at('w')); w.close().then(at('c')); r.read().then(at('r1')); r.read().then(at('r2')); },
  'response stream'(at) { new Response(new ReadableStream({ start(c) { c.enqueue(new TextEncoder().encode('a')); c.close(); } })).text().then(at('t')); },
  'consumers'(at) { require('stream/consumers').text(new ReadableStream({ start(c) { c.enqueue('a'); c.close(); } })).then(at('t')); },
});
