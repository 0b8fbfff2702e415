'use strict';
// Input from the channel is not trusted: invalid frames are errors, and nothing else happens.
const { fork } = require('child_process');
const fs = require('fs');

// The same numbers each time.
let seed = 42;
const random = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 65536) % n;
};

if (process.argv[2] === 'frames') {
  // Each frame is followed by a good one in a write of its own, and the parent's answer is awaited.
  const frames = ['{oops', '', '[1,', 'nul', '{"a":1}', '"text"', '\u0000\u0001', '}{', '-', '{"__proto__":{"polluted":1}}', '"\\ud800"', '1e999', '[[[[[[', 'true x'];
  let at = 0;
  const next = () => {
    if (at === frames.length) {
      process.disconnect();
      return;
    }
    fs.writeSync(process.channel.fd, `${frames[at++]}\n`);
    setTimeout(() => process.send('next'), 20);
  };
  process.on('message', next);
  next();
} else if (process.argv[2] === 'noise') {
  for (let i = 0; i < 100; i++) {
    const body = Buffer.from(Array.from({ length: random(60) }, () => random(256)));
    const head = Buffer.alloc(4);
    head.writeUInt32BE(body.length);
    try {
      fs.writeSync(process.channel.fd, Buffer.concat([head, body]));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
  setTimeout(() => process.disconnect(), 50);
} else if (process.argv[2] === 'values') {
  process.on('message', (value) => process.send(value));
} else {
  run();
}

function run() {
  const errors = [];
  process.on('uncaughtException', (error) => errors.push(error.name));
  const child = fork(__filename, ['frames']);
  child.on('message', (message) => {
    if (message === 'next') {
      console.log(errors.splice(0).join() || 'no error');
      child.send('go on');
    } else {
      console.log(message, {}.polluted);
    }
  });
  child.on('close', (code) => {
    console.log('closed', code);
    noise(errors);
  });
}

function noise(errors) {
  const child = fork(__filename, ['noise'], { serialization: 'advanced' });
  child.on('message', () => {});
  child.on('close', (code) => {
    console.log('closed', code, errors.length > 0);
    values();
  });
}

function values() {
  const cycle = { name: 'cycle', list: [1, , 3], map: new Map([['a', new Set([1, 2])]]) };
  cycle.self = cycle;
  const list = [cycle, new Date(0), /a+b/gi, 12345678901234567890n, -0, NaN, undefined, null, Buffer.from('bytes'), new Float64Array([1.5, -2]),
    new Error('mistake', { cause: 'why' }), 'a\u0100\ud83d\ude00', new Uint8Array(3).buffer, Object(true), { __proto__: null, x: 1 }];
  const child = fork(__filename, ['values'], { serialization: 'advanced' });
  let at = 0;
  child.on('message', ({ value }) => {
    if (value instanceof Error) console.log(value.name, value.message, value.cause);
    else console.log(value);
    if (++at < list.length) child.send({ value: list[at] });
    else child.disconnect();
  });
  child.on('exit', (code) => console.log('exit', code));
  child.send({ value: list[0] });
  try {
    child.send({ value: () => {} });
  } catch (error) {
    console.log(error.name);
  }
}
