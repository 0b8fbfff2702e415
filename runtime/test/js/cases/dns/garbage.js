'use strict';
// Name servers with invalid answers: truncated names, cyclic pointers, counts without records, lengths beyond the end, noise.
// Every question gets its answer, which is an error or a record; and the next good answer is still understood.
const dgram = require('dgram');
const dns = require('dns');

let seed = 7;
const random = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 65536) % n;
};

function head(query, answers) {
  const bytes = Buffer.alloc(12);
  query.copy(bytes, 0, 0, 2);
  bytes.writeUInt16BE(0x8180, 2);
  bytes.writeUInt16BE(1, 4);
  bytes.writeUInt16BE(answers, 6);
  return bytes;
}

function record(name, type, data, length = data.length) {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(length, 8);
  return Buffer.concat([name, fixed, data]);
}

const pointer = (to) => Buffer.from([0xc0 | to >> 8, to & 255]);
const question = (query) => query.subarray(12, query.indexOf(0, 12) + 5);
const a = Buffer.from([1, 2, 3, 4]);

// Each makes an answer of a question.
const tricks = {
  'good': (query) => [head(query, 1), question(query), record(pointer(12), 1, a)],
  'pointer to itself': (query) => [head(query, 1), question(query), record(pointer(12 + question(query).length), 1, a)],
  'pointer beyond the end': (query) => [head(query, 1), question(query), record(pointer(0x3fff), 1, a)],
  'name without end': (query) => [head(query, 1), question(query), Buffer.from([63, 97, 98])],
  'label of a wrong kind': (query) => [head(query, 1), question(query), record(Buffer.from([0x80, 1, 0]), 1, a)],
  'length beyond the end': (query) => [head(query, 1), question(query), record(pointer(12), 1, a, 4000)],
  'address too short': (query) => [head(query, 1), question(query), record(pointer(12), 1, Buffer.from([1, 2]))],
  'more records than there are': (query) => [head(query, 65535), question(query), record(pointer(12), 1, a)],
  'CNAME in a circle': (query) => [head(query, 1), question(query), record(pointer(12), 5, pointer(12 + question(query).length + 12))],
  'record cut off': (query) => [head(query, 1), question(query), record(pointer(12), 1, a).subarray(0, 9)],
};

let answer = tricks.good;
const server = dgram.createSocket('udp4', (query, from) => {
  server.send(Buffer.concat(answer(query)), from.port, from.address);
});

server.bind(0, '127.0.0.1', async () => {
  // Noise may be no answer at all, which the hurried one does not wait for; what must be understood may take its time.
  const [patient, hurried] = [20000, 100].map((timeout) => new dns.promises.Resolver({ timeout, tries: 1 }));
  for (const resolver of [patient, hurried]) resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const ask = (resolver, method) => resolver[method]('example.org').then(() => 'records', () => 'error');
  for (const [name, trick] of Object.entries(tricks)) {
    answer = trick;
    console.log(name, '->', await ask(patient, 'resolve4'));
  }
  // Records of every type with noise for data, and good answers with bytes changed.
  const methods = ['resolve4', 'resolve6', 'resolveMx', 'resolveTxt', 'resolveSrv', 'resolveNs', 'resolveSoa', 'resolveNaptr', 'resolveCaa', 'resolveAny', 'resolveCname', 'resolvePtr'];
  const types = [1, 28, 15, 16, 33, 2, 6, 35, 257, 1, 5, 12];
  let answered = 0;
  for (let i = 0; i < 120; i++) {
    const which = i % methods.length;
    answer = (query) => {
      const noise = Buffer.from(Array.from({ length: random(40) }, () => random(256)));
      const bytes = Buffer.concat([head(query, 1), question(query), record(pointer(12), types[which], noise)]);
      if (i >= 60) bytes[12 + random(bytes.length - 12)] = random(256);
      return [bytes];
    };
    const result = await ask(hurried, methods[which]);
    if (result === 'records' || result === 'error') answered++;
  }
  console.log('answered', answered);
  answer = tricks.good;
  console.log(await patient.resolve4('example.org'));
  server.close();
});
