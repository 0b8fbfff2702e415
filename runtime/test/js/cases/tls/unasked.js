// A client's TLSSocket on a Duplex sends nothing before the first write; packages look for its parts meanwhile.
const tls = require('tls');
const { Duplex, PassThrough } = require('stream');

const Wrapped = new tls.TLSSocket(new PassThrough())._handle._parentWrap.constructor;
console.log(Wrapped.name, new Wrapped(new PassThrough()) instanceof Duplex);

let bytes = 0;
const carrier = new Duplex({
  read() {},
  write(chunk, encoding, callback) {
    bytes += chunk.length;
    callback();
  },
});
const socket = new tls.TLSSocket(carrier);
socket.on('error', () => {});
setTimeout(() => {
  console.log('before', bytes);
  socket.write('x');
  setTimeout(() => {
    console.log('after', bytes > 100);
    socket.destroy();
  }, 20);
}, 20);

const echo = new Wrapped(new PassThrough());
echo.on('data', (chunk) => console.log(String(chunk)));
echo.on('end', () => console.log('end'));
echo.end('through');
