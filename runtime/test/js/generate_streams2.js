'use strict';

// Writes a random program with everything around streams, the same one for the same seed: pipelines with generators and signals,
// iteration that is left early, iterator helpers, compose, web streams, compression, lines, files, and streams with odd settings
// that are corked, given back to, destroyed and asked at odd times.
//
//   generate_streams2.js SEED > program
//
// A program is a row of scenes, one after the other: each has streams of its own and ends when the loop has nothing more to do
// for it. Where the system takes part (files, compression) a scene has no other work that could come before or after it.

const seed = Number(process.argv[2] ?? 1);

const { pick, chance, below } = require('./random.js')(seed, 98765);

let label = 0;
const error = () => `new Error('e${++label}')`;
const failure = (value) => `${value} && (${value}.code ?? ${value}.message)`;
const several = (make, count) => Array.from({ length: count }, () => make());
const whens = ['now', 'tick', 'micro', 'immediate'];
const when = (code) => `${pick(whens)}(() => { ${code} });`;
const later = (code) => `${pick(whens.slice(1))}(() => { ${code} });`;
const said = (what, ...more) => `log(${[`'${what}'`, ...more].join(', ')});`;

// ---- settings ----

function settings(...more) {
  const list = more.filter(Boolean);
  if (chance(0.5)) list.push(`highWaterMark: ${pick([0, 1, 2, 3, 5, 16])}`);
  if (chance(0.15)) list.push('autoDestroy: false');
  if (chance(0.12)) list.push('emitClose: false');
  if (chance(0.25)) list.push('objectMode: true');
  if (chance(0.15)) list.push(`construct(done) { ${said('construct')} ${when(`done(${chance(0.15) ? error() : ''})`)} }`);
  if (chance(0.2)) list.push(`destroy(e, done) { ${said('_destroy', 'e && e.message')} ${when(`done(${chance(0.15) ? error() : 'e'})`)} }`);
  return list.join(', ');
}

const chunk = () => pick(["'a' + i", "'long ' + i", "Buffer.from('b' + i)", "''", "'\\u20ac'"]);

function readable(...more) {
  const end = chance(0.1) ? `this.destroy(${chance(0.5) ? error() : ''})` : chance(0.05) ? `this.destroy(); throw ${error()}` : 'this.push(null)';
  const give = `this.push(${chunk()});${chance(0.2) ? " this.push('more');" : ''}`;
  const read = `read() { ${said('_read', 'n')} const i = n++; if (i < ${1 + below(4)}) { ${when(give)} } else { ${when(end)} } }`;
  return `(() => { let n = 0; return new Readable({ ${settings(read, ...more)} }); })()`;
}

const decoding = () => chance(0.2) && "encoding: 'utf8'";

const iterable = () => pick([
  "['a', 'b', 'c']",
  "(function*() { yield 'a'; yield 'b'; })()",
  "(async function*() { yield 'a'; await null; yield 'b'; })()",
  "[Promise.resolve('p'), 'q']",
  "(async function*() { try { yield 'a'; yield 'b'; yield 'c'; } finally { log('finally'); } })()",
  "(function*() { try { yield 'a'; yield 'b'; } finally { log('finally'); } })()",
  `(async function*() { yield 'a'; throw ${error()}; })()`,
]);

const source = (...more) => (chance(0.6) ? readable(...more) : `Readable.from(${iterable()}${chance(0.3) ? `, { highWaterMark: ${pick([0, 1, 2])} }` : ''})`);

function writable() {
  const answer = () => when(`done(${chance(0.1) ? error() : ''})`);
  const write = `write(chunk, encoding, done) { ${said('_write', 'String(chunk)', 'encoding')} ${chance(0.05) ? `throw ${error()};` : ''} ${answer()} }`;
  const writev = chance(0.3) && `writev(chunks, done) { ${said('_writev', 'chunks.length')} ${answer()} }`;
  const final = chance(0.35) && `final(done) { ${said('_final')} ${answer()} }`;
  return `new Writable({ ${settings(write, writev, final, chance(0.1) && 'decodeStrings: false')} })`;
}

