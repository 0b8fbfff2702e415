// Descriptors that a worker leaves open are closed when it ends, unless trackUnmanagedFds is false; those that it gave away are not.
const { Worker } = require('worker_threads'), { once } = require('events'), fs = require('fs');
const file = JSON.stringify(__filename);
const isOpen = (fd) => {
  try {
    fs.fstatSync(fd);
    return true;
  } catch (error) {
    return error.code;
  }
};
const openAs = (isIt) => fs.readdirSync('/proc/self/fd').filter((name) => {
  try {
    return isIt(fs.readlinkSync(`/proc/self/fd/${name}`));
  } catch {
    return false; // the directory's own
  }
}).length;
const start = (code, options) => new Worker(`const fs = require('fs'), { parentPort } = require('worker_threads');
  process.on('warning', ({ message }) => parentPort.postMessage(message.replace(/\\d+/, 'N')));
  ${code}`, { eval: true, ...options });

(async () => {
  for (const trackUnmanagedFds of [true, undefined, false]) {
    const worker = start(`parentPort.postMessage(fs.openSync(${file}))`, { trackUnmanagedFds });
    const [[fd]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    console.log(trackUnmanagedFds, isOpen(fd));
    if (trackUnmanagedFds === false) fs.closeSync(fd);
  }
  {
    const worker = start(`fs.open(${file}, (error, fd) => { parentPort.postMessage(fd); for (;;); })`);
    const [fd] = await once(worker, 'message');
    console.log('while it runs', isOpen(fd));
    await worker.terminate();
    console.log('terminated', isOpen(fd));
  }
  {
    const worker = start(`for (let i = 0; i < 200; i++) fs.open(${file}, () => {});
      parentPort.postMessage(''); for (;;);`);
    await once(worker, 'message');
    await worker.terminate();
    console.log('terminated while it opens', openAs((name) => name === __filename));
  }
  {
    const directory = JSON.stringify(__dirname), isDirectory = (name) => name === __dirname;
    let worker = start(`fs.opendirSync(${directory}).readSync(); parentPort.postMessage(''); for (;;);`);
    await once(worker, 'message');
    await worker.terminate();
    console.log('an open directory', openAs(isDirectory));
    worker = start(`process.exitCode = 0; fs.opendir(${directory}, (error, open) => open.read(() => process.exit()))`);
    await once(worker, 'exit');
    console.log('a directory that is read', openAs(isDirectory));
  }
  {
    const silent = require('dgram').createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const isSocket = (name) => name.startsWith('socket:'), before = openAs(isSocket);
    const worker = start(`const resolver = new (require('dns').Resolver)();
      resolver.setServers(['127.0.0.1:${silent.address().port}']);
      for (let i = 0; i < 5; i++) resolver.resolve4('name' + i + '.example', () => {});`);
    await once(silent, 'message');
    await worker.terminate();
    console.log('questions without an answer', openAs(isSocket) - before);
    silent.close();
  }
  {
    const worker = start(`fs.promises.open(${file}).then((handle) => parentPort.postMessage(handle, [handle]))`);
    const [[handle]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    console.log('given away', (await handle.readFile('utf8')).startsWith('// Descriptors'));
    await handle.close();
  }
  {
    const worker = start(`parentPort.once('message', (fd) => fs.closeSync(fd))`);
    worker.postMessage(fs.openSync(__filename));
    console.log((await once(worker, 'message'))[0]);
  }
  {
    const worker = start(`parentPort.postMessage(fs.openSync(${file}));
      parentPort.once('message', () => fs.closeSync(fs.openSync(${file})))`);
    fs.closeSync((await once(worker, 'message'))[0]);
    worker.postMessage('');
    console.log((await once(worker, 'message'))[0]);
  }
})();
