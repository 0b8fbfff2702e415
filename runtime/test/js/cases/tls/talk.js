// Names, protocols, sessions, large data and both ends of a connection.
const tls = require('tls');
const fs = require('fs');
const crypto = require('crypto');

const read = (name) => fs.readFileSync(`${__dirname}/support/${name}.pem`);
const ca = read('ca');
const server = tls.createServer({
  key: read('server-key'), cert: read('server'), ALPNProtocols: ['b', 'a'],
  SNICallback(name, callback) {
    console.log('asked for', name);
    setImmediate(callback, null, name === 'other.example' ? tls.createSecureContext({ key: read('other-key'), cert: read('other') }) : undefined);
  },
}, (socket) => {
  if (socket.alpnProtocol === 'a') {
    const hash = crypto.createHash('sha256');
    socket.on('data', (data) => hash.update(data));
    socket.on('end', () => socket.end(hash.digest('hex')));
  } else {
    socket.end(`${socket.servername} ${socket.alpnProtocol}`);
  }
});

function talk(options, body) {
  return new Promise((resolve, reject) => {
    let text = '';
    let session;
    const socket = tls.connect({ port: server.address().port, host: '127.0.0.1', ca, ...options });
    socket.on('secureConnect', () => {
      const name = socket.isSessionReused() ? 'reused' : socket.getPeerCertificate().subject.CN;
      text = `${name} ${socket.alpnProtocol}: `;
      if (body) socket.end(body);
    });
    socket.on('session', (data) => { session = data; });
    socket.on('data', (data) => { text += data; });
    socket.on('error', reject);
    socket.on('close', () => resolve([text, session]));
  });
}

server.listen(0, '127.0.0.1', async () => {
  console.log((await talk({ servername: 'localhost' }))[0]);
  console.log((await talk({ servername: 'other.example', ALPNProtocols: ['x', 'b'] }))[0]);
  const body = Buffer.alloc(3_000_000, 'abcdefg');
  const [text] = await talk({ servername: 'localhost', ALPNProtocols: ['a'] }, body);
  console.log(text, text.endsWith(crypto.createHash('sha256').update(body).digest('hex')));
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3']) {
    const [, session] = await talk({ servername: 'localhost', maxVersion });
    console.log(maxVersion, Buffer.isBuffer(session), (await talk({ servername: 'localhost', maxVersion, session }))[0]);
  }
  server.close();
});
