'use strict';

// The child of api.js: the calls and their arguments.

const fs = require('fs');
const util = require('util');

// ---- chance ----

let state = 1;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const oneOf = (list) => list[random(list.length)];
const chance = (part) => random(part) === 0;

// ---- arguments ----

const corpus = []; // objects that calls have given
const memories = []; // what getters and callbacks take away

function remember(value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || value === globalThis) return;
  if (corpus.length < 60) corpus.push(value);
  else corpus[random(60)] = value;
}

const numbers = [0, 1, -1, 2, 3, 7, 16, 100, 255, 256, 1000, 1024, 4096, 65535, 65536, 70000, 2 ** 20, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1,
  2 ** 53, 2 ** 63, 2 ** 64, 1e300, -(2 ** 31), -(2 ** 53), 0.5, -0, NaN, Infinity, -Infinity];
const words = ['', 'a', 'abc', 'file', 'folder', 'utf8', 'latin1', 'hex', 'base64', 'ucs2', 'sha256', 'md5', 'aes-128-cbc', 'aes-256-gcm', 'aes-128-ccm', 'rsa', 'ec',
  'ed25519', 'x25519', 'prime256v1', 'data', 'end', 'error', 'close', '127.0.0.1', '::1', 'r+', 'w', 'a+', 'pem', 'der', 'jwk', 'spki', 'pkcs8', 'length', '\u20ac\u{1f600}', '\ud800',
  '\0', 'a\0b', 'x'.repeat(1000), '\u00e9'.repeat(3000), '\u20ac'.repeat(70000), '1', '0x10', '{"a":1}', '<a>', '%zz', 'ab?c=d&e', 'constructor', '__proto__', 'then'];
const keys = ['encoding', 'flag', 'flags', 'mode', 'length', 'byteLength', 'byteOffset', 'offset', 'position', 'highWaterMark', 'signal', 'timeout', 'recursive', 'buffer', 'start', 'end', 'fd',
  'key', 'iv', 'cert', 'ca', 'dictionary', 'level', 'windowBits', 'memLevel', 'strategy', 'chunkSize', 'maxOutputLength', 'finishFlush', 'params', 'info', 'type', 'format', 'cipher',
  'passphrase', 'padding', 'saltLength', 'dsaEncoding', 'modulusLength', 'publicExponent', 'namedCurve', 'authTagLength', 'outputLength', 'transfer', 'timeoutMs', 'bigint', 'withFileTypes',
  'objectMode', 'read', 'write', 'cost', 'N', 'r', 'p', 'maxmem', 'prime', 'generator', 'hash', 'depth', 'colors', 'fatal', 'stream', 'name', 'value', 'data', 'signature', 'oaepHash',
  'oaepLabel', 'publicKey', 'privateKey', 'context', 'filename', 'lineOffset', 'cachedData', 'microtaskMode', 'env', 'argv', 'stdio', 'input', 'cwd', 'uid', 'shell', 'windowsHide', 'keepAlive',
  'maxHeaderSize', 'headers', 'method', 'path', 'settings', 'ALPNProtocols', 'ticketKeys', 'sessionTimeout', 'minVersion', 'ecdhCurve', 'pfx', 'crl', 'readOnly', 'onConflict', 'filter'];

const sizes = [0, 1, 8, 16, 17, 32, 100, 1000, 1001, 5000, 70000];
const kinds = [Uint8Array, Int8Array, Uint16Array, Int32Array, Float32Array, Float64Array, BigInt64Array, Uint8ClampedArray, DataView];

function memory() {
  const size = oneOf(sizes) & ~7;
  const made = oneOf([
    () => new ArrayBuffer(size),
    () => new ArrayBuffer(size, { maxByteLength: size + 4096 }),
    () => new SharedArrayBuffer(size),
    () => new SharedArrayBuffer(size, { maxByteLength: size + 4096 }),
  ])();
  const bytes = new Uint8Array(made);
  for (let i = 0; i < bytes.length && i < 64; i++) bytes[i] = random(256);
  memories.push(made);
  if (memories.length > 30) memories.shift();
  return made;
}

function detach(made) {
  try {
    structuredClone(made, { transfer: [made] });
  } catch {
    // shared, or pinned
  }
}

