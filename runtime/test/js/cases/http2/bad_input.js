// Clients that violate the protocol: the server's errors.
const http2 = require('http2');
const net = require('net');

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
function frame(type, flags, id, payload = Buffer.alloc(0)) {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}
const settings = frame(4, 0, 0);
const get = (id, flags = 5) => frame(1, flags, id, Buffer.from([0x82, 0x84, 0x86, 0x41, 1, 0x78]));
const inputs = {
  notHttp2: Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  dataOnIdleStream: Buffer.concat([preface, settings, frame(0, 0, 5, Buffer.from('x'))]),
  frameTooLarge: Buffer.concat([preface, settings, frame(1, 4, 1, Buffer.alloc(16385))]),
  settingsOfOddLength: Buffer.concat([preface, frame(4, 0, 0, Buffer.alloc(5))]),
  pingOfWrongLength: Buffer.concat([preface, settings, frame(6, 0, 0, Buffer.alloc(7))]),
  windowOverflow: Buffer.concat([preface, settings, frame(8, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))]),
  evenStream: Buffer.concat([preface, settings, get(2)]),
  brokenHeaders: Buffer.concat([preface, settings, frame(1, 5, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))]),
  continuationAlone: Buffer.concat([preface, settings, frame(9, 4, 1, Buffer.from([0x82]))]),
  goodRequest: Buffer.concat([preface, settings, get(1)]),
  unknownFrame: Buffer.concat([preface, settings, frame(0xee, 0, 0, Buffer.from('whatever')), get(1)]),
};

function run(name) {
  return new Promise((resolve) => {
    const said = [];
    const server = http2.createServer();
    server.on('sessionError', (error) => said.push(`sessionError ${error.code} ${error.message}`));
    server.on('stream', (stream) => {
      said.push('stream');
      stream.on('error', (error) => said.push(`stream error ${error.code}`));
      stream.respond({}, { endStream: true });
    });
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      const received = [];
      const frames = () => {
        const all = Buffer.concat(received);
        const types = [];
        for (let at = 0; at + 9 <= all.length && at + 9 + all.readUIntBE(at, 3) <= all.length; at += 9 + all.readUIntBE(at, 3)) {
          types.push(all[at + 3] === 7 ? `goaway ${all.readUInt32BE(at + 13)}` : all[at + 3]);
        }
        return types.filter((type) => type !== 8);
      };
      socket.on('data', (chunk) => {
        received.push(chunk);
        if (frames().includes(1)) socket.destroy(); // answered; who breaks the rules is cut off by the server
      });
      socket.on('error', () => {});
      socket.on('close', () => {
        console.log(name, said.join(', '), '|', frames().join(' '));
        server.close(resolve);
      });
      socket.write(inputs[name]);
    });
  });
}

(async () => {
  for (const name of Object.keys(inputs)) await run(name);
})();
