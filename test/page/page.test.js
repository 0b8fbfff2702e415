'use strict';
// The page in a real browser: it opens from disk without an error, zooms, finds, explains, steps.

const { assert, finish, mustRun, open, rota, run, scratch, test } = require('./harness.js');
const fs = require('fs');
const path = require('path');

const file = path.join(scratch, 'page.html');
mustRun(rota, [`--timeline=${file}`, path.join(__dirname, 'program.js')]);

// Where an event lies on the screen.
const placeOf = (page, name) => page.evaluate((wanted) => {
  const { lanes, view, nameOf } = window.timeline;
  for (const lane of lanes) {
    for (const series of [lane.events, lane.under]) {
      for (const i of series.items) if (nameOf(i) === wanted) return window.timeline.placeOf(lane, i);
    }
  }
  return null;
}, name);

test('one file, which loads nothing else', () => {
  const text = fs.readFileSync(file, 'utf8');
  assert.ok(!/(?:src|href)\s*=\s*["']?(?!#)/.test(text.replace(/<script type="text\/plain"[^]*?<\/script>/, '')));
  assert.ok(!/https?:\/\//.test(text));
  assert.deepStrictEqual(fs.readdirSync(scratch).filter((name) => name.includes('trace')), []);
});

test('it opens, without an error', async () => {
  const page = await open(file);
  assert.deepStrictEqual(page.problems, []);
  const text = await page.locator('#summary').innerText();
  for (const wanted of ['The loop was busy for', 'What took the loop\u2019s time', 'blocksTheLoop', 'It waited', 'because of', 'Warnings', ' jobs, longest']) {
    if (wanted === '20 jobs') assert.match(text, /2[0-9] jobs/);
    else assert.ok(text.includes(wanted), `${wanted} in: ${text}`);
  }
  const labels = await page.evaluate(() => window.timeline.lanes.map((lane) => lane.label));
  for (const wanted of ['outside', 'timers', 'poll', 'check']) assert.ok(labels.includes(wanted), `${wanted} in ${labels}`);
  assert.ok(labels.some((label) => label.startsWith('thread ')));
  await page.close();
});

// Together they would look half busy.
test('a loop that never waits is busy all the time, whatever the loops of other threads do', async () => {
  const busy = path.join(scratch, 'busy.js'), made = path.join(scratch, 'busy.html');
  fs.writeFileSync(busy, `const worker = new (require('worker_threads').Worker)('setInterval(() => {}, 1000)', { eval: true });
    worker.on('online', () => {
      const end = performance.now() * 5 + 400; // it has waited for the worker until now
      (function spin() { if (performance.now() < end) setImmediate(spin); else worker.terminate(); })();
    });`);
  mustRun(rota, [`--timeline=${made}`, busy]);
  const page = await open(made);
  const text = await page.locator('#summary > div').first().innerText();
  assert.ok(Number(text.match(/busy for\s+(\S+) %/)[1]) > Number(text.match(/Loops of other threads: (\S+) % of/)[1]) + 30, text);
  await page.close();
});

// Its end is never recorded.
test('a callback that ends the process, or is killed with it, took its time', async () => {
  const ends = path.join(scratch, 'ends.js'), made = path.join(scratch, 'ends.html'), trace = path.join(scratch, 'ends.json');
  const late = 'for (const end = Date.now() + 20; Date.now() < end;);'; // the timer runs before the first iteration
  for (const [main, end] of [['', 'process.exit(0)'], ['', "process.kill(process.pid, 'SIGKILL')"], [late, "process.kill(process.pid, 'SIGKILL')"]]) {
    fs.writeFileSync(ends, `setTimeout(function endsIt() { for (const end = Date.now() + 300; Date.now() < end;); ${end}; }, 5); ${main}`);
    run(rota, [`--trace=${trace}`, ends]);
    mustRun(rota, ['timeline', trace, '-o', made]);
    const page = await open(made);
    assert.deepStrictEqual(page.problems, []);
    const text = await page.locator('#summary').innerText();
    assert.match(text, /blocked by endsIt\s+\d{3} ms/);
    assert.match(text, /endsIt \S*ends\.js:1\s+1\s+\d{3} ms/);
    assert.match(text, /busy for\s+\d+\.\d %/);
    await page.close();
  }
  for (const made of ['ends.json', 'ends.html']) fs.rmSync(path.join(scratch, made));
});

test('zooms by wheel, by key and by button, and moves', async () => {
  const page = await open(file);
  const span = () => page.evaluate(() => window.timeline.view.to - window.timeline.view.from);
  const all = await span();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, -600);
  await page.waitForFunction((before) => window.timeline.view.to - window.timeline.view.from < before * .8, all);
  const wheeled = await span();
  await page.locator('#chart').focus();
  await page.keyboard.press('+');
  assert.ok(await span() < wheeled * .6);
  const from = await page.evaluate(() => window.timeline.view.from);
  await page.keyboard.press('ArrowRight');
  assert.ok(await page.evaluate(() => window.timeline.view.from) > from);
  await page.mouse.down();
  await page.mouse.move(500, 500, { steps: 4 });
  await page.mouse.up();
  assert.ok(await page.evaluate(() => window.timeline.view.from) > from);
  await page.getByRole('button', { name: 'All' }).click();
  assert.ok(Math.abs(await span() - all) < all * .01);
  await page.close();
});

test('finds a callback by its name, and by its file', async () => {
  const page = await open(file);
  await page.keyboard.press('/');
  await page.keyboard.type('firstImm');
  assert.strictEqual(await page.locator('#found').innerText(), '1 found');
  await page.keyboard.press('Enter');
  const told = await page.locator('#status').innerText();
  assert.match(told, /^firstImmediate: .*program\.js:\d+; check: check/);
  await page.locator('#query').fill('program.js');
  assert.match(await page.locator('#found').innerText(), /^\d\d? found$/);
  await page.close();
});

test('the card under the mouse says what, how long and where', async () => {
  const page = await open(file);
  const at = await placeOf(page, 'blocksTheLoop');
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.move(box.x + at.x, box.y + at.y);
  await page.locator('#card').waitFor();
  const text = await page.locator('#card').innerText();
  assert.match(text, /^blocksTheLoop\n/);
  assert.match(text, /program\.js:11/);
  assert.match(text, /\d+(\.\d+)? ms late/);
  await page.close();
});

test('steps through the program, with its queues', async () => {
  const page = await open(file);
  await page.keyboard.press('e');
  assert.match(await page.locator('#position').innerText(), /^callback 1 of \d+$/);
  const seen = [];
  for (let i = 0; i < 60; i++) {
    const story = await page.locator('#story').innerText();
    const queues = await page.locator('#queues').innerText();
    const name = story.split('\n').filter(Boolean)[1].split(':')[0];
    seen.push(name);
    if (name === 'blocksTheLoop') {
      assert.match(story, /phase timers\. Timers that are due run now/i);
      assert.match(queues, /ticks, drained after it \(1\)\s+1, the first: tickAfterwards/);
      assert.match(queues, /microtasks, drained after it \(1\)\s+[1-9]/);
    }
    if (name === 'main script') assert.match(story, /Outside of the loop/);
    const before = await page.locator('#position').innerText();
    await page.keyboard.press('.');
    if (await page.locator('#position').innerText() === before) break;
  }
  const order = ['main script', 'blocksTheLoop', 'lastOne'].map((name) => seen.indexOf(name));
  assert.ok(order.every((at, i) => at >= 0 && (i === 0 || at > order[i - 1])), `${seen}`);
  assert.ok(seen.includes('firstImmediate') && seen.includes('onStat') && seen.includes('onKey'), `${seen}`);
  await page.keyboard.press(',');
  await page.close();
});

test('light and dark, with enough contrast', async () => {
  for (const colorScheme of ['light', 'dark']) {
    const page = await open(file, { colorScheme });
    assert.strictEqual(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    const worst = await page.evaluate(() => {
      const canvas = document.createElement('canvas').getContext('2d');
      const light = (color) => {
        canvas.fillStyle = color;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => (v /= 255, v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4));
        return .2126 * r + .7152 * g + .0722 * b;
      };
      const style = getComputedStyle(document.documentElement), of = (name) => light(style.getPropertyValue(name));
      const ratio = (a, b) => (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
      // Text on the page, and names of events on their colours.
      return Math.min(ratio(of('--front'), of('--back')), ratio(of('--quiet'), of('--back')), ratio(of('--strong'), of('--lane')),
        ...['timers', 'pending', 'prepare', 'poll', 'check', 'closing', 'job', 'span', 'ring'].map((c) => ratio(of(`--${c}`), of('--back'))));
    });
    assert.ok(worst >= 4, `${colorScheme}: ${worst}`);
    await page.close();
  }
});

test('for keyboard and screen reader: names, roles, a live line', async () => {
  const page = await open(file);
  assert.strictEqual(await page.locator('#chart').getAttribute('role'), 'application');
  assert.strictEqual(await page.locator('#status').getAttribute('aria-live'), 'polite');
  for (const name of ['Step', 'All', 'Theme', 'Keys']) await page.getByRole('button', { name }).waitFor();
  await page.getByRole('searchbox', { name: 'Find' }).waitFor();
  await page.keyboard.press('!');
  assert.match(await page.locator('#status').innerText(), /^(main script|blocksTheLoop): /);
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement.id === 'chart')) break;
  }
  assert.strictEqual(await page.evaluate(() => document.activeElement.id), 'chart');
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
  await page.close();
});

