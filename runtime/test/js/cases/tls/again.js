// Another handshake on the same connection: begun, refused, too often, and with a version that has none.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));
const options = { key: read('server-key.pem'), cert: read('server.pem') };

function run(title, maxVersion, use, next) {
  const server = tls.createServer({ ...options, maxVersion }, (socket) => {
    socket.on('error', (error) => {
      console.log(title, 'server:', error.code, error.message);
      socket.destroy();
    });
    socket.on('secure', () => console.log(title, 'server: secure again'));
    socket.resume();
    server.socket = socket;
  });
  server.listen(0, () => {
    const client = tls.connect({ port: server.address().port, rejectUnauthorized: false });
    client.once('secureConnect', () => use(client, server));
    client.on('error', (error) => console.log(title, 'client:', error.code));
    client.on('close', () => server.close(next));
    client.resume();
  });
}

run('begun', 'TLSv1.2', (client) => {
  client.on('secureConnect', () => console.log('begun client: secure again'));
  console.log('begun', client.renegotiate({}, (error) => {
    console.log('begun', error);
    client.end();
  }));
}, () => run('refused', 'TLSv1.2', (client, server) => {
  client.write('x', () => setTimeout(() => {
    server.socket.disableRenegotiation();
    console.log('refused', client.renegotiate({}, () => console.log('never')));
  }, 20));
}, () => run('often', 'TLSv1.2', (client) => {
  let count = 0;
  const more = () => {
    count++;
    client.renegotiate({}, (error) => {
      console.log('often', count, error);
      setImmediate(more);
    });
  };
  more();
}, () => run('new', 'TLSv1.3', (client) => {
  console.log('new', client.renegotiate({}, (error) => {
    console.log('new', error.code, error.message, error.reason, error.library);
    client.end();
  }));
  for (const wrong of [[], [1], [{}, 1]]) {
    try {
      client.renegotiate(...wrong);
    } catch (error) {
      console.log('new', error.code, error.message);
    }
  }
}, () => {}))));
