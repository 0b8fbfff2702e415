'use strict';
// A trace of a million events: the page opens within a few seconds, and pans and zooms smoothly. How fast it is on this machine is
// printed; the limits are what no machine exceeds unless the page does work for every event, and again for every frame.

const { assert, finish, mustRun, open, rota, scratch, test } = require('./harness.js');
const fs = require('fs');
const path = require('path');

const EVENTS = 1000000;
const trace = path.join(scratch, 'large.json'), file = path.join(scratch, 'large.html');

// As the library writes them: iterations with a wait, calls with ticks, and jobs on four threads.
function writeTrace() {
  const fd = fs.openSync(trace, 'w');
  let text = '[{"ph":"M","name":"rota","pid":1,"args":{"version":"0.1.0","format":1,"start_ns":1}}';
  let written = 0, at = 0, iteration = 0, seed = 1;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const put = (tid, ts, dur, cat, name, args) => {
    text += `,\n{"ph":"X","pid":1,"tid":${tid},"ts":${ts.toFixed(3)},"dur":${dur.toFixed(3)},"cat":"${cat}","name":"${name}","args":${args}}`;
    written++;
    if (text.length > 1 << 20) {
      fs.writeSync(fd, text);
      text = '';
    }
  };
  while (written < EVENTS) {
    const begin = at;
    put(1, at, 20 * random(), 'wait', 'wait', '{"events":3}');
    at += 21;
    const phase = at;
    for (let i = 0; i < 4; i++) {
      const lasts = 2 + 30 * random() ** 4;
      put(1, at, lasts, 'call', `callback${Math.floor(random() * 300)}`, '{"phase":"poll","on":"tcp","file":"/app/server.js","line":12,"fd":9}');
      if (i % 2 === 0) put(1, at + lasts * .6, lasts * .3, 'drain', 'ticks', '{"count":2}');
      if (i === 3) put(2 + Math.floor(random() * 4), at, 12 * random(), 'job', 'read', '{"kind":"file","queue_us":4.2}');
      at += lasts + .3;
    }
    put(9, phase, at - phase, 'phase', 'poll', '{"loop":1,"calls":4}');
    put(8, begin, at - begin, 'iteration', 'iteration', `{"loop":1,"number":${++iteration},"calls":4,"waited_us":9}`);
  }
  fs.writeSync(fd, `${text},\n{"ph":"M","pid":1,"tid":0,"name":"rota_end","args":{"events":${written},"dropped":0}}\n]\n`);
  fs.closeSync(fd);
}

const middle = (list) => list.slice().sort((x, y) => x - y)[list.length >> 1];

test('a million events become a page', () => {
  writeTrace();
  const began = Date.now();
  mustRun(rota, ['timeline', trace, '-o', file]);
  console.log(`    packed in ${Date.now() - began} ms: ${(fs.statSync(trace).size / 1e6).toFixed(0)} MB of trace, ` +
    `${(fs.statSync(file).size / 1e6).toFixed(1)} MB of page`);
});

test('it opens soon, and moves smoothly', async () => {
  const page = await open(file);
  const opened = page.openedIn;
  // What it took of a processor does not depend on what else the machine does.
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const spent = Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime * 1000));
  assert.strictEqual(await page.evaluate(() => window.timeline.count >= 1000000), true);
  // Pans and zooms through the whole trace; the time between frames is what a user sees, that of drawing what we need.
  const measure = () => page.evaluate(() => new Promise((resolve) => {
    const { view, setView, frames } = window.timeline;
    const between = [], all = view.to - view.from, first = view.from;
    let n = 0, last = performance.now();
    frames.length = 0;
    setView(first, first + all);
    const go = () => {
      const now = performance.now();
      between.push(now - last);
      last = now;
      if (++n >= 120) return resolve({ between, draws: frames.slice() });
      const span = all * (n < 60 ? .25 : .25 ** (1 + (n - 60) / 8)), at = first + all * (.1 + .006 * (n % 60));
      setView(at, at + span);
      requestAnimationFrame(go);
      return undefined;
    };
    requestAnimationFrame(go);
  }));
  const { between, draws } = await measure();
  console.log(`    opened in ${opened} ms; time between frames: middle ${middle(between).toFixed(1)} ms, worst ${Math.max(...between).toFixed(1)} ms; ` +
    `${spent.toFixed(0)} ms of processor time to open; drawing: middle ${middle(draws).toFixed(1)} ms, worst ${Math.max(...draws).toFixed(1)} ms`);
  assert.ok(opened < 25000 && spent < 6000, `opened in ${opened} ms, ${spent} ms of processor time`);
  assert.ok(middle(draws) < 100, `half of the frames are drawn within ${middle(draws)} ms`);
  await page.locator('#query').fill('callback7');
  assert.match(await page.locator('#found').innerText(), /^[\d,]+ found$/);
  await page.close();
});

finish();
