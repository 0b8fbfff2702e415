'use strict';

// The compile cache's files, which are rota's own: closed to others, reused, and not used if they belong to another user.
//
//   rota runtime/test/modules/cache.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');

process.umask(0);
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'compile-cache-'));
const cache = path.join(directory, 'cache');
const typed = path.join(directory, 'typed.mts');
fs.writeFileSync(typed, 'const a: number = 1; console.log(a);\n');
const run = () => execFileSync(process.execPath, [typed], { env: { ...process.env, NODE_COMPILE_CACHE: cache }, encoding: 'utf8' });
try {
  assert.equal(run(), '1\n');
  const [version] = fs.readdirSync(cache);
  const inner = path.join(cache, version);
  const names = fs.readdirSync(inner);
  assert.equal(names.length, 1, 'one entry, and nothing that was only made on the way');
  const entry = path.join(inner, names[0]);
  assert.equal(fs.statSync(inner).mode & 0o777, 0o700);
  assert.equal(fs.statSync(entry).mode & 0o777, 0o600);
  const before = fs.statSync(entry);
  assert.equal(run(), '1\n');
  assert.equal(fs.statSync(entry).ino, before.ino, 'what was read is not written again');

  const whole = fs.readFileSync(entry, 'utf8');
  for (const bad of [whole.replace('console.log(a);', 'console.log(7);'), whole.slice(0, -1), `${whole} `, '', '\n', 'x'.repeat(1e5)]) {
    fs.writeFileSync(entry, bad);
    assert.equal(run(), '1\n', `a damaged entry is not used: ${JSON.stringify(bad.slice(0, 80))}`);
    assert.equal(fs.readFileSync(entry, 'utf8'), whole, 'and made again');
  }
  fs.rmSync(entry);
  fs.symlinkSync(typed, entry);
  assert.equal(run(), '1\n');
  assert.ok(fs.lstatSync(entry).isFile(), 'a link is not followed');
  assert.equal(fs.readFileSync(typed, 'utf8'), 'const a: number = 1; console.log(a);\n');
  fs.chmodSync(entry, 0o666);
  assert.equal(run(), '1\n');
  assert.equal(fs.statSync(entry).mode & 0o777, 0o600, 'one that others may write to is made again');
  fs.chmodSync(inner, 0o777);
  fs.rmSync(entry);
  assert.equal(run(), '1\n');
  assert.deepEqual(fs.readdirSync(inner), [], 'a directory that others may write to is not used');
} finally {
  fs.rmSync(directory, { recursive: true });
}
