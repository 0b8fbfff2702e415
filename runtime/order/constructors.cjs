'use strict';

// Makes objects of the runtime's classes, each once. The build runs this, and keeps the bytecode of the constructors that
// were used (runtime/engine/value/functions.h): one that is missing here is parsed when a program first uses it. Nothing here
// needs the network or another process, and what a build leaves out is passed over.

const { Readable, Writable, Duplex, Transform, PassThrough, pipeline } = require('stream');
const noop = () => {};
process.noDeprecation = true;

const makes = {
  errors() {
    for (const name of ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'])
      void new globalThis[name]('a').stack;
    void new AggregateError([new Error('a', { cause: 1 })], 'b').stack;
    class Own extends Error {}
    void new Own('a').stack;
    void new DOMException('a', 'AbortError').code;
    try {
      null.x;
    } catch (error) {
      void error.stack;
    }
    for (const call of [() => Buffer.from(5), () => new URL('a'), () => process.chdir(5), () => Buffer.alloc(-1)]) {
      try {
        call();
      } catch (error) {
        void `${error} ${error.code}`;
      }
    }
    try {
      require('fs').readFileSync('/none');
    } catch (error) {
      void error.code;
    }
    require('fs').readFile('/none', noop);
    try {
      require('assert').strictEqual(1, 2);
    } catch (error) {
      void error.message;
    }
  },
  events() {
    const emitter = new (require('events').EventEmitter)({ captureRejections: true });
    emitter.once('a', noop).emit('a');
    require('events').once(emitter, 'b').catch(noop);
    require('events').on(emitter, 'c').return();
    emitter.emit('b');
    const target = new EventTarget();
    target.addEventListener('a', noop, { once: true });
    target.dispatchEvent(new Event('a'));
    target.dispatchEvent(new CustomEvent('a', { detail: 1 }));
    const controller = new AbortController();
    controller.signal.addEventListener('abort', noop);
    AbortSignal.any([controller.signal]);
    controller.abort();
    AbortSignal.timeout(1);
    AbortSignal.abort();
    const { port1, port2 } = new MessageChannel();
    port1.on('message', () => port1.close());
    port2.postMessage({ a: new Map([[1, new Set([2])]]) });
    new BroadcastChannel('a').close();
    structuredClone({ a: [new Date(), /a/, new Error('a'), new Uint8Array(1)] });
  },
  timers() {
    setTimeout(noop, 1);
    clearInterval(setInterval(noop, 1));
    setImmediate(noop);
    queueMicrotask(noop);
    process.nextTick(noop);
    require('timers/promises').setTimeout(1);
    require('timers/promises').setImmediate();
    performance.now();
    performance.mark('a');
    performance.measure('b', 'a');
    new PerformanceObserver(noop).observe({ entryTypes: ['mark'] });
  },
  text() {
    for (const name of ['utf-8', 'utf-16le', 'latin1']) new TextDecoder(name).decode(new TextEncoder().encode('a'));
    new TextEncoder().encodeInto('a', new Uint8Array(3));
    const url = new URL('https://user@example.org:8080/a/b?c=d#e');
    url.searchParams.append('f', 'g');
    void new URL('x', url).href;
    void `${new URLSearchParams('a=b')}`;
    require('url').parse('http://a/b?c');
    new URLPattern('/:a', 'http://b').exec('http://b/c');
    const decoder = new (require('string_decoder').StringDecoder)('utf8');
    decoder.write(Buffer.from('a'));
    require('querystring').parse('a=b');
    Buffer.from('text').toString('base64');
    void new Blob(['a']).slice(0, 1);
    void new File(['a'], 'b').name;
    new (require('util').MIMEType)('text/plain;a=b');
  },
  showing() {
    const { inspect, promisify, parseArgs, styleText, TextDecoder: Decoder } = require('util');
    class Shown {
      #own = 1;
      get value() {
        return this.#own;
      }
    }
    const circle = {};
    circle.circle = circle;
    const things = [
      1,
      'a',
      5n,
      null,
      undefined,
      Symbol('a'),
      [1, , 2],
      { a: { b: { c: {} } } },
      new Map([[1, { a: 1 }]]),
    ];
    things.push(
      new Set([1]),
      new Date(0),
      /a/g,
      new Error('a'),
      noop,
      class A {},
      new Shown(),
      circle,
      Promise.resolve(1),
    );
    things.push(new Uint8Array(3), Buffer.from('a'), new ArrayBuffer(1), new WeakMap(), new Proxy({}, {}), Object('a'));
    things.push(new Map([[1, 2]]).entries(), globalThis.process.versions, 'long '.repeat(40), [...Array(120).keys()]);
    for (const thing of things) inspect(thing, { colors: true, showHidden: true });
    inspect(things);
    require('util').format('%s %d %o %j', 'a', 1, {}, {});
    promisify(noop);
    parseArgs({ args: ['--a'], options: { a: { type: 'boolean' } } });
    styleText('red', 'a');
    new Decoder();
    require('util').isDeepStrictEqual(things, things);
    new console.Console({ stdout: new PassThrough() }).log('%s', {});
  },
  context() {
    const { AsyncLocalStorage, AsyncResource, createHook } = require('async_hooks');
    new AsyncLocalStorage().run(1, () => Promise.resolve().then(noop));
    new AsyncResource('a').runInAsyncScope(noop);
    createHook({ init: noop }).enable().disable();
    require('diagnostics_channel').channel('a').subscribe(noop);
    require('domain').create().run(noop);
    const vm = require('vm');
    new vm.Script('1').runInThisContext();
    vm.runInContext('1', vm.createContext({}));
  },
  streams() {
    Readable.from(['a']).on('data', noop);
    new Readable({ read() {} }).push(null);
    new Writable({ write: (chunk, encoding, done) => done() }).end('a');
    new Duplex({ read() {}, write: (chunk, encoding, done) => done() }).end();
    pipeline(
      Readable.from(['a']),
      new Transform({ transform: (chunk, _, done) => done(null, chunk) }),
      new PassThrough(),
      noop,
    );
    require('stream/promises').pipeline(Readable.from(['a']), async function* (source) {
      yield* source;
    });
    const { readable, writable } = new TransformStream();
    writable.getWriter().write('a');
    readable.getReader().read();
    new ReadableStream({ type: 'bytes', pull: (controller) => controller.enqueue(new Uint8Array(1)) }).getReader({
      mode: 'byob',
    });
    new WritableStream(undefined, new CountQueuingStrategy({ highWaterMark: 1 })).getWriter().close();
    void new ByteLengthQueuingStrategy({ highWaterMark: 1 });
    new TextDecoderStream();
    new TextEncoderStream();
    new CompressionStream('gzip');
    Readable.toWeb(Readable.from(['a'])).cancel();
    Readable.from([1, 2])
      .map((x) => x)
      .toArray();
  },
  files() {
    const fs = require('fs');
    fs.statSync(__filename, { bigint: true });
    fs.readdirSync(__dirname, { withFileTypes: true });
    fs.opendirSync(__dirname).closeSync();
    fs.readFileSync(__filename, 'utf8');
    fs.stat(__filename, noop);
    fs.readFile(__filename, noop);
    fs.createReadStream(__filename).on('data', noop);
    fs.createWriteStream('/dev/null').end('a');
    fs.promises.readFile(__filename);
    fs.promises.open(__filename).then(async (handle) => {
      for await (const line of handle.readLines()) void line;
      await handle.close();
    });
    fs.watch(__dirname).close();
    fs.watchFile(__filename, noop);
    fs.unwatchFile(__filename);
    require('readline')
      .createInterface({ input: fs.createReadStream(__filename) })
      .on('line', noop);
    require('path').join('a', 'b');
    require('os').cpus();
  },
  nets() {
    const http = require('http');
    const net = require('net');
    void http.createServer(noop);
    void net.createServer(noop);
    new net.Socket().destroy();
    new net.BlockList().addAddress('127.0.0.1');
    void new net.SocketAddress();
    const message = new http.IncomingMessage(new net.Socket());
    const response = new http.ServerResponse(message);
    response.setHeader('a', 'b');
    response.end('a');
    new http.Agent({ keepAlive: true }).destroy();
    require('dgram').createSocket('udp4').close();
    void new (require('dns').Resolver)();
    require('https').Agent();
    void new Headers({ a: 'b' });
    void new Request('http://a/');
    void new Response('a');
    void new FormData();
  },
  others() {
    const crypto = require('crypto');
    crypto.createHash('sha256').update('a').digest('hex');
    crypto.createHmac('sha256', 'a').update('a').digest();
    crypto.createCipheriv('aes-128-cbc', Buffer.alloc(16), Buffer.alloc(16)).final();
    crypto.createSecretKey(Buffer.alloc(16));
    crypto.randomBytes(1, noop);
    const zlib = require('zlib');
    zlib.gunzipSync(zlib.gzipSync('a'));
    zlib.gzip('a', noop);
    zlib.createDeflate().end('a');
    void new (require('module'))('a');
    void new (require('events').EventEmitterAsyncResource)({ name: 'a' });
  },
};

for (const [name, make] of Object.entries(makes)) {
  try {
    make();
  } catch (error) {
    if (error.code !== 'ERR_UNKNOWN_BUILTIN_MODULE' && error.code !== 'MODULE_NOT_FOUND')
      console.error(`${name}: ${error.stack}`);
  }
}
import('node:path').then(() => import('data:text/javascript,export default 1'));
process.on('unhandledRejection', noop);
