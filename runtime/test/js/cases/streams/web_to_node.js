'use strict';
// Readable.fromWeb: a chunk comes in a job, the end of the web stream and its error at once.
const { Readable, Writable } = require('stream');
const { writeSync } = require('fs');
const log = (...words) => writeSync(1, `${words.join(' ')}\n`);
const turn = () => new Promise((done) => setImmediate(done));

async function play(name, start, act = () => {}, options = undefined) {
  log('==', name);
  let controller;
  const stream = Readable.fromWeb(new ReadableStream({ start: (given) => start((controller = given)) }), options);
  for (const event of ['end', 'close']) stream.on(event, () => log(event));
  stream.on('error', (error) => log('error', error.message));
  const { push, destroy } = stream;
  stream.push = (chunk) => (log('push', chunk), push.call(stream, chunk));
  stream.destroy = (error) => (log('destroy', error), destroy.call(stream, error));
  await turn();
  for (let i = 0; i < 4; i++) {
    let jobs = 0;
    const count = () => { if (jobs++ < 4) { log('  job', jobs); queueMicrotask(count); } };
    log('read');
    log('=', stream.read());
    queueMicrotask(count);
    await turn();
    if (i === 1) act(controller);
  }
  await turn();
}

const two = (controller) => { controller.enqueue('a'); controller.enqueue('b'); };
const ended = (controller) => { two(controller); controller.close(); };
const objects = { objectMode: true, highWaterMark: 1 };
(async () => {
  await play('closed', (controller) => controller.close());
  await play('failed', (controller) => controller.error(new Error('failed')));
  await play('two', ended);
  await play('closed later', two, (controller) => controller.close());
  await play('failed later', two, (controller) => controller.error(new Error('later')));
  await play('no room', ended, undefined, { highWaterMark: 0 });
  await play('objects', ended, undefined, objects);
  await play('enqueued later', () => {}, (controller) => controller.enqueue({ toString() { return 'o'; } }), objects);
  // Left in the middle, and not destroyed: the end comes all the same.
  const left = Readable.fromWeb(new ReadableStream({ start: ended })).on('end', () => log('end'));
  let count = 0;
  for await (const chunk of left.iterator({ destroyOnReturn: false })) if ((log('item', chunk), count++ === 1)) break;
  for (const value of [{ getReader() {}, pipeThrough() {} }, new WritableStream(), null, new (class extends ReadableStream {})()])
    try { log(Readable.fromWeb(value).constructor.name); } catch (error) { log(error.code, error.message); }
  for (const value of [{ getWriter() {}, abort() {} }, new ReadableStream(), new (class extends WritableStream {})()])
    try { log(Writable.fromWeb(value).constructor.name); } catch (error) { log(error.code, error.message); }
})();