function transform() {
  if (chance(0.3)) return `new PassThrough({ ${settings()} })`;
  const more = chance(0.2) ? "this.push('+');" : '';
  const answer = when(chance(0.08) ? `done(${error()})` : chance(0.1) ? 'done()' : 'done(null, chunk)');
  const change = `transform(chunk, encoding, done) { ${said('_transform', 'String(chunk)')} ${more} ${answer} }`;
  const flush = chance(0.3) && `flush(done) { ${said('_flush')} ${when(chance(0.1) ? `done(${error()})` : "done(null, 'end')")} }`;
  const final = chance(0.1) && `final(done) { ${said('_final')} ${when('done()')} }`;
  return `new Transform({ ${settings(change, flush, final)} })`;
}

function duplex() {
  const read = `read() { ${said('_read')} const i = n++; if (i < ${1 + below(3)}) { ${when("this.push('d' + i)")} } else { ${when('this.push(null)')} } }`;
  const write = `write(chunk, encoding, done) { ${said('_write', 'String(chunk)')} ${when('done()')} }`;
  const half = chance(0.3) && 'allowHalfOpen: false';
  const sides = chance(0.1) && pick(['readable: false', 'writable: false']);
  const marks = chance(0.2) && 'readableHighWaterMark: 1';
  const mode = chance(0.2) && 'writableObjectMode: true';
  return `(() => { let n = 0; return new Duplex({ ${settings(read, write, half, sides, marks, mode)} }); })()`;
}

const generators = [
  () => "async function*(source) { for await (const chunk of source) { log('gen', String(chunk)); yield chunk; } log('gen end'); }",
  () => `async function*(source) { for await (const chunk of source) { log('gen', String(chunk)); yield chunk; ${pick(['break;', 'return;', `throw ${error()};`])} } }`,
  () => "async function*(source) { try { for await (const chunk of source) { await null; yield String(chunk).toUpperCase(); } } finally { log('gen finally'); } }",
  () => "function(source) { return source; }",
];

// ---- what is done with streams ----

const reads = {
  data: (s) => `${s}.on('data', (chunk) => { log('data', String(chunk)); ${chance(0.15) ? `${s}.pause(); ${later(`${s}.resume()`)}` : ''} ${chance(0.06) ? `${s}.destroy();` : ''} });`,
  readable: (s) => `${s}.on('readable', () => { let chunk; log('readable', ${s}.readableLength); while ((chunk = ${s}.read(${pick(['', '', '1', '2', '3'])})) !== null) log('got', String(chunk)); });`,
  iterate: (s) => `(async () => { try { for await (const chunk of ${pick([s, s, `${s}.iterator({ destroyOnReturn: ${chance(0.5)} })`])}) { log('item', String(chunk)); ` +
    `${pick(['', '', 'await null;', 'break;', `throw ${error()};`, "if (count++ === 1) return;"])} } log('iterated'); } catch (e) { log('iteration', ${failure('e')}); } })();`,
  resume: (s) => `${s}.resume();`,
  pipe: (s) => `${s}.pipe(track('sink', ${writable()})${chance(0.2) ? ', { end: false }' : ''});`,
};
const helper = () => pick([
  'map((x) => String(x) + 1)',
  "filter((x) => String(x) !== 'b')",
  'take(1)',
  'drop(1)',
  'flatMap((x) => [String(x), 2])',
  'map(async (x) => { await null; return String(x); })',
  'map((x) => String(x), { concurrency: 2 })',
  'filter(async () => true)',
  'take(2)',
  `map((x) => { throw ${error()}; })`,
]);
const ends = [
  'toArray()',
  "forEach((x) => log('each', String(x)))",
  "reduce((a, b) => a + String(b), '')",
  "some((x) => String(x) === 'b')",
  'every((x) => true)',
  "find((x) => String(x) === 'c')",
  "forEach(async (x) => { log('each', String(x)); await null; })",
  'toArray()',
];
const odd = {
  unshift: (s) => `if (${s}.readable) ${s}.unshift('u');`,
  setEncoding: (s) => `if (!${s}.readableObjectMode) ${s}.setEncoding('${pick(['utf8', 'hex', 'base64'])}');`,
  pause: (s) => `${s}.pause(); ${later(`${s}.resume();`)}`,
  read: (s) => `log('read', String(${s}.read(${pick(['', '0', '1', '5'])})));`,
  destroy: (s) => `${s}.destroy(${chance(0.5) ? error() : ''});`,
  destroyBack: (s) => `${s}.destroy(${chance(0.5) ? error() : 'null'}, (e) => log('destroyed', ${failure('e')}));`,
  finished: (s) => `finished(${s}, ${chance(0.3) ? `{ ${pick(['readable', 'writable', 'error'])}: false }, ` : ''}(e) => log('finished', ${failure('e')}));`,
  promised: (s) => `promises.finished(${s}).then(() => log('over'), (e) => log('over', ${failure('e')}));`,
  unpipe: (s) => `${s}.unpipe();`,
  state: (s) => `state(${s});`,
  push: (s) => `if (!${s}.readableEnded && !${s}._readableState.ended) log('push', ${s}.push('p'));`,
  deaf: (s) => `${s}.removeAllListeners('${pick(['data', 'readable', 'end'])}');`,
};
const writes = {
  write: (s) => `log('write', ${s}.write('${pick(['1', '22', '333', 'abcdefgh'])}'${chance(0.5) ? `, (e) => log('written', ${failure('e')})` : ''}));`,
  several: (s) => `for (let i = 0; i < ${2 + below(3)}; i++) log('write', ${s}.write('n' + i${chance(0.4) ? ", (e) => log('written', i, e && e.message)" : ''}));`,
  cork: (s) => `${s}.cork(); ${s}.write('c1'); ${s}.write('c2'${chance(0.5) ? ", (e) => log('corked', e && e.message)" : ''}); ${when(`${s}.uncork()`)}`,
  encoding: (s) => `${s}.setDefaultEncoding('latin1'); ${s}.write('\\u00e9', ${pick(["'utf8'", "'latin1'", 'undefined'])});`,
  end: (s) => `${s}.end(${pick(['', "'last'", "'last', (e) => log('ended', e && e.message)", "(e) => log('ended', e && e.message)"])});`,
  state: (s) => `state(${s});`,
  destroy: (s) => `${s}.destroy(${chance(0.5) ? error() : ''});`,
  bad: (s) => `${s}.write(${pick(['null', '5', "'x', 'nope'", '{}', 'new Uint8Array([104, 105])'])});`,
  finished: (s) => odd.finished(s),
};

