// Over TLS: protocols, origins, alternatives, clients of HTTP/1, and what is no HTTP/2 at all.
const http2 = require('http2');
const https = require('https');
const tls = require('tls');
const fs = require('fs');

const read = (name) => fs.readFileSync(`${__dirname}/../tls/support/${name}.pem`);
const ca = read('ca');
const server = http2.createSecureServer({ key: read('server-key'), cert: read('server'), allowHTTP1: true, origins: ['https://one.example/x'] },
  (request, response) => {
    logs.server.push(['request', request.httpVersion, request.method, request.url, request.socket.alpnProtocol, request.stream !== undefined].join(' '));
    response.setHeader('x-version', request.httpVersion);
    response.end(`over ${request.httpVersion}`);
  });
server.on('session', (session) => {
  logs.server.push(`session ${session.alpnProtocol} ${session.encrypted} ${session.type}`);
  session.altsvc('h2=":8000"', 'https://two.example:1/y');
});

const logs = { server: [] };
const options = { ca, host: '127.0.0.1', servername: 'localhost' };

function overTwo(port) {
  return new Promise((resolve) => {
    const client = http2.connect(`https://localhost:${port}`, options);
    client.on('connect', () => console.log('connected', client.alpnProtocol, client.encrypted, client.originSet.length));
    client.on('origin', (origins) => console.log('origin', origins.join(), client.originSet.length));
    client.on('altsvc', (value, origin, id) => console.log('altsvc', value, origin, id));
    const stream = client.request({ ':path': '/two' });
    let text = '';
    stream.on('response', (headers) => console.log('response', headers[':status'], headers['x-version']));
    stream.on('data', (chunk) => { text += chunk; });
    stream.on('close', () => {
      console.log(text);
      client.close(resolve);
    });
  });
}

function overOne(port) {
  return new Promise((resolve) => {
    https.get({ ...options, port, path: '/one', agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => { text += chunk; });
      response.on('end', () => {
        console.log('http1', response.statusCode, response.headers['x-version'], text);
        resolve();
      });
    });
  });
}

function withoutProtocol() {
  const strict = http2.createSecureServer({ key: read('server-key'), cert: read('server') });
  return new Promise((resolve) => {
    strict.listen(0, '127.0.0.1', () => {
      let text = '';
      const socket = tls.connect({ ...options, port: strict.address().port });
      socket.on('data', (chunk) => { text += chunk; });
      socket.on('end', () => {
        console.log(JSON.stringify(text));
        strict.on('unknownProtocol', (other) => {
          console.log('unknownProtocol', other.alpnProtocol);
          other.end('bye');
        });
        const again = tls.connect({ ...options, port: strict.address().port });
        again.on('data', (chunk) => console.log(String(chunk)));
        again.on('end', () => strict.close(resolve));
      });
    });
  });
}

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await overTwo(port);
  await overOne(port);
  console.log(logs.server.join('\n'));
  await withoutProtocol();
  server.close(() => console.log('closed'));
});
