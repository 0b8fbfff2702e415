'use strict';
// The flame graph of the page: what is in view, by callbacks and by the functions that samples saw; by mouse and by keyboard. And the page's
// warning of a full pool, which has the rule of `rota diagnose`.

const { assert, finish, mustRun, open, rota, run, scratch, test } = require('./harness.js');
const fs = require('fs');
const path = require('path');

const head = '[{"ph":"M","name":"rota","pid":1,"args":{"version":"0.1.0","format":1,"start_ns":1}}';

function pageOf(name, events) {
  const [trace, page] = ['json', 'html'].map((end) => path.join(scratch, `${name}.${end}`));
  fs.writeFileSync(trace, `${[head, ...events.map((event) => JSON.stringify({ pid: 1, tid: 1, ...event }))].join(',\n')}\n]\n`);
  const { stderr } = mustRun(rota, ['timeline', trace, '-o', page]);
  return { page, stderr, trace };
}

const call = (name, ts, dur, id) => ({ ph: 'X', ts, dur, cat: 'call', name, args: { phase: 'timers', on: 'timer', id, file: '/srv/a.js', line: 1 } });
const sample = (id, ms, stack) => ({ ph: 'i', ts: ms * 1000, cat: 'sample', name: 'x', args: { in: id, stack } });
const { page: file } = pageOf('flame', [
  call('handle', 0, 40000, 7), sample(7, 10, ['handle (/srv/a.js:1)', 'parse (/srv/a.js:3)']), sample(7, 20, ['handle (/srv/a.js:1)', 'parse (/srv/a.js:4)', 'deep (/srv/a.js:9)']),
  sample(7, 30, ['handle (/srv/a.js:2)', 'render (/srv/a.js:6)']), call('small', 50000, 10000, 8), call('handle', 100000, 50000, 9), sample(9, 120, ['handle (/srv/a.js:1)', 'parse (/srv/a.js:3)']), sample(8, 55, ['inner (/srv/a.js:7)']),
]);

// "text left width" of each row's bars, in percent.
const rowsOf = (page) => page.evaluate(() => [...document.querySelectorAll('.flames')].map((row) => [...row.children].map((bar) => `${bar.title.split(' ')[0]} ${Math.round(parseFloat(bar.style.left))} ${Math.round(parseFloat(bar.style.width))}`)));
const focused = (page) => page.evaluate(() => document.activeElement.title);
const whole = [['all 0 100'], ['handle 0 90', 'small 90 10'], ['parse 0 40', 'render 40 10', 'inner 90 5'], ['deep 0 10']];

test('each bar is as wide as its share, below what called it', async () => {
  const page = await open(file);
  await page.locator('[data-tab="flame"]').click();
  assert.deepStrictEqual(await rowsOf(page), whole);
  assert.match(await page.locator('#content').innerText(), /^all callbacks: 100 ms of 150 ms in view/);
  await page.locator('.flame', { hasText: 'parse' }).hover();
  assert.match(await page.locator('.about').innerText(), /^parse srv\/a\.js:3: 40\.0 ms, 40 %, 2 times, longest 20\.0 ms$/);
  await page.locator('.flame', { hasText: 'handle' }).click();
  assert.deepStrictEqual(await rowsOf(page), [['all 0 100'], ['handle 0 100'], ['parse 0 44', 'render 44 11'], ['deep 0 11']]);
  await page.locator('.flame', { hasText: 'all callbacks' }).click();
  assert.deepStrictEqual(await rowsOf(page), whole);
  await page.locator('.about .link').count().then((n) => assert.strictEqual(n, 0));
  assert.deepStrictEqual(page.problems, []);
  await page.close();
});

