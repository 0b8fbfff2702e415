'use strict';
// Tests of the timeline, in a browser and without: each prints its name and its result; the last line counts them.

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const root = path.join(__dirname, '..', '..');
const build = path.resolve(root, process.env.BUILD || 'build');
// A build for old systems (make portable) has the commands for other programs alone.
const rota = ['rota', 'rota-graft'].map((name) => path.join(build, 'bin', name)).find((file) => fs.existsSync(file));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-timeline-'));
process.on('exit', () => fs.rmSync(scratch, { recursive: true, force: true }));

const tests = [];
// ONLY='text|other text' runs those whose names contain one of them.
const wanted = (process.env.ONLY ?? '').split('|');
const test = (name, run) => wanted.some((text) => name.includes(text)) && tests.push({ name, run });

// The processor's time of this process and of the children that have ended, in seconds.
function processorTime() {
  const fields = fs.readFileSync('/proc/self/stat', 'latin1').replace(/^.*\) /s, '').split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

async function runAll() {
  let passed = 0, failed = 0;
  for (const { name, run } of tests) {
    const began = performance.now(), used = processorTime();
    try {
      await run();
      passed++;
      console.log(`  ${name} (${((performance.now() - began) / 1000).toFixed(1)} s, ${(processorTime() - used).toFixed(1)} s of a processor)`);
    } catch (error) {
      failed++;
      console.log(`  FAILED: ${name}\n    ${String(error.stack).split('\n').slice(0, 40).join('\n    ')}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed > 0 ? 1 : 0;
}

function run(program, args, options = {}) {
  return spawnSync(program, args, { encoding: 'utf8', timeout: 120000, cwd: scratch, ...options });
}

function mustRun(program, args, options) {
  const result = run(program, args, options);
  assert.strictEqual(result.status, 0, `${program} ${args.join(' ')}: status ${result.status}\n${result.stdout}${result.stderr}`);
  return result;
}

let browser;
// Any page; and one of the timeline, when it is drawn.
async function openPage(file, options = {}) {
  const { chromium } = require(path.join(root, 'node_modules', 'playwright-core'));
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, ...options });
  page.problems = [];
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  await page.goto(file.startsWith('http:') ? file : `file://${file}`);
  return page;
}

async function open(file, options = {}) {
  const began = Date.now();
  const page = await openPage(file, options);
  await page.waitForFunction('window.timeline !== undefined && window.timeline.ready && window.timeline.frames.length > 0');
  page.openedIn = Date.now() - began;
  return page;
}

async function finish() {
  await runAll();
  await browser?.close();
}

module.exports = { assert, build, finish, mustRun, open, openPage, root, rota, run, scratch, test };
