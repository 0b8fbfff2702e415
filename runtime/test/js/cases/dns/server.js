'use strict';
// A name server of our own: records of every type, names that do not exist, invalid answers, no answer, and a resolver that is cancelled.
const dgram = require('dgram');
const dns = require('dns');
function name(text) {
  return Buffer.concat([...text.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])), Buffer.from([0])]);
}
function record(type, ttl, data) {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xC00C, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
const u16 = (...values) => Buffer.concat(values.map((v) => Buffer.from([v >> 8, v & 255])));
const u32 = (...values) => Buffer.concat(values.map((v) => u16(v >>> 16, v & 0xffff)));
const text = (t) => Buffer.concat([Buffer.from([t.length]), Buffer.from(t)]);
const answers = {
  1: [record(1, 60, Buffer.from([1, 2, 3, 4])), record(1, 61, Buffer.from([5, 6, 7, 8]))],
  28: [record(28, 60, Buffer.from('20010db8000000000000000000000001', 'hex'))],
  2: [record(2, 60, name('ns.example.org'))],
  5: [record(5, 60, name('real.example.org'))],
  12: [record(12, 60, name('pointer.example.org'))],
  15: [record(15, 60, Buffer.concat([u16(10), name('mx.example.org')]))],
  16: [record(16, 60, Buffer.concat([text('v=1'), text('more')])), record(16, 60, text('second'))],
  33: [record(33, 60, Buffer.concat([u16(1, 2, 3), name('srv.example.org')]))],
  6: [record(6, 60, Buffer.concat([name('ns.example.org'), name('admin.example.org'), u32(1, 2, 3, 4, 5)]))],
  35: [record(35, 60, Buffer.concat([u16(1, 2), text('s'), text('SIP'), text(''), name('sip.example.org')]))],
  52: [record(52, 60, Buffer.from([3, 1, 1, 171, 205]))],
  257: [record(257, 60, Buffer.concat([Buffer.from([0]), text('issue'), Buffer.from('ca.example.org')]))],
};
answers[255] = [33, 2, 16, 15, 28, 1].flatMap((type) => answers[type]);
const server = dgram.createSocket('udp4', (query, from) => {
  let at = 12;
  const labels = [];
  while (query[at] !== 0) {
    labels.push(query.subarray(at + 1, at + 1 + query[at]).toString());
    at += query[at] + 1;
  }
  const type = query.readUInt16BE(at + 1);
  const question = query.subarray(12, at + 5);
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  const reply = (flags, list) => {
    head.writeUInt16BE(flags, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(list.length, 6);
    server.send(Buffer.concat([head, question, ...list]), from.port, from.address);
  };
  switch (labels[0]) {
    case 'missing': return reply(0x8183, []);
    case 'broken': return reply(0x8182, []);
    case 'refused': return reply(0x8185, []);
    case 'empty': return reply(0x8180, []);
    case 'silent': return undefined;
    case 'cut': return reply(0x8180, [record(type, 60, Buffer.from([1, 2])).subarray(0, 13)]);
    case 'loop': return reply(0x8180, [record(5, 60, u16(0xC000 + 12 + question.length + 12))]);
    default: return reply(0x8180, answers[type] ?? []);
  }
});
server.bind(0, '127.0.0.1', async () => {
  const [resolver, hurried] = [20000, 300].map((timeout) => new dns.promises.Resolver({ timeout, tries: 1 }));
  for (const one of [resolver, hurried]) one.setServers([`127.0.0.1:${server.address().port}`]);
  console.log(resolver.getServers().length);
  const show = async (what, promise) => console.log(what, await promise.catch((e) => [e.code, e.syscall, e.hostname, e.message]));
  for (const type of ['A', 'AAAA', 'NS', 'CNAME', 'PTR', 'MX', 'TXT', 'SRV', 'SOA', 'NAPTR', 'CAA', 'TLSA', 'ANY']) await show(type, resolver.resolve('good.example.org', type));
  await show('ttl', resolver.resolve4('good.example.org', { ttl: true }));
  for (const host of ['missing', 'broken', 'refused', 'empty', 'silent', 'cut']) await show(host, (host === 'silent' ? hurried : resolver).resolve4(`${host}.example.org`));
  const looped = await resolver.resolveCname('loop.example.org').catch((e) => e);
  console.log('loop', looped instanceof Error);
  await show('reverse', resolver.reverse('10.1.2.3'));
  const pending = show('cancelled', resolver.resolve4('silent.example.org'));
  resolver.cancel();
  await pending;
  server.close();
  dns.lookup('127.0.0.1', (...args) => {
    console.log(args);
    dns.lookup('localhost', { all: true, family: 4 }, (...all) => {
      console.log([all[0], all[1].slice(0, 1)]); // Debian's /etc/hosts names it twice
      dns.lookup('no such host', (error) => {
        console.log(error.code, error.syscall, error.hostname);
        dns.lookupService('127.0.0.1', 22, (none, host, service) => console.log(none, host, service));
      });
    });
  });
});