test('a callback tells who has scheduled it, and what made it late; [ and ] walk along', async () => {
  const page = await open(file);
  const select = (name) => page.evaluate((wanted) => window.timeline.show(window.timeline.calls.find((i) => window.timeline.nameOf(i) === wanted)), name);
  await select('lastOne');
  const text = await page.locator('#content').innerText();
  assert.match(text, /^lastOne\n[^]*Scheduled by\s+onStat [^\n]*\n+main script /);
  await page.keyboard.press('[');
  assert.match(await page.locator('#content').innerText(), /^onStat\n[^]*Has scheduled\s+lastOne /);
  await page.keyboard.press('[');
  assert.match(await page.locator('#content h3').innerText(), /^main script$/);
  await select('onStat');
  assert.match(await page.locator('#content').innerText(), /late because of\s+(blocksTheLoop|main script) /);
  await page.getByRole('tab', { name: 'Delays' }).click();
  assert.match(await page.locator('#content').innerText(), /because of[^]*blocksTheLoop/);
  await page.close();
});

test('statistics of what is in view, and of a marked range', async () => {
  const page = await open(file);
  await page.getByRole('tab', { name: 'In view' }).click();
  assert.match(await page.locator('#content').innerText(), /What is in view[^]*By phase[^]*p99[^]*timers[^]*By callback[^]*waited[^]*blocksTheLoop/);
  const box = await page.locator('#chart').boundingBox();
  await page.keyboard.down('Shift');
  await page.mouse.move(box.x + 200, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 110, { steps: 3 });
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.getByText('The marked range').waitFor();
  await page.keyboard.press('Escape');
  await page.close();
});

