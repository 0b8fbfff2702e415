// The same through the loop: callbacks, promises, streams and watchers.
const fs = require('fs');
const path = require('path');
const os = require('os');
const { promisify } = require('util');
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-fs-'));
const at = (...parts) => path.join(root, ...parts);
const tell = (error) => console.log('  error', error.name, error.code, error.message.replaceAll(root, 'ROOT'), error.syscall);
(async () => {
  await promisify(fs.writeFile)(at('a'), 'callback data');
  console.log(await promisify(fs.readFile)(at('a'), 'utf8'));
  console.log(await promisify(fs.readFile)(at('a'), 'base64'));
  await promisify(fs.appendFile)(at('a'), Buffer.from('!'));
  console.log(await promisify(fs.read)(fs.openSync(at('a')), Buffer.alloc(5), 0, 5, 2));
  console.log(await promisify(fs.exists)(at('a')), await promisify(fs.exists)(at('b')));
  for (const [name, ...args] of [['readFile', at('none')], ['open', at('none')], ['readdir', at('none')], ['stat', at('none')], ['rm', at('none')],
    ['rm', root], ['mkdir', root], ['rename', at('none'), at('b')], ['copyFile', at('none'), at('b')], ['access', at('none')],
    ['realpath', at('none', 'x')], ['truncate', at('none')], ['unlink', at('none')], ['readlink', at('a')], ['opendir', at('none')], ['readFile', root]]) {
    console.log(name);
    await new Promise((resolve) => fs[name](...args, (error) => { tell(error); resolve(); }));
    await fs.promises[name](...args).then(() => console.log('  fine'), tell);
  }
  console.log(await fs.promises.mkdir(at('p', 'q', 'r'), { recursive: true }).then((p) => p.replace(root, 'ROOT')));
  const handle = await fs.promises.open(at('h'), 'w+');
  console.log(await handle.write('some text'), (await handle.stat()).size);
  console.log((await handle.read({ buffer: Buffer.alloc(4), position: 5 })).buffer.toString());
  await handle.truncate(4);
  console.log(await handle.readFile('utf8'), await fs.promises.readFile(at('h'), 'utf8'));
  handle.on('close', () => console.log('handle closed'));
  await handle.close();
  await handle.read().catch((error) => console.log(error.code, error.syscall, error.message));
  await fs.promises.writeFile(at('it'), (function* () { yield 'x'; yield 'yz'; })());
  console.log(await fs.promises.readFile(at('it'), 'utf8'));
  const signal = AbortSignal.abort();
  await fs.promises.readFile(at('it'), { signal }).catch((error) => console.log(error.name, error.code));
  await new Promise((resolve) => {
    const out = fs.createWriteStream(at('s'), { highWaterMark: 10 });
    out.on('open', (fd) => console.log('open', typeof fd)).on('ready', () => console.log('ready'));
    for (let i = 0; i < 5; i++) out.write(`line ${i}\n`);
    out.end('end', () => console.log('finished', out.bytesWritten));
    out.on('close', resolve);
  });
  const parts = [];
  for await (const part of fs.createReadStream(at('s'), { encoding: 'utf8', highWaterMark: 16, start: 3, end: 30 })) parts.push(part);
  console.log(parts);
  await new Promise((resolve) => fs.createReadStream(at('none')).on('error', (error) => { tell(error); resolve(); }));
  const names = [];
  for await (const entry of await fs.promises.opendir(root)) names.push(entry.name);
  console.log(names.sort());
  const watcher = fs.watch(root);
  const seen = new Promise((resolve) => watcher.on('change', (type, name) => { if (name === 'new') resolve(type); }));
  fs.writeFileSync(at('new'), '');
  console.log(await seen);
  watcher.on('close', () => console.log('watcher closed'));
  watcher.close();
  await fs.promises.rm(root, { recursive: true });
  console.log(fs.existsSync(root));
})();
