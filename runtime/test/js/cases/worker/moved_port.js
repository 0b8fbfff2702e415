'use strict';

// A port that moves into another context: its events, data and errors are of that context.
const fs = require('fs/promises');
const vm = require('vm');
const { MessageChannel, moveMessagePortToContext } = require('worker_threads');

const context = vm.createContext({ log: (...args) => console.log(...args) });
const closed = new MessageChannel().port1;
closed.close();
for (const [port, where] of [[1, context], [{}, context], [new MessageChannel().port1, {}], [new MessageChannel().port1, undefined], [closed, context]]) {
  try {
    moveMessagePortToContext(port, where);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}

const { port1, port2 } = new MessageChannel();
const other = new MessageChannel();
context.port = moveMessagePortToContext(port1, context);
port1.postMessage('into the void');
console.log(context.port === port1, context.port.onmessage, context.port.constructor.name);
vm.runInContext(`
  log(port instanceof Object, port.postMessage instanceof Function);
  port.onmessage = function(event) {
    const { data, ports } = event;
    log(this === port, event.type, event.target === port, Object.getOwnPropertyNames(event));
    log(data instanceof Object, data.list instanceof Array, data.map instanceof Map, data.set instanceof Set, data.date instanceof Date);
    log(data.regexp instanceof RegExp, data.error instanceof RangeError, data.bytes instanceof Uint8Array, data.buffer instanceof ArrayBuffer);
    log(data.self === data, data.list.length, 1 in data.list, data.map.get('k') === data.list, data.error.message, data.bytes.join(), data.box + 1);
    log(ports instanceof Array, ports.length, ports[0] === data.port, ports[0].constructor === port.constructor);
    ports[0].postMessage('through the other');
    port.postMessage({ back: [1, new Map([[1, 2]])] });
  };
  port.start();
  for (const args of [[() => {}], [1, 2]]) {
    try {
      port.postMessage(...args);
    } catch (error) {
      log(error.constructor.name, error.name, error.code, error instanceof Error, error.message);
    }
  }
`, context);
port2.on('message', (message) => console.log('back', message, message instanceof Object));
other.port2.on('message', (message) => {
  console.log(message);
  port2.close();
  other.port2.close();
});
const list = [1, , 3]; // eslint-disable-line no-sparse-arrays
const message = {
  list, map: new Map([['k', list]]), set: new Set([1]), date: new Date(0), regexp: /x/g, error: new RangeError('range'), bytes: new Uint8Array([1, 2, 3]),
  buffer: new ArrayBuffer(2), box: Object(5), port: other.port1,
};
message.self = message;
port2.postMessage(message, [other.port1]);
port2.on('close', async () => {
  console.log('closed');
  // What exists only in this context.
  const files = new MessageChannel();
  const moved = moveMessagePortToContext(files.port1, context);
  moved.onmessageerror = ({ type, data }) => console.log(type, data.code, data.message);
  moved.onmessage = ({ data }) => {
    console.log(data);
    files.port2.close();
  };
  moved.start();
  const file = await fs.open(__filename);
  files.port2.postMessage(file, [file]);
  files.port2.postMessage('second');
  await file.read().catch(({ code, message: text, syscall }) => console.log(code, text, syscall));
});