const place = (code) => pick([(c) => c, (c) => c, (c) => when(c)])(`attempt(() => { ${code} });`);

function deeds(table, name, count) {
  return several(() => place(pick(Object.values(table))(name)), count).join('\n  ');
}

// ---- scenes ----

const scenes = {
  reading: () => `const s = track('r', ${source(decoding())});
  ${place(pick(Object.values(reads))('s'))}
  ${deeds({ ...odd, ...reads }, 's', 1 + below(4))}`,

  writing: () => `const s = track('w', ${writable()});
  ${deeds(writes, 's', 2 + below(5))}
  ${chance(0.7) ? `rounds(3, () => attempt(() => s.end()));` : ''}`,

  both: () => `const s = track('t', ${pick([transform, transform, duplex])()});
  ${place(pick(Object.values(reads))('s'))}
  ${deeds({ ...writes, ...odd }, 's', 2 + below(5))}
  ${chance(0.7) ? `rounds(3, () => attempt(() => s.end()));` : ''}`,

  pipeline: () => {
    const parts = [chance(0.25) ? iterable() : chance(0.15) ? "async function*() { yield 'g'; await null; yield 'h'; }" : `track('r', ${source()})`];
    for (let i = below(3); i > 0; i--) parts.push(chance(0.35) ? pick(generators)() : `track('t${i}', ${transform()})`);
    const reader = pick([
      "async function(source) { let all = ''; for await (const chunk of source) all += chunk; return all; }",
      `async () => { throw ${error()}; }`,
      "async () => 'early'",
    ]);
    const last = chance(0.15) ? reader : `track('w', ${writable()})`;
    parts.push(last);
    if (chance(0.5)) return `pipeline(${parts.join(',\n    ')}, (e, value) => log('pipeline', ${failure('e')}, String(value)));${disturb()}`;
    const options = pick(['', '', ', { signal: controller.signal }', last.startsWith('async') ? '' : ', { end: false }']);
    return `const controller = new AbortController();
  promises.pipeline(${parts.join(',\n    ')}${options}).then((value) => log('kept', String(value)), (e) => log('refused', ${failure('e')}));
  ${chance(0.5) ? when(`controller.abort(${chance(0.5) ? error() : ''})`) : ''}${disturb()}`;
  },

  pipes: () => `const r = track('r', ${source(decoding())});
  const t = track('t', ${transform()});
  const w = track('w', ${writable()});
  r.pipe(t).pipe(w);
  ${chance(0.4) ? `${later(`attempt(() => { ${pick(['r', 't'])}.unpipe(); });`)}` : ''} ${chance(0.4) ? `r.pipe(track('v', ${writable()}));` : ''}
  ${deeds({ destroy: odd.destroy, finished: odd.finished, state: odd.state }, pick(['r', 't', 'w']), below(3))}`,

  helpers: () => `const r = track('r', ${source()});
  r.${[...several(helper, below(3)), pick(ends)].join('.')}.then((value) => log('value', String(value)), (e) => log('refused', ${failure('e')}));
  ${chance(0.3) ? when('r.destroy()') : ''}`,

  compose: () => `const s = track('c', compose(${several(() => (chance(0.4) ? pick(generators.slice(0, 3))() : transform()), 1 + below(2)).join(', ')}));
  s.on('data', (chunk) => log('data', String(chunk)));
  s.write('1'); s.write('2'); ${when('s.end()')}`,

  signal: () => `const controller = new AbortController();
  const s = track('s', addAbortSignal(controller.signal, ${pick([readable, writable, transform])()}));
  ${when(`controller.abort(${chance(0.5) ? error() : ''})`)}
  ${chance(0.5) ? "finished(s, (e) => log('finished', e && e.code));" : ''}`,

  from: () => `const s = track('f', Duplex.from(${pick([
    iterable(),
    "'text'",
    "Promise.resolve('x')",
    "async function*(source) { for await (const c of source) yield String(c) + '!'; }",
    `{ readable: ${readable()}, writable: ${writable()} }`,
    "async (source) => { for await (const c of source) log('in', String(c)); }",
  ])}));
  attempt(() => { if (s.readable) s.on('data', (chunk) => log('data', String(chunk))); });
  attempt(() => { if (s.writable) { s.write('1'); s.end('2'); } });`,

  // Left out, since they are known to differ: text from a stream of bytes, and what a Node stream gives piped on by the web's means.
  web: () => pick([
    () => `walk(Readable.toWeb(${source()})${chance(0.3) ? ', 1' : ''});`,
    () => `const [a, b] = Readable.toWeb(${readable()}).tee(); walk(a); walk(b${chance(0.3) ? ', 1' : ''});`,
    () => `const s = track('r', Readable.fromWeb(new ReadableStream({
    start(c) { c.enqueue('a'); c.enqueue('b'); ${chance(0.7) ? 'c.close();' : ''} },
    pull(c) { log('pull'); ${when('try { c.close(); } catch {}')} },
    cancel(reason) { log('cancel', String(reason)); },
  })));
  ${place(pick([reads.data, reads.iterate])('s'))}`,
    () => `const writer = Writable.toWeb(track('w', ${writable()})).getWriter();
  writer.closed.then(() => log('closed'), (e) => log('closed', ${failure('e')}));
  for (const x of ['1', '2']) writer.write(x).then(() => log('wrote', x), (e) => log('wrote', x, ${failure('e')}));
  ${pick(['writer.close()', `writer.abort(${error()})`])}.then(() => log('done'), (e) => log('done', ${failure('e')}));`,
    () => `const s = track('w', Writable.fromWeb(new WritableStream({
    write(x) { log('sink', String(x)); ${chance(0.2) ? `throw ${error()};` : ''} },
    close() { log('sink close'); },
    abort(e) { log('sink abort', ${failure('e')}); },
  })));
  attempt(() => { ${writes.write('s')} s.end('last', (e) => log('ended', e && e.message)); });`,
    () => `const { readable, writable } = new TransformStream({
    transform(x, c) { log('transform', String(x)); c.enqueue(x); },
    flush(c) { c.enqueue('z'); },
  });
  const sink = new WritableStream({ write(x) { log('sink', String(x)); } });
  ReadableStream.from(${iterable()}).pipeThrough({ readable, writable }).pipeTo(sink).then(() => log('piped'), (e) => log('piped', ${failure('e')}));`,
    () => `const d = track('d', Duplex.fromWeb(new TransformStream()));
  d.on('data', (chunk) => log('data', String(chunk)));
  d.write('1'); ${when("d.end('2')")}`,
  ])(),

  zlib: () => `const z = zlib.${pick(['createGzip', 'createDeflate', 'createBrotliCompress'])}();
  const u = zlib.createUnzip();
  const parts = [];
  async function collect(source) { for await (const chunk of source) parts.push(chunk); }
  pipeline(Readable.from(['hello ', 'hello ', 'world']), zlib.create${pick(['Gzip', 'Deflate'])}(), u, collect,
    (e) => log('unzipped', ${failure('e')}, Buffer.concat(parts).toString()));
  z.destroy();`,

  lines: () => `const r = track('r', Readable.from(['one\\ntw', 'o\\nthree'${chance(0.5) ? ", '\\n'" : ''}], { objectMode: ${chance(0.5)} }));
  const lines = readline.createInterface({ input: r });
  lines.on('close', () => log('lines close'));
  ${pick([
    "lines.on('line', (line) => log('line', line));",
    `(async () => { for await (const line of lines) { log('line', line); ${chance(0.3) ? 'break;' : ''} } log('read'); })();`,
  ])}`,

  files: () => pick([
    () => `const r = track('r', fs.createReadStream(file, { highWaterMark: ${pick([3, 5, 100])}, ${pick(['start: 2,', 'end: 6,', "encoding: 'utf8',", ''])} }));
  ${pick([
    "r.on('data', (chunk) => log('data', String(chunk)));",
    "(async () => { for await (const chunk of r) log('item', String(chunk)); log('iterated'); })();",
  ])}`,
    () => `const w = track('w', fs.createWriteStream(other)); w.write('one '); w.write('two '); w.end('three', () => log(fs.readFileSync(other, 'utf8')));`,
    () => `pipeline(fs.createReadStream(file), track('t', ${transform()}), fs.createWriteStream(other), (e) => { log('copied', ${failure('e')}); });`,
    () => `const r = fs.createReadStream(file + '.none'); r.on('error', (e) => log('error', e.code)); r.on('close', () => log('close'));`,
  ])(),
};
const disturb = () => (chance(0.3) ? `\n  ${later(`for (const s of tracked.slice(0, 1)) attempt(() => s.destroy(${chance(0.5) ? error() : ''}));`)}` : '');

