// Verification: a certificate that is wrong, expired, foreign or self-signed is refused, with the reason.
const tls = require('tls');
const https = require('https');
const fs = require('fs');

const read = (name) => fs.readFileSync(`${__dirname}/support/${name}.pem`);
const ca = read('ca');
const servers = {};
const first = (text) => text.split(';')[0];

function attempt(name, port, options) {
  return new Promise((resolve) => {
    const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ...options }, () => {
      console.log(name, '-> connected', socket.authorized, socket.authorizationError, socket.getProtocol());
      socket.end();
    });
    socket.on('data', () => {});
    socket.on('error', (error) => console.log(name, '->', error.code.startsWith('ERR_SSL') ? 'refused' : `${error.code} ${first(error.message)}`));
    socket.on('close', resolve);
  });
}

async function main() {
  for (const name of ['server', 'expired', 'other', 'self']) {
    const server = tls.createServer({ key: read(`${name}-key`), cert: read(name) }, (socket) => socket.end('hello'));
    server.on('tlsClientError', () => {});
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    servers[name] = server;
  }
  const port = (name) => servers[name].address().port;
  await attempt('good', port('server'), { ca });
  await attempt('by address', port('server'), { ca, servername: undefined });
  await attempt('TLS 1.2', port('server'), { ca, maxVersion: 'TLSv1.2' });
  await attempt('foreign', port('server'), {});
  await attempt('foreign, allowed', port('server'), { rejectUnauthorized: false });
  await attempt('expired', port('expired'), { ca });
  await attempt('other name', port('other'), { ca });
  await attempt('other name, allowed', port('other'), { ca, rejectUnauthorized: false });
  await attempt('own check', port('other'), { ca, checkServerIdentity: () => undefined });
  await attempt('self-signed', port('self'), { ca });
  await attempt('self-signed, trusted', port('self'), { ca: read('self') });
  await attempt('too new', port('server'), { ca, minVersion: 'TLSv1.3', maxVersion: 'TLSv1.3' });

  const strict = tls.createServer({ key: read('server-key'), cert: read('server'), ca, requestCert: true, maxVersion: 'TLSv1.2' }, (socket) => {
    console.log('server sees', socket.authorized, socket.getPeerCertificate().subject.CN);
    socket.end();
  });
  strict.on('tlsClientError', (error) => console.log('server refuses', error.code));
  await new Promise((resolve) => strict.listen(0, '127.0.0.1', resolve));
  await attempt('with a certificate', strict.address().port, { ca, key: read('client-key'), cert: read('client') });
  await attempt('without one', strict.address().port, { ca });
  strict.close();

  await new Promise((resolve) => {
    https.get({ port: port('expired'), host: 'localhost', ca }, () => {}).on('error', (error) => {
      console.log('https', error.code);
      resolve();
    });
  });
  for (const server of Object.values(servers)) server.close();
}
main();
