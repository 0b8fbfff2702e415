'use strict';
// Node's own tests on a Node, alone and grafted, with both pollers: which files end differently?
//
//   node own_tests.js --node PATH --tests DIR --graft LIBRARY --out FILE [--jobs N] [--limit N] [GLOB...]
//
// DIR is the folder test/ of Node's repository at the tag of that Node. A file that ends in more than one way is run again, alone, on all
// three, until each has ended four times: it differs if an outcome of the graft is never seen on Node alone. No part of `make test`: it takes
// an hour of processor time for each version.

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { parseArgs } = require('util');

// What touches the loop. A file belongs to the first kind that its name begins with.
const kinds = ['timers', 'immediate', 'set-', 'next-tick', 'microtask', 'queue-microtask', 'promise', 'process', 'signal', 'stdin', 'stdout', 'stdio', 'tty', 'async',
  'fs', 'file', 'net', 'pipe', 'socket', 'tcp', 'listen', 'dgram', 'dns', 'child-process', 'spawn', 'cluster', 'worker', 'message', 'broadcastchannel', 'http', 'http2',
  'https', 'tls', 'stream', 'readable', 'readline', 'zlib', 'crypto', 'event-loop', 'perf', 'handle-wrap', 'beforeexit', 'uv', 'watch', 'runner', 'trace-events', 'abort',
  'uncaught', 'blob', 'whatwg-readable', 'shutdown', 'debugger', 'inspector', 'report'];
const ways = { plain: {}, uring: { ROTA_POLLER: 'uring' }, epoll: { ROTA_POLLER: 'epoll' } };

const { values: option, positionals: globs } = parseArgs({
  allowPositionals: true,
  options: { node: { type: 'string' }, tests: { type: 'string' }, graft: { type: 'string' }, out: { type: 'string' },
    jobs: { type: 'string', default: '2' }, limit: { type: 'string', default: '60' }, timeout: { type: 'string', default: '60' } },
});
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'own-tests-'));

function chosen() {
  const byKind = new Map();
  for (const suite of ['parallel', 'sequential', 'async-hooks']) {
    for (const name of fs.readdirSync(path.join(option.tests, suite)).sort()) {
      if (!/^test-.*\.m?js$/.test(name)) continue;
      const kind = suite === 'async-hooks' ? suite : kinds.filter((word) => name.slice(5).startsWith(word)).sort((a, b) => b.length - a.length)[0];
      if (!kind || (globs.length > 0 && !globs.some((glob) => path.matchesGlob(name, glob)))) continue;
      byKind.set(kind, [...(byKind.get(kind) ?? []), `${suite}/${name}`]);
    }
  }
  const files = [];
  const limit = Number(option.limit);
  for (const list of byKind.values()) {
    const step = limit > 0 ? Math.max(1, list.length / limit) : 1;
    for (let at = 0; at < list.length; at += step) files.push(list[Math.floor(at)]);
  }
  return files;
}

// What the first lines of a test ask for.
function wanted(source) {
  const flags = /^\/\/ Flags: *(.*)$/m.exec(source)?.[1].trim().split(/\s+/) ?? [];
  const env = /^\/\/ Env: *(.*)$/m.exec(source)?.[1].trim().split(/\s+/).map((pair) => pair.split('=')) ?? [];
  return { flags, env: Object.fromEntries(env) };
}

function once(file, way, slot) {
  const { flags, env } = wanted(fs.readFileSync(path.join(option.tests, file), 'utf8'));
  const folder = path.join(scratch, String(slot));
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder);
  return new Promise((resolve) => {
    let output = '';
    const began = Date.now();
    const child = spawn(option.node, [...flags, path.join(option.tests, file)], {
      cwd: path.dirname(option.tests), detached: true, stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TEST_THREAD_ID: String(slot), TEST_SERIAL_ID: String(slot), NODE_TEST_DIR: folder,
        ...(file.startsWith('sequential') ? {} : { TEST_PARALLEL: '1' }), ...env, ...ways[way],
        ...(way === 'plain' ? {} : { LD_PRELOAD: option.graft, ROTA_GRAFT: 'require' }) },
    });
    const group = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // All of it is gone.
      }
    };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      group('SIGKILL');
    }, Number(option.timeout) * 1000);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('error', () => {});
      stream.on('data', (data) => {
        if (output.length < 1e6) output += data.toString('latin1');
      });
    }
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      group('SIGKILL');
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
        const skipped = code === 0 && /^1\.\.0 # Skipped/m.test(output);
        resolve({ outcome: late ? 'timeout' : signal ?? (skipped ? 'skipped' : code === 0 ? 'passed' : `exit ${code}`), ms: Date.now() - began, tail: output.slice(-1500) });
      }, 20);
    });
  });
}

const results = {};
const save = () => fs.writeFileSync(option.out, JSON.stringify(results, null, 1));

async function all(file, slot) {
  const seen = results[file] ??= { plain: [], uring: [], epoll: [], tails: {} };
  for (const way of Object.keys(ways)) {
    const { outcome, tail } = await once(file, way, slot);
    seen[way].push(outcome);
    if (!['passed', 'skipped'].includes(outcome)) seen.tails[way] = tail;
  }
}

const unsteady = ({ plain, uring, epoll }) => new Set([...plain, ...uring, ...epoll]).size > 1;
const differs = ({ plain, uring, epoll }) => [...uring, ...epoll].some((outcome) => !plain.includes(outcome)) ||
  plain.some((outcome) => !uring.includes(outcome) || !epoll.includes(outcome));

async function main() {
  const files = chosen();
  console.log(`${files.length} files`);
  const queue = files.filter((file) => !file.startsWith('sequential'));
  const worker = async (slot) => {
    for (let file; (file = queue.shift());) await all(file, slot);
  };
  const beat = setInterval(save, 10000);
  await Promise.all(Array.from({ length: Number(option.jobs) }, (_, slot) => worker(slot + 1)));
  for (const file of files.filter((name) => name.startsWith('sequential'))) await all(file, 0);
  for (const file of files.filter((name) => unsteady(results[name])))
    for (let turn = 1; turn < 4; turn++) await all(file, 0);
  clearInterval(beat);
  save();
  const list = Object.entries(results);
  const of = (outcome) => list.filter(([, seen]) => !unsteady(seen) && seen.plain[0] === outcome).length;
  console.log(`alike: ${of('passed')} passed, ${of('skipped')} skipped, ${list.filter(([, seen]) => !unsteady(seen)).length - of('passed') - of('skipped')} failed on all three`);
  for (const [file, seen] of list.filter(([, entry]) => unsteady(entry)))
    console.log(`${differs(seen) ? 'differs ' : 'unsteady'} ${file}: ${Object.keys(ways).map((way) => `${way} ${seen[way].join(', ')}`).join(' | ')}`);
  fs.rmSync(scratch, { recursive: true, force: true });
}

main();
