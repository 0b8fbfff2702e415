// TLS on a stream that is no socket, on a socket that was in use, TLS inside of TLS, and what a carrier can still do.
const fs = require('fs');
const net = require('net');
const path = require('path');
const tls = require('tls');
const { Duplex } = require('stream');

const read = (name) => fs.readFileSync(path.join(__dirname, 'support', name));
const key = read('server-key.pem');
const cert = read('server.pem');
const ca = read('ca.pem');
const secureContext = tls.createSecureContext({ key, cert, ca });

function pair() {
  const sides = [];
  for (const other of [1, 0]) {
    sides.push(new Duplex({
      read() {},
      write(chunk, encoding, callback) {
        setImmediate(() => {
          sides[other].push(chunk);
          callback();
        });
      },
      final(callback) {
        sides[other].push(null);
        callback();
      },
    }));
  }
  return sides;
}

function exchange(title, near, far, done) {
  const server = new tls.TLSSocket(near, { isServer: true, secureContext });
  const client = tls.connect({ socket: far, ca, servername: 'localhost', checkServerIdentity: () => {} });
  const received = [];
  server.on('data', (chunk) => server.write(String(chunk).toUpperCase()));
  server.on('end', () => server.end());
  client.on('secureConnect', () => client.write('hello'));
  client.once('data', () => client.end('bye'));
  client.on('data', (chunk) => received.push(String(chunk)));
  client.on('close', () => {
    console.log(title, received.join(), client.authorized, client.bytesRead, client.bytesWritten);
    done();
  });
  return { server, client };
}

function overSockets(title, use, done) {
  const listener = net.createServer((near) => {
    listener.close();
    use(near, far);
  }).listen(0, () => {
    far = net.connect(listener.address().port);
  });
  let far;
  if (done) listener.on('close', done);
}

exchange('duplex', ...pair(), () => {
  overSockets('socket', (near, far) => exchange('socket', near, far, () => {
    overSockets('after words', (near, far) => {
      near.once('data', (word) => {
        console.log('before TLS:', String(word));
        near.write('go');
      });
      far.once('data', (word) => {
        console.log('before TLS:', String(word));
        exchange('after words', near, far, () => {
          overSockets('twice', (near, far) => {
            const outer = new tls.TLSSocket(near, { isServer: true, secureContext });
            const inner = tls.connect({ socket: far, ca, servername: 'localhost', checkServerIdentity: () => {} }, () => {
              exchange('twice', outer, inner, () => {
                overSockets('spoilt', (near, far) => {
                  const { server, client } = exchange('spoilt', near, far, () => {});
                  server.on('error', () => {});
                  client.on('error', (error) => console.log('client:', error.library, error.code?.slice(0, 8)));
                  client.once('data', () => far.write(Buffer.alloc(16, 0xff)));
                });
              });
            });
          });
        });
      });
      far.write('start');
    });
  }));
});