test('the card does not outlive what it tells of; the callback of a step is in view', async () => {
  const page = await open(file, { viewport: { width: 1000, height: 600 } });
  const at = await page.evaluate(() => {
    const { timeline } = window, event = timeline.calls.find((i) => timeline.nameOf(i) === 'blocksTheLoop');
    timeline.show(event);
    return new Promise((done) => requestAnimationFrame(() => done(timeline.placeOf(timeline.lanes.find((l) => l.events.items.includes(event)), event))));
  });
  const box = await page.locator('#chart').boundingBox();
  assert.ok(at.y > 0 && at.y < box.height, 'its lane is in view');
  await page.mouse.move(box.x + at.x, box.y + at.y);
  await page.locator('#card').waitFor();
  await page.evaluate(() => { // the middle of the main script: nothing else runs then
    const { timeline } = window;
    const middle = timeline.middleOf(timeline.calls.find((i) => timeline.nameOf(i) === 'main script'));
    timeline.setView(middle - 1e5, middle + 1e5);
  });
  await page.waitForFunction(() => document.getElementById('card').hidden || !document.getElementById('card').innerText.startsWith('blocksTheLoop'));
  await page.close();
});

test('a callback and its microtasks are one warning; its threshold can be chosen', async () => {
  const loop = path.join(scratch, 'loop.js'), loopPage = path.join(scratch, 'loop.html');
  fs.writeFileSync(loop, `setTimeout(function starter() {
    const end = performance.now() + 200;
    (function again() { if (performance.now() < end) Promise.resolve().then(again); })();
  }, 100);`);
  assert.strictEqual(run(rota, [`--timeline=${loopPage}`, loop]).status, 0);
  const page = await open(loopPage);
  const found = () => page.evaluate(() => window.timeline.warnings.map((i) => window.timeline.nameOf(i)).filter((name) => name !== 'main script'));
  assert.deepStrictEqual(await found(), ['microtasks']);
  assert.match(await page.locator('#summary').innerText(), /starved by microtasks of starter/);
  await page.locator('#threshold').selectOption('1000');
  assert.deepStrictEqual(await found(), []);
  await page.close();
});