// Changes memory that a call may be using.
function takeAway() {
  const made = oneOf(memories);
  if (made === undefined) return;
  try {
    if (chance(2)) detach(made);
    else if (made.resizable) made.resize(random(made.maxByteLength + 1));
    else if (made.growable) made.grow(made.maxByteLength);
  } catch {
    // not this one
  }
}

class Liar extends Uint8Array {
  get length() {
    return 2 ** 20;
  }

  get byteLength() {
    return 2 ** 20;
  }

  get byteOffset() {
    return 2 ** 31;
  }
}

function bytes() {
  const made = memory();
  const view = oneOf([
    () => Buffer.from(made),
    () => Buffer.from(made).subarray(oneOf([0, 1, 3]), oneOf([5, 100, 70000])),
    () => new (oneOf(kinds))(made),
    () => new Liar(made),
    () => Buffer.from(oneOf(words)),
    () => Buffer.allocUnsafe(oneOf(sizes)).fill(7),
    () => new Uint8Array(oneOf(sizes)),
    () => made,
  ])();
  if (chance(6)) detach(made);
  return view;
}

let depth = 0;
function again() {
  if (depth > 2) return undefined;
  depth++;
  try {
    return chance(3) ? takeAway() : step();
  } catch {
    return undefined;
  } finally {
    depth--;
  }
}

function callback() {
  return oneOf([
    () => () => {},
    () => () => { throw new Error('of a callback'); },
    () => () => { takeAway(); return value(2); },
    () => () => again(),
    () => (...all) => { all.forEach(remember); return value(2); },
    () => async () => again(),
    () => class { constructor() { again(); } },
    () => function* () { yield value(2); again(); },
  ])();
}

function tricky() {
  const changes = () => { takeAway(); return oneOf([0, 1, 100, 2 ** 31, 'a', bytes()]); };
  return oneOf([
    () => ({ valueOf: changes, toString: () => { takeAway(); return oneOf(words); } }),
    () => ({ [Symbol.toPrimitive]: changes }),
    () => ({ get length() { takeAway(); return oneOf(numbers); }, 0: bytes(), 1: bytes() }),
    () => new Proxy([bytes(), bytes()], { get: (list, key) => (key === 'length' ? oneOf([0, 1, 2, 3, 1000]) : Reflect.get(list, key)) }),
    () => new Proxy({}, { get: () => { again(); return value(2); }, ownKeys: () => { throw new Error('of a proxy'); } }),
    () => new Proxy(callback(), {}),
    () => { const list = [bytes(), bytes(), bytes()]; Object.defineProperty(list, 1, { get() { takeAway(); list.length = 0; return bytes(); } }); return list; },
    () => Object.create(null),
    () => ({ then: callback() }),
    () => ({ [Symbol.iterator]: callback(), [Symbol.asyncIterator]: callback() }),
    () => Object.freeze([bytes()]),
    () => new Date(NaN),
    () => /a/g,
    () => new Map([[bytes(), bytes()]]),
    () => Symbol('s'),
    () => new Error('an argument'),
    () => new URL('http://127.0.0.1:1/'),
    () => AbortSignal.abort(),
    () => Promise.reject(new Error('an argument')),
  ])();
}

function options(level) {
  const made = {};
  for (let i = random(5); i >= 0; i--) {
    const key = oneOf(keys);
    const held = value(level + 1);
    if (chance(8)) Object.defineProperty(made, key, { enumerable: true, configurable: true, get() { takeAway(); return held; } });
    else made[key] = held;
  }
  return made;
}

function value(level = 0) {
  switch (random(level > 1 ? 7 : 11)) {
    case 0: return oneOf(numbers);
    case 1: return oneOf(words);
    case 2: return bytes();
    case 3: return bytes();
    case 4: return oneOf([undefined, null, true, false, 10n, 2n ** 64n, -1n]);
    case 5: return callback();
    case 6: return corpus.length > 0 ? oneOf(corpus) : bytes();
    case 7: return options(level);
    case 8: return tricky();
    case 9: return Array.from({ length: random(4) }, () => value(level + 1));
    default: return tricky();
  }
}

// ---- what is called ----

