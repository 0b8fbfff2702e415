'use strict';

// What can be cloned and what can be moved: within a thread (structuredClone, ports) and to another.

const { Worker, isMainThread, parentPort, MessageChannel, markAsUntransferable } = require('worker_threads');
const crypto = require('crypto');
const fs = require('fs');
const net = require('net');
const util = require('util');
const { createHistogram } = require('perf_hooks');

const kinds = {
  blob: () => [new Blob(['abc', 'def'], { type: 'text/plain' })],
  file: () => [new File(['abc'], 'n.txt', { type: 'text/plain', lastModified: 5 })],
  key: () => [crypto.createSecretKey(Buffer.from('abc'))],
  addresses: () => {
    const list = new net.BlockList();
    list.addAddress('1.2.3.4');
    return [list];
  },
  address: () => [new net.SocketAddress({ address: '1.2.3.4', port: 5 })],
  histogram: () => {
    const histogram = createHistogram();
    for (const value of [1, 5, 9, 9]) histogram.record(value);
    return [histogram];
  },
  exception: () => [new DOMException('text', 'AbortError')],
  'file handle': async () => {
    const handle = await fs.promises.open(__filename);
    return [handle, [handle], () => handle.fd];
  },
  readable: () => {
    const stream = new ReadableStream({
      start(controller) {
        for (const chunk of ['a', { b: 1 }, new Uint8Array(2)]) controller.enqueue(chunk);
        controller.close();
      },
    });
    return [stream, [stream], () => stream.locked];
  },
  'readable that fails': () => {
    let n = 0;
    const stream = new ReadableStream({ pull(controller) { if (n++ === 0) controller.enqueue(1); else controller.error(new RangeError('over')); } });
    return [{ stream }, [stream]];
  },
  writable: () => {
    const seen = [];
    const stream = new WritableStream({ write(chunk) { seen.push(chunk); }, close() { seen.push('closed'); } });
    return [{ stream }, [stream], () => seen];
  },
  transform: () => {
    const stream = new TransformStream({ transform(chunk, controller) { controller.enqueue(`${chunk}!`); } });
    return [stream, [stream]];
  },
  'locked stream': () => {
    const stream = new ReadableStream();
    stream.getReader();
    return [stream, [stream]];
  },
  'stream that is not listed': () => [new ReadableStream()],
  signal: () => {
    const controller = util.transferableAbortController();
    setTimeout(() => controller.abort('why'), 30);
    return [controller.signal, [controller.signal]];
  },
  'signal of the past': () => {
    const signal = util.transferableAbortSignal(AbortSignal.abort('before'));
    return [signal, [signal]];
  },
  url: () => [new URL('http://a/')],
  headers: () => [new Headers()],
  proxy: () => [new Proxy({ a: 1 }, {})],
  arguments: () => [(function() { return arguments; })(1, 2)],
  'marked buffer': () => {
    const buffer = new ArrayBuffer(1);
    markAsUntransferable(buffer);
    return [buffer, [buffer]];
  },
  'detached buffer': () => {
    const buffer = new ArrayBuffer(1);
    buffer.transfer();
    return [buffer, [buffer]];
  },
};

async function show(value) {
  if (value instanceof File) return ['File', value.name, value.type, value.lastModified, await value.text()];
  if (value instanceof Blob) return ['Blob', value.type, await value.text()];
  if (value instanceof net.BlockList) return ['BlockList', value.check('1.2.3.4'), value.check('1.2.3.5'), value.rules];
  if (value instanceof net.SocketAddress) return ['SocketAddress', value.address, value.port, value.family];
  if (value instanceof DOMException) return ['DOMException', value.name, value.message];
  if (value?.constructor?.name === 'FileHandle') {
    const text = await value.readFile('utf8');
    await value.close();
    return ['FileHandle', text.split('\n').length > 10];
  }
  if (value instanceof ReadableStream) {
    const chunks = [];
    for await (const chunk of value) chunks.push(chunk);
    return ['ReadableStream', chunks];
  }
  if (value instanceof TransformStream) {
    const writer = value.writable.getWriter();
    writer.write('one');
    writer.write('two');
    writer.close();
    return ['TransformStream', await show(value.readable)];
  }
  if (value instanceof AbortSignal) {
    if (!value.aborted) await new Promise((resolve) => value.addEventListener('abort', resolve));
    return ['AbortSignal', value.aborted, value.reason];
  }
  if (value?.stream instanceof WritableStream) {
    const writer = value.stream.getWriter();
    await writer.write('first');
    await writer.write({ second: 2 });
    await writer.close();
    return ['WritableStream'];
  }
  if (value?.stream instanceof ReadableStream) {
    try {
      await show(value.stream);
    } catch (error) {
      return ['failed', error.name, error.message];
    }
  }
  if (value?.percentile !== undefined) return ['Histogram', value.count, value.min, value.max, value.mean, value.percentile(50), value.constructor.name];
  if (value?.type === 'secret') return ['KeyObject', value.export()];
  return value;
}

if (!isMainThread) {
  parentPort.on('message', async (value) => parentPort.postMessage(util.inspect(await show(value), { depth: 4 })));
} else {
  const worker = new Worker(__filename);
  worker.unref();
  const ways = {
    clone: (value, transfer) => structuredClone(value, { transfer }),
    port(value, list) {
      const { port1, port2 } = new MessageChannel();
      port1.postMessage(value, list);
      return new Promise((resolve) => port2.once('message', (got) => { resolve(got); port2.close(); }));
    },
    thread(value, list) {
      worker.ref();
      worker.postMessage(value, list);
      return new Promise((resolve) => worker.once('message', (text) => resolve({ text })));
    },
  };
  (async () => {
    for (const [name, make] of Object.entries(kinds)) {
      for (const [way, send] of Object.entries(ways)) {
        let line;
        try {
          const [value, list = [], after] = await make();
          const got = await send(value, list);
          line = way === 'thread' ? got.text : util.inspect(await show(got), { depth: 4 });
          if (after !== undefined) {
            await new Promise((resolve) => setTimeout(resolve, 50));
            line += ` behind: ${util.inspect(after())}`;
          }
        } catch (error) {
          line = `${error.name}: ${error.message}`;
        }
        console.log(`${name}, ${way}: ${line}`);
      }
    }
    await worker.terminate();
  })();
}
