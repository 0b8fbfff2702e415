// Files: many at once, streams, directories, watching.
'use strict';
const assert = require('assert');
const crypto = require('crypto');
const fs = require('fs');
const { once } = require('events');
const { pipeline } = require('stream/promises');
const { finished, mapped } = require('./library.cjs');
mapped();

async function main() {
  await fs.promises.mkdir('a/b/c', { recursive: true });
  const names = Array.from({ length: 500 }, (_, i) => `a/b/c/file-${i}`);
  await Promise.all(names.map((n, i) => fs.promises.writeFile(n, `content ${i}`)));
  const texts = await Promise.all(names.map((n) => fs.promises.readFile(n, 'utf8')));
  texts.forEach((t, i) => assert.strictEqual(t, `content ${i}`));
  assert.strictEqual((await fs.promises.readdir('a/b/c')).length, 500);
  let opened = 0;
  for await (const entry of await fs.promises.opendir('a/b/c')) opened += entry.isFile() ? 1 : 0;
  assert.strictEqual(opened, 500);

  const big = crypto.randomBytes(8 << 20);
  fs.writeFileSync('big', big);
  await pipeline(fs.createReadStream('big'), fs.createWriteStream('copy'));
  assert.ok(big.equals(await fs.promises.readFile('copy')));
  await fs.promises.copyFile('big', 'copy2');
  assert.strictEqual((await fs.promises.stat('copy2')).size, big.length);

  await fs.promises.symlink('big', 'link');
  assert.strictEqual(await fs.promises.readlink('link'), 'big');
  assert.strictEqual(await fs.promises.realpath('link'), fs.realpathSync('big'));
  await fs.promises.utimes('big', 1000, 2000);
  assert.strictEqual((await fs.promises.stat('big')).mtimeMs, 2000000);
  await fs.promises.chmod('big', 0o600);
  assert.strictEqual((await fs.promises.stat('big')).mode & 0o777, 0o600);
  await assert.rejects(fs.promises.open('none'), { code: 'ENOENT', syscall: 'open' });
  const handle = await fs.promises.open('big', 'r+');
  await handle.truncate(100);
  await handle.sync();
  assert.strictEqual((await handle.stat()).size, 100);
  await handle.close();
  const temporary = await fs.promises.mkdtemp('temporary-');
  await fs.promises.rename('copy', `${temporary}/moved`);

  const watcher = fs.watch('a');
  const seen = once(watcher, 'change');
  setTimeout(() => fs.writeFileSync('a/new', ''), 20);
  assert.deepStrictEqual(await seen, ['rename', 'new']);
  watcher.close();

  await fs.promises.rm('a', { recursive: true });
  assert.ok(!fs.existsSync('a'));
  finished();
  console.log('500 files, a stream of 8 MB, directories, links, watching');
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