// What a look at it would find: nothing beside the window, nothing on top of another, and something drawn. The pictures are kept
// if somebody names a directory for them.
test('on a phone, a laptop and a wide screen, light and dark', async () => {
  for (const [width, height] of [[390, 844], [1366, 768], [2560, 1300]]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await open(file, { viewport: { width, height }, colorScheme });
      await page.evaluate(() => window.timeline.choose(window.timeline.calls.find((i) => window.timeline.nameOf(i) === 'lastOne')));
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `timeline-${width}-${colorScheme}.png`), fullPage: width < 900 });
      const seen = await page.evaluate(() => {
        const boxes = [...document.querySelectorAll('header button, header select, header input')].map((e) => e.getBoundingClientRect());
        const overlap = (p, q) => p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1;
        const colorsOf = (canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height), colors = new Set();
          for (let i = 0; i < data.length; i += 4 * 97) colors.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
          return colors.size;
        };
        const chart = document.getElementById('chart');
        return {
          beside: document.documentElement.scrollWidth - window.innerWidth,
          collisions: boxes.filter((p, i) => boxes.some((q, k) => k > i && overlap(p, q))).length,
          narrow: [...document.querySelectorAll('#summary > div')].filter((div) => div.clientWidth < 150).length,
          chart: chart.clientHeight, chartColors: colorsOf(chart), stripColors: colorsOf(document.getElementById('overview')),
        };
      });
      const words = `${width} ${colorScheme}: ${JSON.stringify(seen)}`;
      assert.ok(seen.beside <= 0 && seen.collisions === 0 && seen.narrow === 0, words);
      assert.ok(seen.chart >= 200 && seen.chartColors >= 6 && seen.stripColors >= 3, words);
      assert.deepStrictEqual(page.problems, []);
      await page.close();
    }
  }
});

test('an error that nobody caught is shown', async () => {
  const failing = path.join(scratch, 'failing.js'), failingPage = path.join(scratch, 'failing.html');
  fs.writeFileSync(failing, 'setTimeout(function fails() {\n  throw new TypeError("not what it should be");\n}, 1);\n');
  assert.strictEqual(run(rota, [`--timeline=${failingPage}`, failing]).status, 1);
  const page = await open(failingPage);
  assert.ok((await page.locator('#summary').innerText()).includes('uncaught error: TypeError: not what it should be'));
  await page.close();
});

test('of five files of one batch, the callback that took long is blamed', async () => {
  const batch = path.join(scratch, 'batch.js'), batchPage = path.join(scratch, 'batch.html');
  fs.writeFileSync(batch, `
    function innocentA() {} function innocentB() {} function innocentC() {} function innocentD() {}
    function guilty() { for (const end = performance.now() + 300; performance.now() < end;); }
    for (const each of [innocentA, innocentB, guilty, innocentC, innocentD]) require('fs').readFile(__filename, each);`);
  assert.strictEqual(run(rota, [`--timeline=${batchPage}`, batch]).status, 0);
  const page = await open(batchPage);
  const rows = (await page.locator('#summary table tr').allInnerTexts()).filter((row) => /(guilty|innocent\w) .*batch.js:/.test(row));
  assert.match(rows[0], /^guilty .*batch\.js:3\s+1\s+(3\d\d|[4-9]\d\d|\d\.\d+) m?s/);
  assert.ok(rows.length > 1 && rows.slice(1).every((row) => row.startsWith('innocent')), rows.join('\n'));
  await page.close();
});

test('samples are a strip of stacks below their callback', async () => {
  const head = '[{"ph":"M","name":"rota","pid":1,"args":{"version":"0.1.0","format":1,"start_ns":1}}';
  const call = { ph: 'X', pid: 1, tid: 1, ts: 1000, dur: 40000, cat: 'call', name: 'handle', args: { phase: 'timers', on: 'timer', id: 7 } };
  const sample = (ms, stack) => ({ ph: 'i', pid: 1, tid: 1, ts: ms * 1000, cat: 'sample', name: 'x', args: { in: 7, stack } });
  const events = [call, sample(10, ['handle (/a.js:1)', 'parse (/a.js:3)']), sample(20, ['handle (/a.js:1)', 'parse (/a.js:4)', 'deep (/a.js:9)']),
    sample(30, ['handle (/a.js:2)', 'render (/a.js:6)'])];
  const strip = path.join(scratch, 'strip.json'), stripPage = path.join(scratch, 'strip.html');
  fs.writeFileSync(strip, `${head}\n${events.map((event) => `,${JSON.stringify(event)}`).join('\n')}\n]\n`.replace(/\n,/g, ',\n'));
  mustRun(rota, ['timeline', strip, '-o', stripPage]);
  const page = await open(stripPage);
  const bars = await page.evaluate(() => window.timeline.lanes.filter((lane) => lane.slim).map((lane) => Array.from(lane.events.items, (i) => {
    const middle = window.timeline.middleOf(i);
    return `${window.timeline.nameOf(i)} ${Math.round(middle / 1e5) / 10}`;
  })));
  assert.deepStrictEqual(bars, [['handle 15.5'], ['parse 10.5', 'render 25'], ['deep 15']]);
  const at = await page.evaluate(() => { const lane = window.timeline.lanes.find((l) => l.slim); return window.timeline.placeOf(lane, lane.events.items[0]); });
  const box = await page.locator('#chart').boundingBox();
  await page.mouse.move(box.x + at.x, box.y + at.y);
  await page.locator('#card').waitFor();
  assert.match(await page.locator('#card').innerText(), /^handle\n[^]*\/a\.js:1[^]*3 samples/);
  assert.deepStrictEqual(page.problems, []);
  await page.close();
});