// Calls that end the process, wait forever, leave the machine or the directory, or take memory without limit.
const excluded = /^(exit|abort|reallyExit|_?kill|_debug\w*|setuid|setgid|seteuid|setegid|setgroups|initgroups|chdir|umask|dlopen|loadEnvFile|execve|fork|exec\w*|spawn\w*|connect\w*|createConnection|request|get|fetch|lookup\w*|resolve\w*|reverse|setServers|send|connectSync|start|waitForDebugger|open|url|alloc|allocUnsafe\w*|fill|register\w*|setPriority|createSecurePair|isMaster|setupMaster|setupPrimary|bind|listen|prompt|question|disconnect|setFlagsFromString|startupSnapshot|takeCoverage|stopCoverage|writeHeapSnapshot|getHeapSnapshot|setHeapSnapshotNearHeapLimit|queryObjects|test|describe|it|suite|before\w*|after\w*|run|watch\w*|cp\w*|rm\w*|setUncaughtExceptionCaptureCallback|setSourceMapsEnabled|emit|on|once|addListener|prependListener|removeAllListeners|off|removeListener|nextTick|setDefaultEncoding|wait|createServer|glob\w*|opendir\w*|mkdtemp\w*|symlink\w*|link\w*|rename\w*|syncBuiltinESMExports|wrapProcess|binding|_linkedBinding|reportRequiresFlag|constrainedMemory|hrtime|createInterface|generatePrime\w*|checkPrime\w*|generateKeyPair\w*|scrypt\w*|pbkdf2\w*|argon2\w*)$/;
const left = ['repl', 'inspector', 'inspector/promises', 'cluster', 'test', 'test/reporters', 'trace_events', 'child_process', 'sys', 'dns', 'dns/promises', 'wasi', 'readline', 'readline/promises', 'tty',
  'domain', 'module', 'sea'];

function targets() {
  const list = [];
  for (const name of require('module').builtinModules) {
    const plain = name.replace(/^node:/, '');
    if (plain.startsWith('_') || left.includes(plain)) continue;
    let exported;
    try {
      exported = require(name);
    } catch {
      continue;
    }
    const add = (owner, prefix) => {
      for (const key of Object.getOwnPropertyNames(owner)) {
        if (excluded.test(key)) continue;
        const descriptor = Object.getOwnPropertyDescriptor(owner, key);
        if (typeof descriptor.value === 'function') list.push({ name: `${prefix}.${key}`, owner, call: descriptor.value });
      }
    };
    add(exported, plain);
    for (const key of ['subtle', 'webcrypto', 'promises', 'types', 'posix', 'performance']) if (typeof exported[key] === 'object') add(exported[key], `${plain}.${key}`);
  }
  return list;
}

function methodOf(object) {
  const names = [];
  for (let at = object; at !== null && at !== Object.prototype && at !== Function.prototype && names.length < 200; at = Object.getPrototypeOf(at)) {
    for (const key of Object.getOwnPropertyNames(at)) if (key !== 'constructor' && !excluded.test(key)) names.push(key);
  }
  return names.length > 0 ? oneOf(names) : undefined;
}

// ---- calls that get further: their arguments are right, but for the bytes and lengths ----

const lazily = (make) => {
  let made;
  return () => (made ??= make());
};
const modules = Object.fromEntries(['crypto', 'zlib', 'vm', 'v8', 'net', 'http', 'http2', 'tls', 'dgram', 'util', 'worker_threads', 'string_decoder', 'stream', 'child_process', 'events', 'dns', 'wasi', 'buffer', 'url', 'perf_hooks']
  .map((name) => [name, lazily(() => require(name))]));
const lib = new Proxy({}, { get: (target, name) => modules[name]() });

const file = lazily(() => fs.openSync('file', 'w+'));
const database = lazily(() => {
  const made = new (require('node:sqlite').DatabaseSync)(':memory:');
  made.exec('create table t(a primary key, b); insert into t values (1, 2)');
  return made;
});
const rsa = lazily(() => lib.crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }));
const curve = lazily(() => lib.crypto.generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
const number = () => (chance(3) ? tricky() : oneOf(numbers));
const small = () => oneOf([0, 1, 5, 16, 100, 1000, undefined, null, -1, tricky()]);
const channel = lazily(() => {
  const made = new lib.worker_threads.MessageChannel();
  made.port1.on('message', remember);
  made.port1.on('messageerror', () => {});
  made.port1.unref();
  made.port2.unref();
  return made;
});

// A pair of streams that are each other's wire.
function wires() {
  const { Duplex } = lib.stream;
  const make = () => {
    const side = new Duplex({ read() {}, write(chunk, encoding, done) { side.other.push(chunk); done(); }, final(done) { side.other.push(null); done(); } });
    side.on('error', () => {});
    return side;
  };
  const [a, b] = [make(), make()];
  a.other = b;
  b.other = a;
  return [a, b];
}

const http1 = ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\nA: b\r\n\r\n',
  'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 'x'.repeat(2000), '\r\n', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcde'];

