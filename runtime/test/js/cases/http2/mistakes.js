// Errors and their messages.
const http2 = require('http2');

function attempt(name, action) {
  try {
    const value = action();
    console.log(name, value !== null && typeof value === 'object' ? value.constructor.name : value);
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
}

for (const settings of [{ headerTableSize: -1 }, { initialWindowSize: 2 ** 31 }, { maxFrameSize: 16383 }, { maxConcurrentStreams: 'x' },
  { maxHeaderListSize: 2 ** 32 }, { enablePush: 1 }, { enableConnectProtocol: 'yes' }, { customSettings: { 65536: 1 } }, { customSettings: { 5: -1 } },
  { customSettings: Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i + 20, i])) }]) {
  attempt('pack', () => http2.getPackedSettings(settings).toString('hex'));
}
attempt('pack', () => http2.getPackedSettings({ enablePush: false, maxFrameSize: 20000, headerTableSize: 7, customSettings: { 99: 5 } }).toString('hex'));
attempt('pack', () => http2.getPackedSettings(5));
attempt('unpack', () => JSON.stringify(http2.getUnpackedSettings(Buffer.from('000100000007000200000000006300000005', 'hex'))));
attempt('unpack', () => http2.getUnpackedSettings(Buffer.alloc(5)));
attempt('unpack', () => http2.getUnpackedSettings('x'));
attempt('unpack', () => http2.getUnpackedSettings(Buffer.from('000501000000', 'hex'), { validate: true }));
attempt('connect', () => http2.connect('ssh://localhost'));
attempt('connect', () => http2.connect(5));
attempt('server', () => http2.createServer('x'));
attempt('server', () => http2.createServer({ settings: 5 }));
attempt('server', () => http2.createServer({ settings: { maxFrameSize: 1 } }));
attempt('server', () => http2.createServer({ maxSessionInvalidFrames: -1 }));
attempt('server', () => http2.createServer({ unknownProtocolTimeout: 'a' }));
attempt('server', () => http2.createServer().setTimeout(1, 'x'));
attempt('server', () => http2.createServer().updateSettings({ maxFrameSize: 1 }));

const server = http2.createServer();
server.on('stream', (stream) => {
  stream.on('error', (error) => console.log('stream', error.code, error.message));
  attempt('respond', () => stream.respond({ ':path': '/' }));
  attempt('respond', () => stream.respond({ ':status': 99 }));
  attempt('respond', () => stream.respond({ ':status': 600 }));
  attempt('respond', () => stream.respond({ connection: 'close' }));
  attempt('respond', () => stream.respond({ te: 'x' }));
  attempt('respond', () => stream.respond({ 'a b': 'c' }));
  attempt('respond', () => stream.respond({ 'content-type': ['a', 'b'] }));
  attempt('respond', () => stream.respond({ 'Content-Type': 'a', 'content-type': 'b' }));
  attempt('respond', () => stream.respond('x'));
  attempt('info', () => stream.additionalHeaders({ ':status': 101 }));
  attempt('info', () => stream.additionalHeaders({ ':status': 200 }));
  attempt('file', () => stream.respondWithFile('x', { ':status': 204 }));
  attempt('file', () => stream.respondWithFile('x', {}, { offset: 'x' }));
  attempt('fd', () => stream.respondWithFD('x'));
  attempt('push', () => stream.pushStream({}, {}, 5));
  attempt('push', () => stream.pushStream({ connection: 'x' }, () => {}));
  attempt('trailers', () => stream.sendTrailers({}));
  attempt('close', () => stream.close('x'));
  attempt('close', () => stream.close(-1));
  attempt('close', () => stream.close(0, 5));
  attempt('timeout', () => stream.setTimeout('x'));
  attempt('session', () => stream.session.altsvc('h2', 0));
  attempt('session', () => stream.session.altsvc('\u0001', 1));
  attempt('session', () => stream.session.altsvc('x'.repeat(16383), 1));
  attempt('session', () => stream.session.origin(5));
  attempt('session', () => stream.session.origin('foo://bar'));
  attempt('session', () => stream.session.origin(`http://foo.bar${'a'.repeat(16383)}`));
  attempt('socket', () => stream.session.socket.write);
  attempt('socket', () => typeof stream.session.socket.remotePort);
  stream.respond({}, { waitForTrailers: true });
  attempt('again', () => stream.respond());
  attempt('info', () => stream.additionalHeaders({}));
  stream.on('wantTrailers', () => {
    attempt('trailers', () => stream.sendTrailers({ ':status': 1 }));
    attempt('trailers', () => stream.sendTrailers(5));
    stream.sendTrailers({ a: 'b' });
    attempt('trailers', () => stream.sendTrailers({ a: 'b' }));
  });
  stream.end();
  stream.on('close', () => {
    attempt('closed', () => stream.respond());
    attempt('closed', () => stream.additionalHeaders({}));
    attempt('closed', () => stream.pushStream({}, () => {}));
    attempt('closed', () => stream.sendTrailers({}));
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`);
  attempt('request', () => client.request({ ':method': 'CONNECT' }));
  attempt('request', () => client.request({ ':method': 'CONNECT', ':authority': 'x', ':path': '/' }));
  attempt('request', () => client.request({ ':method': 'CONNECT', ':authority': 'x', ':scheme': 'http' }));
  attempt('request', () => client.request({ 'transfer-encoding': 'chunked' }));
  attempt('request', () => client.request({}, { endStream: 5 }));
  attempt('request', () => client.request({}, 5));
  attempt('request', () => client.request('x'));
  attempt('ping', () => client.ping('x', () => {}));
  attempt('ping', () => client.ping(Buffer.alloc(7), () => {}));
  attempt('ping', () => client.ping(5));
  attempt('settings', () => client.settings(5));
  attempt('settings', () => client.settings({ maxFrameSize: 1 }));
  attempt('goaway', () => client.goaway('x'));
  attempt('goaway', () => client.goaway(1, 'x'));
  attempt('goaway', () => client.goaway(1, 1, 'x'));
  const stream = client.request();
  stream.resume();
  stream.on('close', () => {
    client.close(() => {
      attempt('over', () => client.settings({}));
      attempt('over', () => client.ping(() => {}));
      attempt('over', () => client.goaway());
      client.request().on('error', (error) => console.log('late', error.code, error.message));
    });
    server.close();
  });
});