test('it shows what is in view, and follows', async () => {
  const page = await open(file);
  await page.keyboard.press('g');
  assert.strictEqual((await rowsOf(page)).length, 4);
  await page.evaluate(() => window.timeline.setView(45e6, 115e6));
  await page.waitForFunction(() => document.querySelectorAll('.flames').length === 3);
  assert.deepStrictEqual(await rowsOf(page), [['all 0 100'], ['handle 0 60', 'small 60 40'], ['parse 0 60', 'inner 60 20']]);
  await page.evaluate(() => window.timeline.setView(62e6, 90e6));
  await page.waitForFunction(() => document.querySelectorAll('.flames').length === 0);
  assert.match(await page.locator('#content').innerText(), /^all callbacks: 0 ns of 28\.0 ms in view/);
  assert.deepStrictEqual(page.problems, []);
  await page.close();
});

test('by keyboard: arrows go from bar to bar, Enter zooms, Backspace goes back', async () => {
  const page = await open(file);
  await page.keyboard.press('g');
  await page.locator('.flame').first().focus();
  const press = async (key) => { await page.keyboard.press(key); return focused(page); };
  assert.match(await press('ArrowDown'), /^handle srv\/a\.js:1: 90\.0 ms, 90 %$/);
  assert.match(await press('ArrowRight'), /^small /);
  assert.match(await press('ArrowLeft'), /^handle /);
  assert.match(await press('ArrowDown'), /^(parse|render) /);
  await page.locator('.flame', { hasText: 'parse' }).focus();
  assert.match(await press('Enter'), /^parse /);
  assert.deepStrictEqual(await rowsOf(page), [['all 0 100'], ['handle 0 100'], ['parse 0 100'], ['deep 0 25']]);
  assert.match(await press('Backspace'), /^handle /);
  assert.match(await press('Escape'), /^all callbacks/);
  assert.deepStrictEqual(await rowsOf(page), whole);
  assert.deepStrictEqual(page.problems, []);
  await page.close();
});

test('it can be read in dark and in light', async () => {
  const contrast = ([text, back]) => {
    const light = (color) => color.match(/\d+/g).slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const [high, low] = [light(text), light(back)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  for (const colorScheme of ['dark', 'light']) {
    const page = await open(file, { colorScheme });
    await page.keyboard.press('g');
    const colors = await page.evaluate(() => [...document.querySelectorAll('.flame')].map((bar) => { const style = getComputedStyle(bar); return [style.color, style.backgroundColor]; }));
    for (const pair of colors) assert.ok(contrast(pair) >= 4.5, `${colorScheme}: ${pair}: ${contrast(pair)}`);
    if (process.env.SHOTS) await page.screenshot({ path: path.join(process.env.SHOTS, `flame-${colorScheme}.png`) });
    await page.close();
  }
});

test('the page, the lines and diagnose agree on when the pool is full', async () => {
  const job = (tid, ts, dur, queue) => ({ ph: 'X', tid, ts, dur, cat: 'job', name: 'work', args: { kind: 'work', queue_us: queue } });
  // It has waited for a thread's start while nothing ran; later four threads work, and a fifth job waits.
  const starts = pageOf('starts', [call('f', 0, 1000, 1), job(2, 300000, 1000, 200000)]);
  const full = pageOf('full', [call('f', 0, 1000, 1), ...[2, 3, 4, 5].map((tid) => job(tid, 100000, 200000, 0)), job(2, 300000, 1000, 190000)]);
  for (const [{ page: made, stderr }, isFull] of [[starts, false], [full, true]]) {
    const page = await open(made);
    assert.strictEqual(/the pool was full/.test(await page.locator('#summary').innerText()), isFull);
    assert.strictEqual(/pool: full for/.test(stderr), isFull);
    await page.close();
  }
});

test('the page is no larger than 110 KB without its events', () => {
  const empty = pageOf('empty', [call('f', 0, 1000, 1)]);
  const { size } = fs.statSync(empty.page);
  assert.ok(size < 110 * 1024, String(size));
  assert.strictEqual(run(rota, ['timeline', empty.trace]).status, 0);
});

finish();