test('a pool that is full is shown, and the page bears the name of the script', async () => {
  const crowded = path.join(scratch, 'crowded.js'), crowdedPage = path.join(scratch, 'crowded.html');
  fs.writeFileSync(crowded, `function again(err) { if (err) throw err; }
for (let i = 0; i < 3; i++) require('crypto').scrypt('secret', 'salt', 64, { N: 65536, maxmem: 1 << 28 }, again);`);
  assert.strictEqual(run(rota, [`--timeline=${crowdedPage}`, crowded], { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } }).status, 0);
  const page = await open(crowdedPage);
  assert.match(await page.locator('#summary').innerText(), /the pool was full: (a job|[23] jobs) waited\s+\d/);
  assert.strictEqual(await page.locator('#file').innerText(), 'crowded.js');
  await page.close();
});

// The iteration in which the process ended is not in the trace; the waits and calls in it are.
test('how busy the loop was counts its last iteration, too, and an end by a signal is an end', async () => {
  const head = '[{"ph":"M","name":"rota","pid":1,"args":{"version":"0.1.0","format":1,"start_ns":1}},\n{"ph":"M","name":"rota_loop","pid":1,"tid":1,"args":{"loop":1}}';
  const event = (tid, cat, name, from, to, args) => ({ ph: 'X', pid: 1, tid, ts: from * 1000, dur: (to - from) * 1000, cat, name, args });
  const iteration = (n, from, to, waited) => event(9, 'iteration', 'iteration', from, to, { loop: 1, number: n, calls: 1, waited_us: waited * 1000 });
  const round = [event(1, 'wait', 'wait', 0, 60, { events: 1 }), event(1, 'call', 'handle', 60, 100, { phase: 'poll', on: 'tcp' }),
    event(10, 'phase', 'poll', 0, 100, { loop: 1, calls: 1 }), iteration(1, 0, 100, 60)];
  const end = { ph: 'M', pid: 1, tid: 0, name: 'rota_end', args: { events: 4, dropped: 0 } };
  const still = { ph: 'i', pid: 1, tid: 1, ts: 500e3, s: 't', cat: 'rota', name: 'still waiting', args: { for_us: 400e3 } };
  for (const [events, busy, isWhole] of [
    [[...round, end], '40.0 %', true],
    [[...round, event(1, 'wait', 'wait', 100, 300, { events: 1 })], '13.3 %', false], // woken, and ended before the iteration was
    [[...round, event(1, 'wait', 'wait', 100, 500, { events: 1 }), event(1, 'call', 'handle', 500, 744, { phase: 'poll', on: 'tcp' })], '38.2 %', false],
    [[...round, still, end], '8.0 %', true],
    [[...round, still, event(1, 'wait', 'wait', 100, 600, { events: 0 }), iteration(2, 100, 600, 500), end], '6.7 %', true], // and went on
  ]) {
    const made = path.join(scratch, 'rounds.json'), madePage = path.join(scratch, 'rounds.html');
    fs.writeFileSync(made, `${[head, ...events.map((each) => JSON.stringify(each))].join(',\n')}\n]\n`);
    mustRun(rota, ['timeline', made, '-o', madePage]);
    const page = await open(madePage);
    const text = await page.locator('#summary').innerText();
    assert.strictEqual(text.match(/busy for\s+(\S+ %)/)[1], busy, text);
    assert.strictEqual(text.includes('The file breaks off'), !isWhole);
    assert.deepStrictEqual(page.problems, []);
    await page.close();
  }
});

finish();
