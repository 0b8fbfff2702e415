// Ticks, promises and contexts around the events of streams.
const http2 = require('http2');
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const log = [];
const note = (text) => {
  log.push(text);
  process.nextTick(() => log.push(`${text} tick`));
  Promise.resolve().then(() => log.push(`${text} promise`));
};

const server = http2.createServer();
server.on('stream', (stream) => {
  log.push(`server store ${storage.getStore()}`);
  stream.respond();
  stream.write('one');
  setTimeout(() => stream.end('two'), 20);
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  client.on('connect', () => note('connect'));
  storage.run('request', () => {
    const stream = client.request();
    stream.on('ready', () => note(`ready ${storage.getStore()}`));
    stream.on('response', () => note(`response ${storage.getStore()}`));
    stream.on('data', (chunk) => note(`data ${chunk} ${storage.getStore()}`));
    stream.on('end', () => note(`end ${storage.getStore()}`));
    stream.on('close', () => {
      note(`close ${storage.getStore()}`);
      client.close();
      server.close(() => console.log(log.join('\n')));
    });
  });
});
