'use strict';

// When finished() calls back, asked before, during and after the end of a stream, of both sides or of one.

const { Duplex, PassThrough, Readable, Writable, finished } = require('stream');
const { scene, callback, watch } = require('./support/scenes.js');

const write = (chunk, encoding, done) => process.nextTick(done);
const kinds = {
  Readable: (options) => new Readable({ read() { this.push('a'); this.push(null); }, ...options }),
  Writable: (options) => new Writable({ write, ...options }),
  Duplex: (options) => new Duplex({ read() { this.push(null); }, write, ...options }),
  PassThrough: (options) => new PassThrough(options),
};
const settings = { 'plain': {}, 'without autoDestroy': { autoDestroy: false }, 'without close': { emitClose: false } };
const deeds = {
  'destroyed': (s) => s.destroy(),
  'destroyed with an error': (s) => s.destroy(new Error('mine')),
  'ended and read': (s) => { s.end?.(); s.resume?.(); },
  'ended': (s) => s.end?.(),
  'read': (s) => s.resume?.(),
  'destroyed while writing': (s) => { s.write?.('x', callback('x')); s.write?.('y', callback('y')); s.destroy(new Error('mine')); },
};
const moments = {
  'before': (act, ask) => { ask(); act(); },
  'after': (act, ask) => { act(); ask(); },
  'a tick after': (act, ask) => { act(); process.nextTick(ask); },
  'an immediate after': (act, ask) => { act(); setImmediate(ask); },
};

for (const [kind, make] of Object.entries(kinds)) {
  const sides = kind === 'Duplex' || kind === 'PassThrough' ? [{}, { readable: false }, { writable: false }] : [{}];
  for (const [setting, options] of Object.entries(settings)) {
    for (const [deed, act] of Object.entries(deeds)) {
      for (const [moment, arrange] of Object.entries(moments)) {
        for (const side of sides) {
          scene(`${kind} ${setting}, ${deed}, ${moment}, ${JSON.stringify(side)}`, () => {
            const stream = watch(make(options));
            arrange(() => act(stream), () => finished(stream, side, callback('finished')));
          });
        }
      }
    }
  }
}
