'use strict';

// Formats that are read at once: { sample: what is sound, read: what reads it }. See formats.js.

const fs = require('fs');
const os = require('os');
const path = require('path');
const url = require('url');
const v8 = require('v8');
const zlib = require('zlib');
const { spawnSync } = require('child_process');
const { SourceMap } = require('module');
const { DatabaseSync } = require('node:sqlite');
const { pack } = require('../../../observe/page/pack.js');
const trace = require('../../../observe/page/read_trace.js');

const kText = 'the quick brown fox, and again the quick brown fox; '.repeat(30);

// ---- URLs ----

const kUrls = ['http://user:pass@example.com:8080/a/../b?c=d#e', 'https://b\u00fccher.example/%E4%BD%A0', 'file:///a/b', 'data:text/plain;base64,YQ==', 'http://[2001:db8::1]:80/', 'http://0x7f.1/',
  'mailto:a@b', 'blob:http://a/b', 'http://xn--bcher-kva.example./', 'ws://a.b/?x#y', '//host/path', '/../a', 'javascript:x'];
const kParts = ['href', 'protocol', 'host', 'hostname', 'port', 'username', 'password', 'pathname', 'search', 'hash'];

function readUrl(bytes, chance) {
  const text = chance.chance(0.5) ? bytes.toString('utf8') : bytes.toString('latin1');
  URL.canParse(text, 'http://base/x/y');
  url.domainToUnicode(url.domainToASCII(text));
  const parsed = new URL(text, chance.chance(0.5) ? 'http://base/x/y?q' : undefined);
  parsed[chance.pick(kParts)] = text;
  parsed.searchParams.append(text, text);
  parsed.searchParams.sort();
  if (new URL(parsed.href).href !== parsed.href) throw new TypeError(`${parsed.href} is not read as it is written`);
  return [url.format(url.parse(text)), new URLSearchParams(text).toString(), url.urlToHttpOptions(parsed)];
}

// ---- compressed data ----

const kDictionary = Buffer.from('the quick brown fox');
const kCompressed = [
  [zlib.deflateSync(kText), 'createInflate'], [zlib.gzipSync(kText), 'createGunzip'], [zlib.deflateRawSync(kText), 'createInflateRaw'], [zlib.deflateSync(kText), 'createUnzip'],
  [zlib.brotliCompressSync(kText), 'createBrotliDecompress'], [zlib.zstdCompressSync(kText), 'createZstdDecompress'],
  [zlib.deflateSync(kText, { dictionary: kDictionary }), 'createInflate', { dictionary: kDictionary }], [Buffer.concat([zlib.gzipSync('a'), zlib.gzipSync('b')]), 'createGunzip'],
  [zlib.zstdCompressSync(kText, { dictionary: kDictionary }), 'createZstdDecompress', { dictionary: kDictionary }],
];
let compressed;

function readCompressed(bytes, chance) {
  const [, make, options] = compressed;
  const stream = zlib[make]({ maxOutputLength: 1 << 20, chunkSize: chance.pick([64, 100, 16384]), ...options });
  stream.on('error', () => {});
  stream.on('data', () => {});
  for (let at = 0; at < bytes.length;) {
    const size = 1 + chance.below(bytes.length);
    stream.write(bytes.subarray(at, at + size));
    at += size;
  }
  if (chance.chance(0.3)) stream.flush();
  if (chance.chance(0.2)) stream.reset?.();
  if (chance.chance(0.2)) stream.close();
  else stream.end();
  const atOnce = { createInflate: 'inflateSync', createGunzip: 'gunzipSync', createInflateRaw: 'inflateRawSync', createUnzip: 'unzipSync', createBrotliDecompress: 'brotliDecompressSync', createZstdDecompress: 'zstdDecompressSync' };
  return zlib[atOnce[make]](bytes, { maxOutputLength: 1 << 20, finishFlush: chance.chance(0.3) ? zlib.constants.Z_SYNC_FLUSH : undefined, ...options });
}

// ---- clones ----

const kCloned = v8.serialize({ a: [1, 2.5, 'text', '\u20ac', , null], m: new Map([[1, { b: 2n ** 70n }]]), s: new Set(['x']), d: new Date(0), r: /x/g, u: new Uint16Array([1, 2, 3]),
  b: Buffer.from('bytes'), e: new RangeError('no'), v: new DataView(new ArrayBuffer(8)) });

// ---- source maps ----

const kMap = JSON.stringify({ version: 3, file: 'a.js', sourceRoot: '', sources: ['b.ts', 'c.ts'], sourcesContent: ['let x;\nx();', null], names: ['x', 'y'],
  mappings: 'AAAA,SAASA,IAAI;AACb,OAAOC,KCAP;;;AADA,gBAAgB', sections: undefined });

function readMap(bytes, chance) {
  const payload = JSON.parse(bytes.toString('utf8'));
  if (chance.chance(0.3)) payload.sections = [{ offset: { line: chance.below(5), column: 0 }, map: { ...payload } }];
  const map = new SourceMap(payload, { lineLengths: [10, 20] });
  return [map.findEntry(chance.below(10), chance.below(50)), map.findOrigin(chance.below(10), chance.below(50)), map.payload];
}

function readNamedMap(bytes) {
  process.setSourceMapsEnabled(true);
  const made = new module.constructor('/none/a.js');
  made._compile(`exports.run = () => {\n  throw new Error('mapped');\n};\n//# sourceMappingURL=data:application/json;base64,${bytes.toString('base64')}`, '/none/a.js');
  try {
    made.exports.run();
  } catch (error) {
    return error.stack;
  } finally {
    process.setSourceMapsEnabled(false);
  }
}

// ---- changesets ----

function database() {
  const made = new DatabaseSync(':memory:');
  made.exec('CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c BLOB, d REAL)');
  return made;
}
const changes = (() => {
  const from = database();
  const session = from.createSession();
  const insert = from.prepare('INSERT INTO t VALUES(?, ?, ?, ?)');
  for (let i = 0; i < 4; i++) insert.run(i, `text ${i}`, Buffer.from([i, i]), i / 3);
  from.exec('UPDATE t SET b = NULL WHERE a = 1; DELETE FROM t WHERE a = 2');
  return [session.changeset(), session.patchset()];
})();

// ---- traces ----

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'formats-'));
process.on('exit', () => fs.rmSync(place, { recursive: true, force: true }));

// Made by the program itself.
const kTrace = (() => {
  const file = path.join(place, 'made.json');
  spawnSync(process.execPath, [`--trace=${file}`, '-e', "setTimeout(() => {}, 1); fs.readFile('/dev/null', () => setImmediate(() => Promise.resolve().then(() => process.nextTick(() => {}))))"]);
  return fs.readFileSync(file).subarray(0, 6000);
})();

function readTrace(bytes) {
  const file = path.join(place, 'trace.json');
  fs.writeFileSync(file, bytes);
  pack(trace.readTrace(file), () => '');
}

const sync = {
  urls: { sample: (chance) => chance.pick(kUrls), read: readUrl },
  compressed: { sample: (chance) => (compressed = chance.pick(kCompressed))[0], read: readCompressed },
  clones: { sample: () => kCloned, read: (bytes) => v8.deserialize(bytes) },
  maps: { sample: () => kMap, read: readMap },
  namedMaps: { sample: () => kMap, read: readNamedMap },
  changesets: {
    sample: (chance) => chance.pick(changes),
    read: (bytes, chance) => database().applyChangeset(bytes, { onConflict: () => chance.below(3), filter: () => chance.chance(0.9) }),
  },
  traces: { sample: () => kTrace, read: readTrace },
};

module.exports = { sync };
