'use strict';
// Programs that simulate the network (nock, msw) put functions of their own on a socket and its handle.
const net = require('net');
const http = require('http');

const lookup = (host, options, callback) => process.nextTick(callback, null, [{ address: '127.0.0.1', family: 4 }]);

// Whatever is written gets a head of HTTP as its answer.
function intercept(socket) {
  const generic = socket._writeGeneric;
  console.log('generic', typeof generic, generic === net.Socket.prototype._writeGeneric, generic.length);
  socket._read = () => {};
  socket._writeGeneric = (several, data, encoding, callback) => {
    const text = several ? data.map(({ chunk }) => String(chunk)).join('+') : String(data);
    console.log('written', socket.connecting, several, JSON.stringify(text.split('\r\n')[0]), encoding);
    callback();
    if (text.includes('HTTP/1.1')) socket.push('HTTP/1.1 201 Made\r\nContent-Length: 5\r\n\r\nhello');
  };
  socket.prependOnceListener('connectionAttempt', () => {
    const handle = socket._handle;
    handle.connect = handle.connect6 = (request, address, port) => {
      console.log('connect', typeof request.oncomplete, request.address, request.port, address, port);
      setImmediate(() => request.oncomplete(0, handle, request, true, true));
      return 0;
    };
  });
  return socket;
}

const socket = intercept(new net.Socket());
for (const event of ['lookup', 'connect', 'ready', 'end', 'close']) socket.on(event, () => console.log('event', event));
socket.connect({ host: 'nowhere.test', port: 81, lookup });
socket.write('early');
socket.write('second');
socket.on('connect', () => {
  socket.write('late');
  socket.cork();
  socket.write('one');
  socket.write('two', 'latin1');
  process.nextTick(() => {
    socket.uncork();
    socket.push('answer');
    socket.push(null);
  });
});
socket.on('data', (chunk) => console.log('data', String(chunk)));
socket.on('close', () => {
  const request = http.get({
    host: 'nowhere.test',
    port: 82,
    createConnection: (options) => intercept(new net.Socket()).connect({ ...options, lookup }),
  });
  request.on('response', (response) => {
    console.log(response.statusCode, response.statusMessage, response.headers);
    response.on('data', (chunk) => console.log('body', String(chunk)));
    response.on('end', () => response.socket.destroy());
  });
});
