'use strict';

// Formats that come from another side, which is ours: { costs: in rounds, open: -> { sample, read, close } }. `close` tells what went wrong. See formats.js.

const crypto = require('crypto');
const dgram = require('dgram');
const dns = require('dns');
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');
const v8 = require('v8');
const { spawn, spawnSync } = require('child_process');
const { once } = require('events');

// ---- answers of a name server ----

// A record of each type, with the name as a pointer to the question.
const record = (type, ...data) => {
  const bytes = Buffer.concat(data.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : Buffer.from(each))));
  return Buffer.concat([Buffer.from([0xc0, 12, type >> 8, type & 255, 0, 1, 0, 0, 0, 60, bytes.length >> 8, bytes.length & 255]), bytes]);
};
const kName = '\x01a\x04test\0';
const kRecords = {
  A: record(1, [127, 0, 0, 1]), AAAA: record(28, new Uint8Array(16)), CNAME: record(5, kName), NS: record(2, kName), MX: record(15, [0, 5], kName), TXT: record(16, '\x03abc\x02de'),
  PTR: record(12, kName), SRV: record(33, [0, 1, 0, 2, 0, 80], kName), SOA: record(6, kName, kName, new Uint8Array(20)), CAA: record(257, [0, 5], 'issueca.test'),
  NAPTR: record(35, [0, 1, 0, 2], '\x01s\x03SIP\0', kName), TLSA: record(52, [3, 1, 1], 'hash'),
};

const answers = {
  costs: 4,
  async open() {
    let next, type;
    const server = dgram.createSocket('udp4').on('message', (question, from) => {
      // The question as it came, so that the answer is taken; then what was damaged.
      const head = Buffer.from(question.subarray(0, 12));
      head[2] = 0x81;
      head[3] = 0x80;
      head[7] = 2; // answers
      head[11] = 0; // no further records
      const end = question.indexOf(0, 12) + 5;
      server.send(Buffer.concat([head, question.subarray(12, end), next]), from.port, from.address);
    });
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    const resolver = new dns.promises.Resolver({ timeout: 300, tries: 1 });
    resolver.setServers([`127.0.0.1:${server.address().port}`]);
    const types = [...Object.keys(kRecords), 'ANY'];
    return {
      sample: (chance) => {
        type = chance.pick(types);
        return Buffer.concat([kRecords[type] ?? kRecords.MX, kRecords[chance.pick(types)] ?? kRecords.A]);
      },
      read: (bytes) => {
        next = bytes;
        return resolver.resolve('a.test', type);
      },
      close: async () => void server.close(),
    };
  },
};

// ---- frames of a WebSocket ----

const frame = (first, text, length = text.length) => Buffer.concat([Buffer.from([first, length]), Buffer.from(text)]);
const kFrames = Buffer.concat([frame(0x81, 'text'), frame(0x82, 'bytes'), frame(0x01, 'fi'), frame(0x80, 'nal'), frame(0x89, 'ping'), frame(0x8a, 'pong'), frame(0xc1, '\xaa\x56\x02\x00'),
  Buffer.from([0x82, 126, 0, 3, 1, 2, 3]), Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 9]), frame(0x88, '\x03\xe8bye')]);

const frames = {
  costs: 8,
  async open() {
    let next;
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (head) => {
        const key = /sec-websocket-key: (.*)\r/i.exec(head)[1];
        const accepted = crypto.createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
        socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accepted}\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`);
        const half = next.length >> 1;
        socket.write(next.subarray(0, half));
        setImmediate(() => socket.end(next.subarray(half)));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return {
      sample: () => kFrames,
      read: (bytes) => {
        next = bytes;
        const socket = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
        return new Promise((resolve) => {
          socket.onclose = resolve;
          socket.onerror = () => {};
          socket.onmessage = () => {};
        });
      },
      close: async () => void server.close(),
    };
  },
};

// ---- messages of a child's channel ----

const kChild = "process.on('message', () => {}); process.on('uncaughtException', () => {}); process.on('disconnect', () => process.exit(0)); setTimeout(() => process.exit(0), 20000).unref()";
const advanced = (value) => {
  const bytes = v8.serialize(value);
  const head = Buffer.alloc(4);
  head.writeUInt32BE(bytes.length);
  return Buffer.concat([head, bytes]);
};

const messages = {
  costs: 20,
  async open() {
    const troubles = [];
    return {
      sample: (chance) =>
        chance.chance(0.5)
          ? Buffer.concat([advanced({ a: [1] }), advanced('text'), advanced({ cmd: 'NODE_HANDLE', type: 'net.Socket' })])
          : Buffer.from('{"a":[1,2]}\n"text"\n{"cmd":"NODE_HANDLE","type":"net.Server"}\n{"cmd":"NODE_HANDLE_ACK"}\nnull\n'),
      read: async (bytes, chance) => {
        const env = { ...process.env, NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: chance.pick(['json', 'advanced']) };
        const child = spawn(process.execPath, ['-e', kChild], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'], env });
        let told = '';
        child.stderr.on('data', (chunk) => (told += chunk));
        child.stdio[3].on('error', () => {});
        child.stdio[3].end(bytes);
        const [code, signal] = await once(child, 'close');
        if (signal !== null || code >= 128 || /Sanitizer|runtime error/.test(told)) troubles.push(`${code} ${signal} ${told.slice(0, 3000)} of ${bytes.toString('base64')}`);
      },
      close: async () => troubles[0],
    };
  },
};

// ---- recorded schedules ----

const schedules = {
  costs: 40,
  async open() {
    const place = fs.mkdtempSync(path.join(os.tmpdir(), 'schedules-'));
    const file = path.join(place, 'recorded');
    const code = "setTimeout(() => {}, 1); require('fs').stat('.', () => {}); setImmediate(() => {})";
    spawnSync(process.execPath, ['--schedule-seed=3', `--schedule-record=${file}`, '-e', code]);
    const recorded = fs.readFileSync(file);
    let trouble;
    return {
      sample: () => recorded,
      read: async (bytes) => {
        fs.writeFileSync(file, bytes);
        const { status, signal, stderr } = spawnSync(process.execPath, [`--schedule-replay=${file}`, '-e', code], { timeout: 20000 });
        if (signal !== null || status >= 128 || /Sanitizer|runtime error/.test(stderr)) trouble ??= `${status} ${signal} ${stderr} of ${bytes.toString('base64')}`;
      },
      close: async () => {
        fs.rmSync(place, { recursive: true });
        return trouble;
      },
    };
  },
};

module.exports = { answers, frames, messages, schedules };
