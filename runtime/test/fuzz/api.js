'use strict';

// Random calls of the runtime's modules with invalid arguments: arrays whose memory is detached, shared or changes its size,
// wrong lengths, proxies, getters and callbacks that change the arguments or call something else. Any result of a call is
// fine. Only the process must not die: by a signal, or by a sanitizer's report.
//
//   rota runtime/test/fuzz/api.js SEED SECONDS [part [COUNT]]     runs children, at most COUNT, until the time is over; a report names
//                                                         the calls before. An empty part is all.
//   rota runtime/test/fuzz/api.js --child SEED COUNT [part]
//
// Nothing leaves the machine: sockets are of the loopback address, files of a directory that is removed.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');

if (process.argv[2] !== '--child') {
  supervise(Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 60), process.argv[4] || undefined, Number(process.argv[5] ?? Infinity));
} else {
  const directory = process.argv[5];
  process.chdir(directory);
  require('./api_calls.js').run(Number(process.argv[3]), Number(process.argv[4]), process.argv[6]);
}

// ---- the parent ----

async function supervise(firstSeed, seconds, part, most) {
  const end = Date.now() + seconds * 1000;
  const counts = { children: 0, calls: 0, slow: 0, failed: 0 };
  for (let seed = firstSeed; Date.now() < end && seed < firstSeed + most; seed++) {
    const outcome = await runChild(seed, Math.max(1000, Math.min(30000, end - Date.now() + 5000)), part);
    counts.children++;
    counts.calls += outcome.calls;
    if (outcome.slow) counts.slow++;
    if (outcome.problem === undefined) continue;
    counts.failed++;
    console.log(`seed ${seed}: ${outcome.problem}\n  the last calls:\n${outcome.last.map((line) => `    ${line}`).join('\n')}\n${outcome.report}`);
  }
  console.log(`${counts.children} processes, ${counts.calls} calls, ${counts.slow} stopped for their time, ${counts.failed} failed`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

function runChild(seed, limitMs, part) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'api-fuzz-'));
  const child = spawn(process.execPath, ['--max-old-space-size=1024', __filename, '--child', String(seed), '300', directory, ...(part ? [part] : [])], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory, NODE_OPTIONS: '' },
  });
  let report = '';
  child.stderr.on('data', (chunk) => { report = (report + chunk).slice(-20000); });
  let slow = false;
  const timer = setTimeout(() => {
    slow = true;
    child.kill('SIGKILL');
  }, limitMs);
  return new Promise((resolve) => {
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      let lines = [];
      try {
        lines = fs.readFileSync(path.join(directory, 'log'), 'utf8').trimEnd().split('\n');
      } catch {
        // it did not get so far
      }
      fs.rmSync(directory, { recursive: true, force: true });
      const outOfMemory = report.includes('JavaScript heap out of memory') || report.includes('allocation-size-too-big');
      // A refused allocation is only a warning: the program goes on with the error.
      const sanitizer = /ERROR: AddressSanitizer|runtime error|UndefinedBehavior/.test(report) && !outOfMemory;
      let problem;
      if (sanitizer) problem = 'a sanitizer reports';
      else if (signal !== null && !slow && !outOfMemory) problem = `ended by ${signal}`;
      else if (code >= 128 && !outOfMemory) problem = `ended with ${code}`;
      resolve({ calls: lines.length, slow, problem, last: lines.slice(-4), report: problem === undefined ? '' : report.slice(0, 6000) });
    });
  });
}
