'use strict';
// The trace of a program with known phases and durations holds just these, in order: in the runtime, in Debian's Node 18,
// the official Node 26 and Neovim on the library, on both backends. What else such programs do is short: callbacks from 8 ms on are looked at.

const { assert, build, finish, mustRun, rota, run, scratch, test } = require('../page/harness.js');
const fs = require('fs');
const path = require('path');

const LONG_MS = 8, SLACK_MS = 30; // the time that a busy machine may take from a callback outside of its own measuring
const trace = path.join(scratch, 'trace.json'), output = path.join(scratch, 'measured.json');
const clients = path.join(build, 'clients', 'usr');

function readTrace(file) {
  const events = JSON.parse(fs.readFileSync(file, 'utf8')).filter((event) => event.ph === 'X');
  events.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  return events;
}

function checkAgainst(events, measured, wanted) {
  const calls = events.filter((event) => event.cat === 'call' && event.dur >= LONG_MS * 1000);
  assert.deepStrictEqual(calls.map((call) => call.args.phase), wanted, 'phases, in order');
  const own = measured.filter(({ name }) => name !== 'main' || wanted[0] === 'outside');
  assert.strictEqual(own.length, calls.length);
  calls.forEach((call, i) => {
    const ms = call.dur / 1000;
    // The first and last have more to do than they measure: loading modules, writing the file.
    const slack = own[i].name === 'main' || i === calls.length - 1 ? 400 : SLACK_MS;
    assert.ok(ms >= own[i].ms - .2 && ms <= own[i].ms + slack, `${own[i].name}: ${ms} ms in the trace, ${own[i].ms} by its own clock`);
  });
  // Each lies within a phase of its loop of that name, and phases within iterations.
  const at = (cat, name) => events.filter((event) => event.cat === cat && (name === undefined || event.name === name));
  const within = (inner, outer) => outer.ts <= inner.ts + .01 && inner.ts + inner.dur <= outer.ts + outer.dur + .01;
  for (const call of calls) {
    if (call.args.phase === 'outside') continue;
    assert.ok(at('phase', call.args.phase).some((phase) => within(call, phase)), `no phase around ${call.name}`);
  }
  // Between check and timers the loop waited for the 40 ms of the timer, less what was late.
  const [from, to] = [calls.find((c) => c.args.phase === 'check'), calls.find((c) => c.args.phase === 'timers')];
  const gap = (to.ts - from.ts - from.dur) / 1000;
  const waited = at('wait').filter((wait) => wait.ts >= from.ts && wait.ts <= to.ts).reduce((sum, wait) => sum + wait.dur / 1000, 0);
  assert.ok(waited > 20 && waited <= gap + .1, `waited ${waited} ms of ${gap}`);
  const late = to.args.late_us / 1000;
  assert.ok(late >= 0 && Math.abs(gap - 40 - late) < 15, `late by ${late} ms, with ${gap} ms between`);
  return calls;
}

// A busy machine may stop a program anywhere: a check passes if it holds once in twelve attempts.
function withPatience(attempt) {
  for (let i = 0; ; i++) {
    fs.rmSync(trace, { force: true });
    fs.rmSync(output, { force: true });
    try {
      return attempt();
    } catch (error) {
      if (i === 11) throw error;
    }
  }
}

const measured = () => JSON.parse(fs.readFileSync(output, 'utf8'));

for (const backend of (process.env.BACKENDS || 'epoll uring').split(' ')) {
  const env = { ...process.env, ROTA_POLLER: backend };

  test(`rota --trace, on ${backend}`, () => withPatience(() => {
    mustRun(rota, [`--trace=${trace}`, path.join(__dirname, 'known.js'), output], { env });
    const calls = checkAgainst(readTrace(trace), measured(), ['outside', 'check', 'timers', 'poll']);
    assert.deepStrictEqual(calls.map((call) => call.name), ['main script', 'inCheck', 'inTimers', 'inPoll']);
    assert.deepStrictEqual(calls.map((call) => path.basename(call.args.file)), new Array(4).fill('known.js'));
    assert.deepStrictEqual(calls.map((call) => call.args.line), [1, 16, 18, 20]);
  }));

  test(`rota trace with Debian's Node 18, on ${backend}`, () => withPatience(() => {
    mustRun(rota, ['trace', '-o', trace, '--', path.join(clients, 'bin', 'node'), path.join(__dirname, 'known.js'), output],
            { env: { ...env, LD_LIBRARY_PATH: path.join(clients, 'lib', 'x86_64-linux-gnu') } });
    const calls = checkAgainst(readTrace(trace), measured(), ['outside', 'check', 'timers', 'poll']);
    assert.deepStrictEqual(calls.map((call) => call.name), ['(main script)', 'inCheck', 'inTimers', 'inPoll']);
    assert.deepStrictEqual(calls.map((call) => call.args.line), [1, 16, 18, 20]);
  }));

  test(`rota trace with the official Node 26, on ${backend}`, () => withPatience(() => {
    mustRun(rota, ['trace', '--names=off', '-o', trace, '--', process.execPath, path.join(__dirname, 'known.js'), output], { env });
    const calls = checkAgainst(readTrace(trace), measured(), ['check', 'timers', 'poll']);
    for (const call of calls) assert.match(call.name, /^node::/, 'named by its symbol');
  }));

  test(`rota trace with the official Node 26 and names, on ${backend}`, () => withPatience(() => {
    mustRun(rota, ['trace', '-o', trace, '--', process.execPath, path.join(__dirname, 'known.js'), output], { env });
    const calls = checkAgainst(readTrace(trace), measured(), ['outside', 'check', 'timers', 'poll']);
    assert.deepStrictEqual(calls.map((call) => call.name), ['(main script)', 'inCheck', 'inTimers', 'inPoll']);
    assert.deepStrictEqual(calls.map((call) => call.args.line), [1, 16, 18, 20]);
  }));

  test(`rota trace with Neovim, on ${backend}`, () => withPatience(() => {
    mustRun(rota, ['trace', '-o', trace, '--', 'nvim', '--headless', '-u', 'NONE', '-i', 'NONE', '-n', '-c', `luafile ${path.join(__dirname, 'known.lua')}`],
            { env: { ...env, HOME: scratch, KNOWN_OUTPUT: output } });
    checkAgainst(readTrace(trace), measured(), ['check', 'timers', 'poll']);
  }));
}

test('a program without libuv runs, with a warning', () => {
  const result = run(rota, ['trace', '-o', trace, 'echo', 'hello']);
  assert.strictEqual(result.stdout, 'hello\n');
  assert.match(result.stderr, /it has no libuv; there is output only if/);
  assert.match(run(rota, ['trace', 'no-such-program']).stderr, /there is no such program/);
  assert.match(run(rota, ['trace']).stderr, /^rota trace: missing program\. Usage: rota trace -- node app\.js; /);
});

finish();
