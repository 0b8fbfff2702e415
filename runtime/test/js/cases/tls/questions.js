// Callbacks of the server's program during a handshake: names, protocols, staples, sessions, shared keys; synchronous and asynchronous.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));
const key = read('server-key.pem');
const cert = read('server.pem');
const ca = read('ca.pem');

function talk(title, serverOptions, clientOptions, prepare) {
  return new Promise((resolve) => {
    const notes = [];
    const note = (...words) => notes.push(words.join(' '));
    const server = tls.createServer({ key, cert, ...serverOptions }, (socket) => {
      note('server', socket.servername, socket.alpnProtocol, socket.isSessionReused());
      socket.end('x');
    });
    server.on('tlsClientError', (error) => note('tlsClientError', error.code));
    prepare?.(server, note);
    server.listen(0, () => {
      const client = tls.connect({ port: server.address().port, ca, checkServerIdentity: () => {}, ...clientOptions });
      let session;
      client.on('session', (bytes) => (session = bytes));
      client.on('secureConnect', () => note('client', client.alpnProtocol, client.authorized, client.isSessionReused()));
      client.on('OCSPResponse', (bytes) => note('staple', bytes));
      // What an alert is called depends on the version of OpenSSL.
      client.on('error', (error) => note('client error', error.code.replace('SSL/TLS', 'SSLV3'), (error.reason ?? '').replace('ssl/tls', 'sslv3')));
      client.on('close', () => {
        server.close(() => {
          console.log(`${title}: ${notes.sort().join(' | ')}`);
          resolve(session);
        });
      });
      client.resume();
    });
  });
}

(async () => {
  await talk('name at once', { SNICallback: (name, callback) => callback(null, tls.createSecureContext({ key, cert })) }, { servername: 'a.example' });
  await talk('name later', { SNICallback: (name, callback) => setTimeout(callback, 5, null, null) }, { servername: 'b.example' });
  await talk('name refused', { SNICallback: (name, callback) => callback(new Error('no')) }, { servername: 'c.example' });
  await talk('protocol', { ALPNProtocols: ['one', 'two'] }, { ALPNProtocols: ['two', 'three'] });
  await talk('no protocol', { ALPNProtocols: ['one'] }, { ALPNProtocols: ['two'] });
  await talk('protocol chosen', { ALPNCallback: ({ protocols }) => protocols.at(-1) }, { ALPNProtocols: ['two', 'three'] });
  await talk('staple', {}, { requestOCSP: true }, (server, note) => {
    server.on('OCSPRequest', (certificate, issuer, callback) => {
      note('asked', certificate.length > 100);
      setTimeout(callback, 5, null, Buffer.from('good'));
    });
  });
  await talk('no staple', {}, { requestOCSP: true });
  const store = new Map();
  const kept = { maxVersion: 'TLSv1.2', secureOptions: require('crypto').constants.SSL_OP_NO_TICKET };
  const keep = (server, note) => {
    server.on('newSession', (id, bytes, callback) => {
      note('new session', id.length);
      store.set(id.toString('hex'), bytes);
      setTimeout(callback, 5);
    });
    server.on('resumeSession', (id, callback) => {
      note('resume', store.has(id.toString('hex')));
      setTimeout(callback, 5, null, store.get(id.toString('hex')) ?? null);
    });
  };
  const session = await talk('kept session', kept, {}, keep);
  await talk('resumed session', kept, { session }, keep);
  const shared = Buffer.from('82072606b502b0f4025e90eb75fe137d', 'hex');
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const ciphers = 'PSK+HIGH:TLS_AES_128_GCM_SHA256';
    const server = { key: undefined, cert: undefined, ciphers, maxVersion, pskCallback: (socket, identity) => (identity === 'me' ? shared : null) };
    await talk(`shared key, ${maxVersion}`, server, { ciphers, pskCallback: () => ({ psk: shared, identity: 'me' }) });
    // Which alert tells of it is the library's own business.
    if (maxVersion === 'TLSv1.2') await talk('other key', server, { ciphers, pskCallback: () => ({ psk: Buffer.alloc(16), identity: 'me' }) });
  }
  const ticket = await talk('ticket', {}, {});
  console.log('a ticket', ticket.length > 100);
})();
