'use strict';

// Writes a random program with streams, the same one for the same seed: sources, sinks, transforms and duplexes that answer
// at once, in a tick, in a microtask or in an immediate, with listeners to everything; then a handful of what programs do
// with streams, at random times.
//
//   generate_streams.js SEED > program
//
// Nothing in it waits for the clock or for the system: immediates count the rounds.

const seed = Number(process.argv[2] ?? 1);

const { random, pick, chance, below } = require('./random.js')(seed, 54321);

let label = 0;
const error = () => `new Error('e${++label}')`;
const later = (code) => pick([`${code};`, `process.nextTick(() => { ${code}; });`, `queueMicrotask(() => { ${code}; });`, `setImmediate(() => { ${code}; });`]);
const failure = (value) => `${value} && (${value}.code ?? ${value}.message)`;

// ---- the streams ----

const lines = [];

function settings() {
  const list = [];
  if (chance(0.5)) list.push(`highWaterMark: ${pick([1, 2, 3, 5, 16])}`);
  if (chance(0.15)) list.push('autoDestroy: false');
  if (chance(0.1)) list.push('emitClose: false');
  if (chance(0.2)) list.push('objectMode: true');
  return list;
}

const method = (name, parameters, code) => `${name}(${parameters}) { ${code} }`;
const said = (name, what, ...more) => `log('${name} ${what}'${more.map((item) => `, ${item}`).join('')});`;
const destroys = (name) => method('destroy', 'e, done', `${said(name, '_destroy', 'e && e.message')} ${later('done(e)')}`);
const constructs = (name) => method('construct', 'done', `${said(name, 'construct')} ${later('done()')}`);
const finishes = (name) => method('final', 'done', `${said(name, 'final')} ${later('done()')}`);

function readable(name) {
  if (chance(0.25)) {
    const source = pick(["['a', 'b', 'c']", "(function*() { yield 'a'; yield 'b'; })()", "(async function*() { yield 'a'; await null; yield 'b'; })()", '[]', "'text'"]);
    lines.push(`const ${name} = Readable.from(${source}${chance(0.3) ? ', { objectMode: false }' : ''});`);
    return;
  }
  const list = settings();
  const push = (value) => later(`this.push(${value})`);
  if (chance(0.2)) list.push("encoding: 'utf8'");
  const chunks = push(pick(["'x' + i", "Buffer.from('yz')", "'long chunk ' + i"])) + (chance(0.2) ? push("'more'") : '');
  const end = chance(0.1) ? `this.destroy(${chance(0.5) ? error() : ''});` : push('null');
  list.push(method('read', '', `${said(name, 'read', `n_${name}`)} const i = n_${name}++; if (i < ${1 + below(4)}) { ${chunks} } else { ${end} }`));
  if (chance(0.3)) list.push(destroys(name));
  if (chance(0.1)) list.push(constructs(name));
  lines.push(`let n_${name} = 0;`, `const ${name} = new Readable({ ${list.join(', ')} });`);
}

function writable(name) {
  const list = settings();
  const outcome = chance(0.08) ? later(`done(${error()})`) : later('done()');
  list.push(method('write', 'chunk, encoding, done', `${said(name, 'write', 'String(chunk)')} ${outcome}`));
  if (chance(0.3)) list.push(finishes(name));
  if (chance(0.3)) list.push(destroys(name));
  if (chance(0.25)) list.push(method('writev', 'chunks, done', `${said(name, 'writev', 'chunks.length')} ${later('done()')}`));
  if (chance(0.1)) list.push(constructs(name));
  lines.push(`const ${name} = new Writable({ ${list.join(', ')} });`);
}

function transform(name) {
  const list = settings();
  if (chance(0.25)) {
    lines.push(`const ${name} = new PassThrough({ ${list.join(', ')} });`);
    return;
  }
  const outcome = chance(0.06) ? later(`done(${error()})`) : later('done(null, chunk)');
  list.push(method('transform', 'chunk, encoding, done', `${said(name, 'transform', 'String(chunk)')} ${chance(0.3) ? "this.push('+');" : ''} ${outcome}`));
  if (chance(0.3)) list.push(method('flush', 'done', `${said(name, 'flush')} ${later("done(null, 'end')")}`));
  lines.push(`const ${name} = new Transform({ ${list.join(', ')} });`);
}

function duplex(name) {
  const list = settings().filter((item) => !item.includes('objectMode'));
  if (chance(0.3)) list.push('allowHalfOpen: false');
  list.push(method('read', '', `${said(name, 'read')} const i = n_${name}++; if (i < ${1 + below(3)}) { ${later("this.push('d' + i)")} } else { ${later('this.push(null)')} }`));
  list.push(method('write', 'chunk, encoding, done', `${said(name, 'write', 'String(chunk)')} ${later('done()')}`));
  if (chance(0.3)) list.push(finishes(name));
  lines.push(`let n_${name} = 0;`, `const ${name} = new Duplex({ ${list.join(', ')} });`);
}

function several(make, prefix, count) {
  return Array.from({ length: count }, (_, i) => {
    make(`${prefix}${i}`);
    return `${prefix}${i}`;
  });
}
const sources = several(readable, 'r', 1 + below(2));
const sinks = several(writable, 'w', 1 + below(2));
const transforms = several(transform, 't', below(3));
const duplexes = several(duplex, 'd', below(2));
const all = [...sources, ...sinks, ...transforms, ...duplexes];
const readers = [...sources, ...transforms, ...duplexes];
const writers = [...sinks, ...transforms, ...duplexes];

