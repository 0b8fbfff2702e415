'use strict';

// Scenes, run one after the other; each prints one line: the events, with a bar for each tick, a dot for each microtask (after the
// ticks) and an I for each round of immediates in between.

const scenes = [];
let line;

const log = (...words) => line.push(words.join(''));
const told = (error) => (error === undefined ? 'undefined' : error === null ? 'null' : error.code ?? error.message);

function watch(stream, name = '') {
  for (const event of ['close', 'end', 'finish', 'prefinish', 'drain', 'pipe', 'unpipe', 'pause', 'resume']) {
    stream.on(event, () => log(name, `'${event}'`));
  }
  stream.on('error', (error) => log(name, "'error'", told(error)));
  return stream;
}

function play() {
  const next = scenes.shift();
  if (next === undefined) return;
  const [name, body] = next;
  line = [];
  let ticks = 10;
  const tick = () => {
    line.push('|');
    if (--ticks > 0) process.nextTick(tick);
    else queueMicrotask(() => { line.push('.'); queueMicrotask(() => line.push('.')); });
  };
  process.nextTick(tick);
  try {
    body();
  } catch (error) {
    log('threw ', told(error));
  }
  let rounds = 6;
  const round = () => {
    if (rounds-- > 0) {
      line.push('I');
      setImmediate(round);
    } else {
      console.log(`${name}: ${line.join(' ').replace(/( [|.I])+$/, '')}`);
      play();
    }
  };
  setImmediate(round);
}

process.on('uncaughtException', (error) => log('uncaught ', told(error)));
process.on('unhandledRejection', (error) => log('unhandled ', told(error)));
setImmediate(play);

module.exports = {
  log,
  told,
  watch,
  scene: (name, body) => scenes.push([name, body]),
  callback: (name) => (error) => log(name, '(', told(error), ')'),
  // When a stream's own functions answer.
  moments: {
    now: (action) => action(),
    tick: (action) => process.nextTick(action),
    immediate: (action) => setImmediate(action),
  },
};
