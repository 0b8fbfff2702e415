'use strict';

// When a stream with _construct begins to work, to the tick: for every way in which _construct calls back.

const { Readable, Writable } = require('stream');

const ways = {
  'at once': (call) => call(),
  'in a tick': (call) => process.nextTick(call),
  'in a microtask': (call) => queueMicrotask(call),
  'in an immediate': (call) => setImmediate(call),
};

function ticks(log, label, left, number = 1) {
  if (left === 0) return;
  process.nextTick(() => {
    log(`${label}${number}`);
    ticks(log, label, left - 1, number + 1);
  });
}

async function run(kind, way, what) {
  const seen = [];
  const log = (text) => seen.push(text);
  const construct = function(done) {
    log('construct');
    if (what === 'throws') throw new Error('thrown');
    ways[way](() => {
      if (what === 'destroyed before') this.destroy();
      done(what === 'fails' ? new Error('failed') : undefined);
      log('told');
      if (what === 'destroyed after') this.destroy();
      ticks(log, 't', 4);
    });
  };
  const destroy = (error, done) => {
    log(`_destroy ${error && error.message}`);
    done(error);
  };
  let stream;
  if (kind === Writable) {
    const write = (chunk, encoding, done) => {
      log(`write ${chunk}`);
      done();
    };
    stream = new Writable({ construct, destroy, write });
    stream.write('a', (error) => log(`written ${error && error.message}`));
    stream.end('b', (error) => log(`ended ${error && error.message}`));
  } else {
    const read = function() {
      log('read');
      this.push(null);
    };
    stream = new Readable({ construct, destroy, read }).on('data', () => {}).on('end', () => log('end'));
  }
  stream.on('error', (error) => log(`error ${error.message}`)).on('close', () => log('close'));
  ticks(log, 's', 5);
  await new Promise((resolve) => setTimeout(resolve, 30));
  console.log(`${kind.name} ${way}, ${what}: ${seen.join(' ')}`);
}

(async () => {
  for (const kind of [Readable, Writable]) {
    for (const way of Object.keys(ways)) {
      for (const what of ['well', 'fails', 'destroyed before', 'destroyed after', 'throws']) await run(kind, way, what);
    }
  }
})();