const kinds = Object.keys(scenes);
const chosen = several(() => pick(kinds), 3 + below(4));
const program = chosen.map((kind) => `play('${kind}', () => {
  let count = 0;
  ${scenes[kind]()}
});`).join('\n\n');

console.log(`'use strict';
const { Readable, Writable, Transform, PassThrough, Duplex, pipeline, finished, compose, addAbortSignal, promises } = require('stream');
const fs = require('fs');
const zlib = require('zlib');
const readline = require('readline');
const file = require('path').join(require('os').tmpdir(), 'streams-' + process.pid);
const other = file + '-other';
const log = (...args) => console.log(args.map(String).join(' '));
const now = (f) => f();
const tick = (f) => process.nextTick(f);
const micro = (f) => queueMicrotask(f);
const immediate = (f) => setImmediate(f);
const rounds = (left, callback) => setImmediate(() => (left === 0 ? callback() : rounds(left - 1, callback)));
let tracked = [];
function track(name, stream) {
  tracked.push(stream);
  for (const event of ['close', 'end', 'finish', 'prefinish', 'drain', 'pipe', 'unpipe', 'pause', 'resume']) {
    stream.on(event, () => log(name, event));
  }
  stream.on('error', (e) => log(name, 'error', ${failure('e')}));
  return stream;
}
function state(s) {
  log('state', s.readable, s.readableFlowing, s.readableLength, s.readableEnded, s.writable, s.writableLength, s.writableNeedDrain,
    s.writableFinished, s.destroyed, s.closed, ${failure('s.errored')});
}
async function walk(web, limit = 10) {
  try {
    for await (const chunk of web) {
      log('web', String(chunk));
      if (--limit === 0) break;
    }
    log('web end');
  } catch (e) {
    log('web', ${failure('e')});
  }
}
function attempt(callback) {
  try {
    callback();
  } catch (e) {
    log('threw', ${failure('e')});
  }
}
process.on('uncaughtException', (e) => log('uncaught', ${failure('e')}));
process.on('unhandledRejection', (e) => log('unhandled', ${failure('e')}));
const plays = [];
const play = (kind, scene) => plays.push([kind, scene]);
let steps = 0;
process.on('beforeExit', () => {
  for (const stream of tracked) state(stream);
  tracked = [];
  const next = plays.shift();
  if (next === undefined || ++steps > 20) return;
  log('---', next[0]);
  setImmediate(() => attempt(next[1]));
});
process.on('exit', () => { for (const name of [file, other]) fs.rmSync(name, { force: true }); });
fs.writeFileSync(file, 'the content of a small file');

${program}`);
