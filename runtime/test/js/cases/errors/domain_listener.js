'use strict';
// A listener for the errors of a domain that throws: which errors come back to the process, in which order things go on,
// and which end it.
const { spawnSync } = require('child_process');

const kinds = {
  timer(boom, after) { setTimeout(boom, 1); setTimeout(after, 1); },
  immediate(boom, after) { setImmediate(boom); setImmediate(after); setImmediate(after); },
  tick(boom, after) { process.nextTick(boom); process.nextTick(after); },
  sync(boom, after) { process.nextTick(after); boom(); },
  rejection(boom, after) { Promise.reject(new Error('rejected')); process.nextTick(after); },
  microtask(boom, after) { queueMicrotask(boom); queueMicrotask(after); },
  emitter(boom, after) {
    const emitter = new (require('events'))();
    setImmediate(() => { emitter.emit('error', new Error('emitted')); console.log('never'); });
    setImmediate(after);
  },
  intercept(boom, after, domain) { setImmediate(() => domain.intercept(() => {})(new Error('intercepted'))); setImmediate(after); },
  bind(boom, after, domain) { setImmediate(domain.bind(boom)); setImmediate(after); },
  nested(boom, after, domain) {
    const inner = require('domain').create();
    inner.on('error', (error) => { console.log('inner', error.message); throw new Error('inner listener'); });
    inner.run(() => setImmediate(boom));
    setImmediate(after);
  },
};

function child(kind, isHeard) {
  const follow = (name) => {
    Promise.resolve().then(() => console.log(name, 'job'));
    process.nextTick(() => console.log(name, 'tick'));
    setImmediate(() => console.log(name, 'immediate'));
  };
  if (isHeard) process.on('uncaughtException', (error) => { console.log('uncaught', error.message); follow('uncaught'); });
  const domain = require('domain').create();
  domain.on('error', (error) => { console.log('domain', error.message); follow('domain'); throw new Error('from the listener'); });
  const boom = () => { console.log('boom'); follow('boom'); throw new Error('boom'); };
  const after = () => { console.log('after'); follow('after'); };
  domain.run(() => kinds[kind](boom, after, domain));
}

if (process.argv.length > 2) {
  child(process.argv[2], process.argv[3] === 'heard');
} else {
  for (const kind of Object.keys(kinds)) {
    for (const heard of ['heard', 'unheard']) {
      const { stdout, status } = spawnSync(process.execPath, [__filename, kind, heard]);
      console.log(kind, heard, status, String(stdout).split('\n').join(', '));
    }
  }
}