for (const name of all) {
  const events = ['close', 'end', 'finish', 'drain', 'pipe', 'unpipe', 'pause', 'resume'].filter(() => chance(0.75));
  lines.push(`${name}.on('error', (e) => log('${name} error', e.message, e.code));`, `listen('${name}', ${name}, '${events.join(' ')}');`);
}

// ---- what is done with them ----

const actions = {
  data: (r) => `${r}.on('data', (chunk) => log('${r} data', String(chunk)));`,
  readable: (r) => `${r}.on('readable', () => { let chunk; log('${r} readable'); while ((chunk = ${r}.read(${pick(['', '', '1', '2'])})) !== null) log('${r} got', String(chunk)); });`,
  read: (r) => `log('${r}.read', String(${r}.read(${pick(['', '0', '1'])})));`,
  // What is piped into itself may go round for ever.
  pipe(r, w) {
    const options = chance(0.2) ? ', { end: false }' : '';
    return r === w ? '' : `${r}.pipe(${w}${options});`;
  },
  unpipe: (r) => `${r}.unpipe();`,
  write: (r, w) => `log('${w}.write', ${w}.write('${pick(['1', '22', '333', 'abcdefgh'])}'${chance(0.5) ? `, (e) => log('${w} written', e && e.message)` : ''}));`,
  writes: (r, w) => `for (let i = 0; i < ${2 + below(3)}; i++) log('${w}.write', ${w}.write('n' + i));`,
  cork: (r, w) => `${w}.cork(); ${w}.write('c1'); ${w}.write('c2'); ${later(`${w}.uncork()`)}`,
  end: (r, w) => `${w}.end(${pick(['', "'last'", "'last', (e) => log('ended', e && e.message)"])});`,
  endAll: () => `rounds(20, () => { for (const stream of [${writers.join(', ')}]) if (!stream.writableEnded) stream.end(); });`,
  pause: (r) => `${r}.pause();`,
  resume: (r) => `${r}.resume();`,
  pauseResume: (r) => `${r}.pause(); ${later(`${r}.resume()`)}`,
  destroy: () => `${pick(all)}.destroy(${chance(0.5) ? error() : ''});`,
  pipeline: () => `pipeline(${[pick(sources), ...transforms.filter(() => chance(0.6)), pick(sinks)].join(', ')}, (e) => log('pipeline', ${failure('e')}));`,
  finished: (r, w, s) => `finished(${s}, (e) => log('${s} finished', ${failure('e')}));`,
  iterate: (r) => `(async () => { try { for await (const chunk of ${r}) { log('${r} item', String(chunk)); ${chance(0.2) ? 'break;' : ''} ${chance(0.3) ? 'await null;' : ''} } ` +
    `log('${r} iterated'); } catch (e) { log('${r} iteration', ${failure('e')}); } })();`,
  unshift: (r) => `if (!${r}.readableEnded && !${r}.destroyed) ${r}.unshift('u');`,
  encoding: (r) => `${r}.setEncoding('utf8');`,
  promise: () => `promises.pipeline(${pick(sources)}, ${pick(sinks)}).then(() => log('kept'), (e) => log('refused', ${failure('e')}));`,
  operator: () => {
    const call = pick(["map((x) => String(x) + '!').toArray()", "take(1).forEach((x) => log('each', String(x)))", "filter(() => true).reduce((a, b) => a + String(b), '')"]);
    return `${pick(sources)}.${call}.then((value) => log('operated', String(value)), (e) => log('operator', ${failure('e')}));`;
  },
  tick: () => `process.nextTick(() => log('tick ${++label}'));`,
  microtask: () => `queueMicrotask(() => log('microtask ${++label}'));`,
  immediate: () => `setImmediate(() => log('immediate ${++label}'));`,
  readState: (r) => `log('${r}', ${r}.readableFlowing, ${r}.readableLength, ${r}.readableEnded, ${r}.destroyed, ${r}.closed, ${r}.readable);`,
  writeState: (r, w) => `log('${w}', ${w}.writableLength, ${w}.writableEnded, ${w}.writableFinished, ${w}.writableNeedDrain, ${w}.destroyed, ${w}.closed, ${w}.writable);`,
  deaf: (r) => `${r}.removeAllListeners('${pick(['data', 'readable'])}');`,
};
const places = [(code) => code, (code) => code, (code) => code, (code) => `process.nextTick(() => { ${code} });`,
  (code) => `setImmediate(() => { ${code} });`, (code) => `Promise.resolve().then(() => { ${code} });`];

for (let i = 3 + below(8); i > 0; i--) {
  const action = actions[pick(Object.keys(actions))](pick(readers), pick(writers), pick(all));
  lines.push(pick(places)(`attempt(() => { ${action} });`));
}

console.log(`'use strict';
const { Readable, Writable, Transform, PassThrough, Duplex, pipeline, finished } = require('stream');
const promises = require('stream/promises');
const log = (...args) => console.log(args.map(String).join(' '));
const listen = (name, stream, events) => events.split(' ').forEach((event) => stream.on(event, () => log(name, event)));
const rounds = (left, callback) => setImmediate(() => (left === 0 ? callback() : rounds(left - 1, callback)));
function attempt(callback) {
  try {
    callback();
  } catch (e) {
    log('threw', ${failure('e')});
  }
}
process.on('uncaughtException', (e) => log('uncaught', ${failure('e')}));
process.on('unhandledRejection', (e) => log('unhandled', ${failure('e')}));
${lines.join('\n')}
rounds(60, () => {
  for (const [name, s] of Object.entries({ ${all.join(', ')} })) {
    log(name, s.destroyed, s.closed, s.readableEnded, s.writableFinished, s.readableLength, s.writableLength, s.readableFlowing);
  }
});`);
