// Functions of a session: settings, pings, windows, goaway, timeouts, references, handshakes without a server.
const http2 = require('http2');
const { duplexPair } = require('stream');

const server = http2.createServer({ settings: { maxConcurrentStreams: 7, customSettings: { 1244: 456 } }, remoteCustomSettings: [55] });
server.on('session', (session) => {
  console.log('session', session.closed, session.destroyed, session.connecting);
  session.on('remoteSettings', (settings) => console.log('server sees', JSON.stringify(settings)));
  session.on('ping', (payload) => console.log('pinged', payload.includes('abc')));
  session.on('goaway', (code, last, data) => data && console.log('goaway', code, last, String(data)));
});
server.on('stream', (stream, headers) => {
  if (headers[':path'] === '/slow') {
    stream.setTimeout(20, () => {
      console.log('stream timeout');
      stream.respond({ ':status': 408 }, { endStream: true });
    });
    return;
  }
  stream.respond();
  stream.end('x');
});

function overPair() {
  return new Promise((resolve) => {
    const [one, other] = duplexPair();
    const client = http2.connect('http://example.org', { createConnection: () => one });
    const session = http2.performServerHandshake(other);
    session.on('stream', (stream, headers) => {
      console.log('pair', headers[':authority'], session.server);
      stream.respond();
      stream.end('over a pair');
    });
    try {
      http2.performServerHandshake(other);
    } catch (error) {
      console.log(error.code);
    }
    const stream = client.request();
    stream.on('data', (chunk) => console.log(String(chunk)));
    stream.on('close', () => {
      client.close();
      resolve();
    });
  });
}

server.listen(0, '127.0.0.1', () => {
  const client = http2.connect(`http://127.0.0.1:${server.address().port}`, {
    settings: { enablePush: false, initialWindowSize: 123456, customSettings: { 55: 12, 155: 1 } }, remoteCustomSettings: [1244],
  });
  console.log(JSON.stringify(client.localSettings), client.connecting, client.pendingSettingsAck);
  client.once('localSettings', (settings) => console.log('local', JSON.stringify(settings)));
  client.once('remoteSettings', (settings) => {
    console.log('remote', JSON.stringify(settings), client.remoteSettings === settings, client.pendingSettingsAck);
    client.setLocalWindowSize(2 ** 20);
    console.log(client.state.localWindowSize, client.state.effectiveLocalWindowSize);
    client.settings({ maxFrameSize: 20000 }, (error, settings, duration) => {
      console.log('acknowledged', error, JSON.stringify(settings), typeof duration, client.localSettings.maxFrameSize);
      console.log(client.ping(Buffer.from('abcdefgh'), (error, duration, payload) => {
        console.log('pong', error, typeof duration, String(payload));
        const stream = client.request({ ':path': '/slow' });
        stream.on('response', (headers) => console.log(headers[':status']));
        stream.resume();
        stream.on('close', () => {
          client.setTimeout(20, () => {
            console.log('session timeout');
            client.goaway(0, 0, Buffer.from('data'));
            client.unref();
            client.ref();
            client.close(async () => {
              console.log('closed', client.closed, client.destroyed, client.socket);
              await overPair();
              const pinging = http2.connect(`http://127.0.0.1:${server.address().port}`, { maxOutstandingPings: 1 }, () => {
                pinging.ping(() => {
                  console.log('first');
                  pinging.destroy();
                });
                console.log(pinging.ping((error) => console.log(error.code)));
              });
              pinging.on('close', () => server.close(() => console.log('over')));
            });
          });
        });
      }));
    });
  });
});
