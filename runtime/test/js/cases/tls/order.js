// What happens when, on both sides of a connection, with TLS 1.2 and 1.3.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));
const key = read('server-key.pem');
const cert = read('server.pem');
const ca = read('ca.pem');

function run(version, next) {
  const log = (...words) => console.log(version, ...words);
  const server = tls.createServer({ key, cert, maxVersion: version, minVersion: version });
  server.on('connection', (raw) => {
    log('server: connection');
    raw.on('close', () => log('server: raw close'));
  });
  server.on('secureConnection', (socket) => {
    log('server: secureConnection', socket.authorized, socket.authorizationError, socket.servername, socket.alpnProtocol);
    socket.on('data', (data) => {
      log('server: data', String(data), socket.bytesRead);
      if (socket.bytesRead === 9) socket.end('bye');
    });
    socket.on('end', () => log('server: end'));
    socket.on('close', (failed) => log('server: close', failed));
  });
  server.listen(0, () => {
    const client = tls.connect({ port: server.address().port, host: '127.0.0.1', servername: 'localhost', ca, checkServerIdentity: () => void log('client: identity') });
    log('client:', client.connecting, client.secureConnecting, client.encrypted, client.authorized, client.readyState);
    client.write('early');
    client.on('connect', () => log('client: connect'));
    client.on('ready', () => log('client: ready'));
    client.on('secureConnect', () => {
      log('client: secureConnect', client.authorized, client.getProtocol(), client.isSessionReused(), client.bytesWritten, client.readyState);
      client.write('late');
    });
    client.on('data', (data) => log('client: data', String(data)));
    client.on('end', () => log('client: end'));
    client.on('close', (failed) => {
      log('client: close', failed, client.bytesRead, client.bytesWritten);
      server.close(next);
    });
  });
}
// The two sides take turns in one process: only the order on each side is certain.
const lines = [];
console.log = (...words) => lines.push(words.join(' '));
run('TLSv1.2', () => run('TLSv1.3', () => {}));
process.on('exit', () => {
  process.stdout.write(`${[...lines.filter((line) => line.includes('client:')), ...lines.filter((line) => line.includes('server:'))].join('\n')}\n`);
});