const recipes = {
  fs: () => oneOf([
    () => fs.writeSync(file(), bytes(), small(), small(), small()),
    () => fs.readSync(file(), bytes(), small(), small(), small()),
    () => fs.read(file(), bytes(), small(), small(), small(), callback()),
    () => fs.write(file(), bytes(), small(), small(), small(), callback()),
    () => fs.writevSync(file(), oneOf([[bytes(), bytes()], tricky()]), small()),
    () => fs.readv(file(), oneOf([[bytes(), bytes()], tricky()]), small(), callback()),
    () => fs.promises.open('file', 'r+').then(async (handle) => { try { await handle.write(bytes(), small(), small()); await handle.readv([bytes(), bytes()]); } finally { await handle.close(); } }),
    () => fs.writeFileSync('other', bytes(), options(0)),
    () => fs.promises.writeFile('other', value()),
    () => fs.readFileSync(oneOf(['file', Buffer.from('file'), bytes()]), options(0)),
    () => fs.utimesSync('file', number(), number()),
    () => fs.ftruncateSync(file(), oneOf([0, 10, 100000, tricky()])),
    () => fs.createReadStream('file', options(0)).on('error', () => {}).on('data', (chunk) => { remember(chunk); takeAway(); }),
    () => fs.createWriteStream('third', options(0)).on('error', () => {}).end(value()),
    () => fs.statSync('file', options(0)),
  ])(),
  buffer: () => {
    const made = bytes();
    const target = Buffer.isBuffer(made) ? made : Buffer.alloc(oneOf(sizes));
    const name = oneOf(['toString', 'write', 'copy', 'indexOf', 'lastIndexOf', 'includes', 'compare', 'equals', 'slice', 'subarray', 'swap16', 'swap32', 'swap64', 'utf8Slice', 'utf8Write', 'latin1Slice',
      'hexSlice', 'hexWrite', 'base64Slice', 'base64Write', 'ucs2Slice', 'ucs2Write', 'asciiSlice', 'asciiWrite', 'latin1Write', 'readUIntBE', 'writeIntLE', 'readDoubleLE', 'toJSON', 'inspect']);
    const pick = () => oneOf([value(1), number(), oneOf(words), bytes()]);
    return target[name]?.(pick(), pick(), pick(), pick());
  },
  text: () => oneOf([
    () => new TextDecoder(oneOf(['utf-8', 'utf-16le', 'latin1', 'shift_jis', 'gb18030', 'big5', 'euc-kr']), { fatal: chance(2) }).decode(bytes(), { stream: chance(2) }),
    () => new TextEncoder().encodeInto(oneOf(words), bytes()),
    () => new lib.string_decoder.StringDecoder(oneOf(['utf8', 'hex', 'base64', 'utf16le'])).write(bytes()),
    () => Buffer.from(value(1), value(1), value(1)),
    () => Buffer.concat(oneOf([[bytes(), bytes()], tricky()]), small()),
    () => lib.buffer.transcode(bytes(), oneOf(['utf8', 'latin1', 'ucs2']), oneOf(['utf8', 'latin1', 'ucs2', 'ascii'])),
    () => btoa(oneOf(words)),
    () => util.inspect(value(), options(0)),
    () => structuredClone(value(), { transfer: [memory()] }),
  ])(),
  crypto: () => {
    const { crypto } = lib;
    return oneOf([
      () => crypto.createHash(oneOf(['sha256', 'md5', 'shake128', 'sha3-256']), options(0)).update(bytes()).update(value(1), value(1)).digest(value(1)),
      () => crypto.hash('sha1', value(1), value(1)),
      () => crypto.createHmac('sha256', bytes()).update(bytes()).digest(),
      () => remember(crypto.createCipheriv(oneOf(['aes-128-cbc', 'aes-128-gcm', 'aes-128-ccm', 'chacha20-poly1305']), Buffer.alloc(oneOf([16, 32])), oneOf([Buffer.alloc(12), Buffer.alloc(16), bytes()]), options(0))),
      () => { const cipher = crypto.createCipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12)); cipher.setAAD(bytes()); cipher.update(bytes()); cipher.final(); return cipher.getAuthTag(); },
      () => { const decipher = crypto.createDecipheriv('aes-128-gcm', Buffer.alloc(16), Buffer.alloc(12)); decipher.setAuthTag(bytes()); decipher.update(bytes()); return decipher.final(); },
      () => crypto.sign('sha256', bytes(), { key: rsa().privateKey, ...options(1) }),
      () => crypto.verify('sha256', bytes(), curve().publicKey, bytes()),
      () => crypto.sign('sha256', bytes(), curve().privateKey, callback()),
      () => crypto.publicEncrypt({ key: rsa().publicKey, ...options(1) }, bytes()),
      () => crypto.privateDecrypt({ key: rsa().privateKey, ...options(1) }, bytes()),
      () => remember(crypto.createSecretKey(bytes())),
      () => remember(crypto.createPublicKey({ key: bytes(), format: oneOf(['der', 'pem', 'jwk', 'raw']), type: 'spki' })),
      () => crypto.createPrivateKey(value()),
      () => rsa().privateKey.export({ type: 'pkcs8', format: oneOf(['der', 'pem', 'jwk']), ...options(1) }),
      () => crypto.pbkdf2Sync(bytes(), bytes(), oneOf([1, 2, tricky()]), oneOf([0, 1, 64, tricky()]), 'sha1'),
      () => crypto.pbkdf2(bytes(), bytes(), 1, oneOf([0, 16, 1000]), 'sha1', callback()),
      () => crypto.scryptSync(bytes(), bytes(), oneOf([0, 16, 64]), { N: oneOf([2, 16, 0, 3]) }),
      () => crypto.hkdfSync('sha256', bytes(), bytes(), bytes(), oneOf([0, 1, 64, 9000])),
      () => crypto.randomFillSync(bytes(), small(), small()),
      () => crypto.randomFill(bytes(), small(), small(), callback()),
      () => crypto.timingSafeEqual(bytes(), bytes()),
      () => { const ecdh = crypto.createECDH('prime256v1'); ecdh.generateKeys(); ecdh.setPrivateKey(bytes()); return ecdh.computeSecret(bytes()); },
      () => { const dh = crypto.createDiffieHellman(bytes(), bytes()); remember(dh); return dh.computeSecret(bytes()); },
      () => new crypto.X509Certificate(bytes()),
      () => crypto.Certificate[oneOf(['verifySpkac', 'exportPublicKey', 'exportChallenge'])](bytes()),
      () => crypto.subtle.digest('SHA-256', bytes()),
      () => crypto.subtle.importKey(oneOf(['raw', 'pkcs8', 'spki', 'jwk']), value(1), oneOf(['AES-GCM', 'HMAC', 'ECDSA', 'Ed25519', value(1)]), true, ['sign', 'encrypt']).then(remember),
    ])();
  },
  zlib: () => {
    const { zlib } = lib;
    const format = oneOf(['deflate', 'inflate', 'gzip', 'gunzip', 'deflateRaw', 'inflateRaw', 'unzip', 'brotliCompress', 'brotliDecompress', 'zstdCompress', 'zstdDecompress']);
    return oneOf([
      () => zlib[`${format}Sync`](bytes(), chance(2) ? options(0) : undefined),
      () => zlib[format](bytes(), chance(2) ? options(0) : {}, callback()),
      () => zlib.inflateSync(zlib.deflateSync(bytes(), { dictionary: bytes() }), { dictionary: bytes() }),
      () => zlib.crc32(value(1), number()),
      () => {
        const stream = zlib[oneOf(['createDeflate', 'createGunzip', 'createBrotliCompress', 'createZstdCompress', 'createInflateRaw'])](chance(3) ? options(0) : undefined);
        stream.on('error', () => {}).on('data', () => takeAway());
        remember(stream);
        stream.write(bytes());
        stream.flush?.(callback());
        stream.params?.(random(10), random(5), () => {});
        stream.write(bytes());
        if (chance(2)) stream.reset?.();
        if (chance(2)) stream.close();
        return stream.end();
      },
    ])();
  },
  sqlite: () => {
    const opened = database();
    return oneOf([
      () => opened.prepare('select ?, ?, :x').all(value(1), value(1)),
      () => opened.prepare('insert or replace into t values (?, ?)').run(bytes(), value(1)),
      () => { opened.function('f', options(0), callback()); return opened.prepare('select f(a, b) from t').all(); },
      () => { opened.aggregate('g', { start: 0, step: callback(), result: callback() }); return opened.prepare('select g(a) from t').get(); },
      () => { for (const row of opened.prepare('select * from t').iterate()) { remember(row); again(); } },
      () => opened.applyChangeset(bytes(), { onConflict: callback(), filter: callback() }),
      () => { const session = opened.createSession(); opened.prepare('insert or replace into t values (?, 1)').run(random(100)); const changes = session.changeset(); changes[random(changes.length)] ^= 1 << random(8); opened.applyChangeset(changes, { onConflict: () => random(4) }); session.close(); },
      () => { const statement = opened.prepare('select * from t'); remember(statement); statement.setReadBigInts(value(1)); return statement.get(value(1)); },
      () => { const statement = opened.prepare('select f(a, b) from t'); return statement.all(); },
    ])();
  },
  vm: () => {
    const { vm } = lib;
    const code = oneOf(['1 + 1', 'x.y', 'for (;;) {}', 'try { for (;;); } catch { for (;;); }', 'throw 1', 'this.q = x; var z = 3; z', 'new Proxy({}, {})', 'Promise.resolve().then(() => x)', 'x()', '({ get a() { return x() } })']);
    return oneOf([
      () => vm.runInNewContext(code, { x: value(1) }, { timeout: oneOf([1, 5]), microtaskMode: oneOf([undefined, 'afterEvaluate']) }),
      () => vm.runInContext('y = x', vm.createContext(oneOf([tricky(), { x: value(1) }, new Proxy({ x: callback() }, {})])), { timeout: 5 }),
      () => new vm.Script(code, options(0)).runInThisContext({ timeout: 3 }),
      () => vm.compileFunction('return a(b)', ['a', 'b'], { contextExtensions: [{}] })(callback(), value(1)),
      () => lib.v8.deserialize(bytes()),
      () => lib.v8.deserialize(Buffer.from(lib.v8.serialize(value(1))).map((byte) => (chance(10) ? byte ^ (1 << random(8)) : byte))),
      () => { const serializer = new lib.v8.Serializer(); remember(serializer); serializer.writeHeader(); serializer.writeRawBytes(bytes()); serializer.writeValue(value(1)); return serializer.releaseBuffer(); },
      () => { const reader = new lib.v8.Deserializer(bytes()); remember(reader); reader.readRawBytes(oneOf([1, 5, 100])); return reader.readValue(); },
    ])();
  },
  threads: () => oneOf([
    () => channel().port2.postMessage(value(), [memory()]),
    () => channel().port2.postMessage({ a: bytes(), b: channel().port2 }, tricky()),
    () => lib.worker_threads.receiveMessageOnPort(channel().port1),
    () => lib.worker_threads.markAsUntransferable(value(1)),
    () => { const sender = new BroadcastChannel('c'); sender.unref(); sender.postMessage(value(1)); sender.close(); },
    () => { const { port1, port2 } = new lib.worker_threads.MessageChannel(); port1.postMessage(port2, [port2]); port1.close(callback()); },
    () => { const worker = new lib.worker_threads.Worker('require("worker_threads").parentPort.on("message", (m) => require("worker_threads").parentPort.postMessage(m)); setTimeout(() => process.exit(), 50)', { eval: true, workerData: bytes() }); worker.on('error', () => {}); worker.on('message', remember); worker.postMessage(bytes()); if (chance(2)) worker.terminate(); },
    () => { const memoryShared = new SharedArrayBuffer(8); return Atomics.wait(new Int32Array(memoryShared), 0, 0, 1); },
  ])(),
  http: () => {
    const [client, server] = wires();
    const made = lib.http.createServer(options(0), (request, response) => {
      request.on('error', () => {}).on('data', (chunk) => { remember(chunk); if (chance(2)) detach(chunk.buffer); again(); });
      response.on('error', () => {});
      try {
        response.setHeader('X', oneOf(['a', ['b', 'c'], value(1)]));
        response.write(value(1));
        response.writeHead(200, value(1));
      } catch {
        // refused
      }
      if (chance(3)) again();
      response.end(oneOf(['ok', bytes()]));
      if (chance(5)) request.destroy();
    });
    for (const name of ['clientError', 'upgrade', 'connect']) made.on(name, (first, socket) => { remember(first); socket.destroy?.(); });
    made.emit('connection', server);
    for (let i = random(4); i >= 0; i--) {
      const text = Buffer.from(oneOf(http1));
      if (chance(3)) text[random(text.length)] = random(256);
      const cut = random(text.length);
      client.write(text.subarray(0, cut));
      client.write(text.subarray(cut));
    }
    client.write(bytes());
    return client.end();
  },
  httpOverTcp: () => {
    const made = lib.http.createServer((request, response) => {
      request.on('data', (chunk) => { remember(chunk); detach(chunk.buffer); });
      request.on('error', () => {});
      response.on('error', () => {});
      response.end('ok');
    });
    made.on('clientError', (error, socket) => socket.destroy());
    made.listen(0, '127.0.0.1', () => {
      const socket = lib.net.connect(made.address().port, '127.0.0.1');
      socket.on('error', () => {}).on('data', (chunk) => { remember(chunk); detach(chunk.buffer); });
      const text = Buffer.from(oneOf(http1) + oneOf(http1));
      if (chance(2)) text[random(text.length)] = random(256);
      socket.write(text);
      setTimeout(() => { socket.destroy(); made.close(); }, 20);
    });
  },
  http2: () => {
    const { http2 } = lib;
    const [client, server] = wires();
    const serving = http2.createServer(options(0), () => {});
    serving.on('stream', (stream, headers) => {
      stream.on('error', () => {}).on('data', (chunk) => { remember(chunk); detach(chunk.buffer); again(); });
      remember(stream);
      try {
        stream.respond(oneOf([{ ':status': 200 }, value(1)]), options(1));
        stream.write(value(1));
        stream.end(bytes());
      } catch {
        stream.destroy();
      }
      if (headers[':path'] === '/x') stream.session?.destroy();
    });
    serving.on('sessionError', () => {});
    serving.on('session', remember);
    serving.emit('connection', server);
    if (chance(3)) {
      const frames = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x05\0\0\0\0\0\x01abcde', 'latin1');
      for (let i = 24; i < frames.length; i++) if (chance(8)) frames[i] = random(256);
      client.write(frames);
      client.write(bytes());
      return;
    }
    const session = http2.connect('http://127.0.0.1', { createConnection: () => client, ...options(1) });
    session.on('error', () => {});
    remember(session);
    const request = session.request({ ':path': oneOf(['/', '/x']), ':method': 'POST', [oneOf(words)]: value(1) }, options(1));
    request.on('error', () => {}).on('data', (chunk) => { remember(chunk); takeAway(); });
    remember(request);
    request.write(bytes());
    request.end(value(1));
    session.ping(bytes(), callback());
    session.settings({ [oneOf(['headerTableSize', 'initialWindowSize', 'maxFrameSize', 'customSettings'])]: value(1) });
    setTimeout(() => session.destroy(), 10);
  },
  net: () => oneOf([
    () => {
      const server = lib.net.createServer((socket) => { socket.on('error', () => {}).on('data', (chunk) => { remember(chunk); detach(chunk.buffer); }); socket.write(value(1)); socket.end(bytes()); });
      server.on('error', () => {});
      server.listen(oneOf([{ port: 0, host: '127.0.0.1' }, { path: `pipe${random(9)}` }]), () => {
        const at = server.address();
        const socket = lib.net.connect(typeof at === 'string' ? { path: at } : { port: at.port, host: '127.0.0.1', ...(chance(3) ? { onread: { buffer: chance(2) ? bytes() : Buffer.alloc(1000), callback: callback() } } : {}) });
        socket.on('error', () => {}).on('data', (chunk) => { remember(chunk); takeAway(); });
        remember(socket);
        socket.cork();
        socket.write(bytes());
        socket.write(oneOf(words), oneOf(['utf8', 'latin1', 'hex', 'ucs2']));
        socket.write(bytes());
        socket.uncork();
        takeAway();
        setTimeout(() => { socket.destroy(); server.close(); }, 10);
      });
    },
    () => { const list = new lib.net.BlockList(); remember(list); list.addSubnet(value(1), number(), 'ipv4'); return list.check(value(1)); },
    () => {
      const socket = lib.dgram.createSocket('udp4');
      socket.on('error', () => {}).on('message', (message) => { remember(message); detach(message.buffer); });
      socket.bind(0, '127.0.0.1', () => {
        try {
          socket.send(oneOf([bytes(), [bytes(), bytes()], tricky()]), small(), small(), socket.address().port, '127.0.0.1', callback());
          socket.send([bytes(), oneOf(words)], socket.address().port, '127.0.0.1', () => {});
        } catch {
          // refused
        }
        takeAway();
        setTimeout(() => { try { socket.close(); } catch { /* it is */ } }, 10);
      });
    },
    () => remember(lib.tls.createSecureContext(options(0))),
    () => {
      const [client, server] = wires();
      const secured = new lib.tls.TLSSocket(server, { isServer: true, ...options(0) });
      secured.on('error', () => {});
      remember(secured);
      client.write(bytes());
      const socket = lib.tls.connect({ socket: client, rejectUnauthorized: false, ...options(1) });
      socket.on('error', () => {});
      socket.write(bytes());
      setTimeout(() => { socket.destroy(); secured.destroy(); }, 5);
    },
  ])(),
  child: () => oneOf([
    () => lib.child_process.spawnSync('true', Array.from({ length: random(3) }, () => oneOf(words)), { input: bytes(), ...options(1), cwd: undefined, shell: false, uid: undefined, timeout: 2000 }),
    () => { const child = lib.child_process.spawn('cat', [], { stdio: ['pipe', 'pipe', 'ignore'] }); child.on('error', () => {}); child.stdin.on('error', () => {}); child.stdout.on('data', (chunk) => { remember(chunk); detach(chunk.buffer); }); child.stdin.write(bytes()); takeAway(); child.stdin.end(bytes()); },
  ])(),
  streams: () => {
    const { stream } = lib;
    const source = stream.Readable.from(oneOf([[bytes(), bytes()], tricky()]), options(0));
    source.on('error', () => {});
    const sink = new stream.Writable({ ...options(0), write(chunk, encoding, done) { takeAway(); done(); } });
    sink.on('error', () => {});
    remember(source);
    remember(sink);
    return source.pipe(sink);
  },
};

