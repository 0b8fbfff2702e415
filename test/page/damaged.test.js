'use strict';
// A truncated file becomes a page; a damaged file, or one that is no trace, gives a clear message. Never a stack.

const { assert, finish, mustRun, rota, run, scratch, test } = require('./harness.js');
const fs = require('fs');
const path = require('path');

const trace = path.join(scratch, 'whole.json'), broken = path.join(scratch, 'broken.json'), page = path.join(scratch, 'page.html');
mustRun(rota, [`--trace=${trace}`, path.join(__dirname, 'program.js')]);
const whole = fs.readFileSync(trace);

let seed = 7;
const random = (n) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;

// The message, if there is no page.
function pack(bytes) {
  fs.writeFileSync(broken, bytes);
  fs.rmSync(page, { force: true });
  const result = run(rota, ['timeline', broken, '-o', page]);
  const text = result.stdout + result.stderr;
  assert.strictEqual(result.signal, null);
  if (result.status === 0) {
    assert.ok(text.startsWith(`rota timeline: ${page} is written; a browser opens it\n`), text);
    assert.match(text, /^(rota timeline: [^\n]+\n)+$/);
    assert.ok(fs.readFileSync(page, 'utf8').startsWith('<!doctype html>'));
    return '';
  }
  assert.strictEqual(result.status, 1, text);
  assert.match(text, /^rota timeline: [^\n]+\n$/);
  assert.ok(!fs.existsSync(page));
  return text;
}

test('cut off anywhere after its first line, it is a page', () => {
  const first = whole.indexOf('\n') + 1;
  for (let i = 0; i < 12; i++) assert.strictEqual(pack(whole.subarray(0, first + random(whole.length - first))), '');
});

test('cut off before, it is said not to be a trace', () => {
  for (const n of [0, 1, 5, 40]) assert.match(pack(whole.subarray(0, n)), /not a trace of rota's/);
});

test('with bytes changed, it is a page or a sentence', () => {
  let sentences = 0;
  for (let i = 0; i < 30; i++) {
    const bytes = Buffer.from(whole);
    for (let k = 0; k < 1 + random(20); k++) bytes[random(bytes.length)] = random(256);
    if (pack(bytes) !== '') sentences++;
  }
  assert.ok(sentences > 0);
});

test('what is wrong, and where', () => {
  const lines = whole.toString().split('\n');
  lines[7] = lines[7].slice(0, 20);
  assert.match(pack(lines.join('\n')), /broken\.json: line 8 is damaged/);
  lines[7] = '{"ph":"X","pid":1,"tid":1,"ts":"soon","cat":"call","name":"x"},';
  assert.match(pack(lines.join('\n')), /line 8 has no time/);
  lines[7] = '[1, 2],';
  assert.match(pack(lines.join('\n')), /line 8 is/);
  assert.match(pack('{"traceEvents":[]}\n'), /is not/);
  assert.match(pack('#!/bin/sh\necho\n'), /line 1 is damaged/);
  assert.match(pack(lines[0].replace('"format":1', '"format":99')), /newer rota/);
  assert.match(run(rota, ['timeline', path.join(scratch, 'nowhere.json')]).stderr, /^rota timeline: there is no file .*nowhere\.json; rota trace -- program writes one, /);
  assert.match(run(rota, ['timeline']).stderr, /^rota timeline: missing program or trace\. Usage: /);
  assert.strictEqual(run(rota, ['timeline', '--wrong']).status, 9);
});

finish();
