'use strict';

// In which tick a Readable asks its source, tells and ends, however it is read and whenever the source answers.

const { Readable, Writable } = require('stream');
const { log, scene, callback, moments, watch } = require('./support/scenes.js');

// A source that gives a chunk for each character, the end for '.', and an error for '!'.
function source(when, text, options = {}) {
  let i = 0;
  return watch(new Readable({
    read(size) {
      const c = text[i++];
      log('read ', size);
      if (c === undefined) return;
      when(() => {
        if (c === '!') this.destroy(new Error('mine'));
        else log(c, this.push(c === '.' ? null : c));
      });
    },
    ...options,
  }));
}

const flags = ['reading', 'needReadable', 'emittedReadable', 'readableListening', 'resumeScheduled'];
const show = (r) => log('[', [r.readableFlowing, r.readableLength, ...flags.map((name) => r._readableState[name])], ']');
const onData = (r) => r.on('data', (chunk) => log('data ', chunk));
const drain = (r, size) => () => {
  let chunk;
  log('readable');
  while ((chunk = r.read(size)) !== null) log('got ', chunk);
};
const slow = () => watch(new Writable({
  highWaterMark: 1,
  write(chunk, encoding, done) {
    log('write ', chunk);
    setImmediate(done);
  },
}), 'w');
async function iterate(r, isLeft) {
  for await (const chunk of r) {
    log('item ', chunk);
    if (isLeft) break;
  }
}

const deeds = {
  'data': onData,
  'readable': (r) => r.on('readable', drain(r)),
  'readable, one by one': (r) => r.on('readable', drain(r, 1)),
  'readable, two by two': (r) => r.on('readable', drain(r, 2)),
  'readable, nothing read': (r) => r.on('readable', () => log('readable')),
  'read()': (r) => { for (let i = 0; i < 3; i++) log('got ', r.read()); show(r); setImmediate(() => { log('got ', r.read()); show(r); }); },
  'read(0)': (r) => { r.read(0); show(r); setImmediate(() => { r.read(0); show(r); }); },
  'resume and pause': (r) => { r.resume(); r.pause(); show(r); },
  'paused in data': (r) => r.on('data', (chunk) => { log('data ', chunk); r.pause(); setImmediate(() => r.resume()); }),
  'data no more': (r) => { const listener = () => { r.off('data', listener); show(r); }; r.on('data', listener); },
  'readable no more': (r) => {
    const listener = () => {
      log('got ', r.read());
      r.off('readable', listener);
      process.nextTick(show, r);
    };
    r.on('readable', listener);
  },
  'both': (r) => { r.on('readable', drain(r)); onData(r); show(r); },
  'destroyed in data': (r) => r.on('data', (chunk) => { log('data ', chunk); r.destroy(new Error('in data')); }),
  'piped': (r) => r.pipe(slow()),
  'piped twice': (r) => { r.pipe(slow()); r.pipe(slow()); },
  'unpiped': (r) => { const w = slow(); r.pipe(w); setImmediate(() => { r.unpipe(w); show(r); }); },
  'piped to what fails': (r) => {
    const write = (chunk, encoding, done) => setImmediate(done, new Error('sink'));
    r.pipe(watch(new Writable({ write }), 'w'));
  },
  'given back': (r) => { r.unshift('u'); show(r); onData(r); },
  'iterated': (r) => iterate(r, false).then(callback('end'), callback('failed')),
  'iterated, left': (r) => iterate(r, true).then(callback('end'), callback('failed')),
  'pushed from outside': (r) => { log(r.push('x')); onData(r); process.nextTick(() => log(r.push('y'))); },
  'ended from outside': (r) => { r.push('x'); r.push(null); r.on('readable', drain(r)); },
};
const settings = {
  'plain': {},
  'small': { highWaterMark: 1 },
  'keeping nothing': { highWaterMark: 0 },
  'of objects': { objectMode: true, highWaterMark: 2 },
  'of text': { encoding: 'utf8' },
  'without autoDestroy': { autoDestroy: false },
};

for (const [moment, when] of Object.entries(moments)) {
  for (const [setting, options] of Object.entries(settings)) {
    for (const [deed, act] of Object.entries(deeds)) scene(`${moment}, ${setting}, ${deed}`, () => act(source(when, 'ab.', options)));
  }
  scene(`${moment}, failing`, () => onData(source(when, 'a!')));
  const construct = (done) => {
    log('construct');
    when(done);
  };
  scene(`${moment}, with construct`, () => onData(source(when, 'ab.', { construct })));
}