let all;
let part;
let log;

function step() {
  const kind = part !== undefined ? oneOf([part]) : chance(3) ? undefined : oneOf(Object.keys(recipes));
  if (kind !== undefined && recipes[kind] !== undefined) {
    note(kind);
    return recipes[kind]();
  }
  const args = Array.from({ length: random(6) }, () => value());
  if (chance(2) && corpus.length > 0) {
    const object = oneOf(corpus);
    const name = methodOf(object);
    note(`a ${typeof object} of ${object?.constructor?.name}: ${String(name)}`, args);
    if (name === undefined) return undefined;
    const held = object[name];
    return typeof held === 'function' ? Reflect.apply(held, object, args) : undefined;
  }
  const target = oneOf(all);
  note(target.name, args);
  return /^[A-Z]/.test(target.name.split('.').pop()) ? new target.call(...args) : Reflect.apply(target.call, target.owner, args);
}

// Without reading the arguments: that would run their getters.
const nameOf = (argument) => (argument === null ? 'null' : ArrayBuffer.isView(argument) ? 'view' : typeof argument === 'string' ? JSON.stringify(argument.slice(0, 12)) : typeof argument === 'number' ? String(argument) : typeof argument);
function note(name, args = []) {
  fs.writeSync(log, `${'  '.repeat(depth)}${name}(${args.map(nameOf).join(', ')})\n`);
}

function run(seed, count, only) {
  state = (seed * 2654435761) >>> 0;
  part = only;
  log = fs.openSync('log', 'a');
  process.on('uncaughtException', () => {});
  process.on('unhandledRejection', () => {});
  process.on('warning', () => {});
  all = targets();
  const turn = (n) => {
    if (n === 0) {
      setTimeout(() => process.reallyExit(0), 100);
      return;
    }
    try {
      const result = step();
      remember(result);
      if (typeof result?.catch === 'function') result.catch(() => {});
    } catch {
      // what a call answers is fine
    }
    if (chance(4)) takeAway();
    setImmediate(turn, n - 1);
  };
  turn(count);
}

module.exports = { run };
