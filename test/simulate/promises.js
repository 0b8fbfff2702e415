'use strict';
// A program of random steps that checks, while it runs, what no schedule may break: `promises.js NUMBER` builds the program of that
// number. doc/STEERING.md lists the rules by these names. Exit code 3: a rule is broken, and its name is printed. The steps are the
// same in every run of a number; only their order differs.

const fs = require('fs');
const net = require('net');
const dgram = require('dgram');
const os = require('os');
const path = require('path');
const { spawn } = require('child_process');
const { performance } = require('perf_hooks');

let state = Number(process.argv[2]) * 2654435761;
// A number from 0 to n - 1.
function draw(n) {
  state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
  return (state >>> 8) % n;
}

function check(isKept, rule, words) {
  if (isKept) return;
  console.log(`${rule}: ${words}`);
  process.exit(3);
}

let left = 40 + draw(40); // steps
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-promises-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

// ---- the rules ----

// `ticks`: between two callbacks of the loop, ticks come, then microtasks, and ticks again, until there are none.
function ticks() {
  const seen = [];
  Promise.resolve().then(() => seen.push('microtask')).then(() => seen.push('microtask'));
  queueMicrotask(() => process.nextTick(() => seen.push('late tick')));
  process.nextTick(() => seen.push('tick'));
  const name = seen.length;
  setImmediate(() => check(seen.length === 4 && name === 0, 'ticks', `before the next callback came ${seen}`));
}

// In a callback of the loop, ticks come first. (A tick or a microtask that is running is not such a callback.)
function tickOrder() {
  const seen = [];
  Promise.resolve().then(() => seen.push('microtask'));
  process.nextTick(() => {
    seen.push('tick');
    process.nextTick(() => check(`${seen}` === 'tick', 'ticks', `${seen}`));
  });
}

// `timers`: no timer comes before its time (to the millisecond, by which the loop counts), and those of one duration come as they were
// set. (Those of different durations may change places when the loop is late: Node keeps a list for each duration.)
const set = new Map(); // duration -> numbers
let setTimers = 0;
function timer() {
  const duration = [1, 1, 2, 5, 10, 30][draw(6)],
    began = performance.now(),
    number = ++setTimers;
  if (!set.has(duration)) set.set(duration, []);
  set.get(duration).push(number);
  setTimeout(() => {
    const took = performance.now() - began;
    check(took > duration - 2, 'timers', `a timer of ${duration} ms comes after ${took}`);
    check(set.get(duration).shift() === number, 'timers', 'two timers of one duration change places');
    step();
  }, duration);
}

// `immediates`: they come as they were set; those that they set come in another iteration, after the poll phase and the timers.
let immediates = 0,
  seenImmediates = 0;
function immediate() {
  const number = ++immediates;
  setImmediate(() => {
    check(++seenImmediates === number, 'immediates', `number ${number} comes as number ${seenImmediates}`);
    step();
  });
}

// `check`: after a callback of the poll phase, its immediates come before its timers.
function checkPhase() {
  fs.stat(folder, () => {
    let hasCome = false;
    setTimeout(() => check(hasCome, 'check', 'a timer of 0 ms comes before an immediate, both set in the poll phase'), 0);
    setImmediate(() => {
      hasCome = true;
      step();
    });
  });
}

// `files`: what an operation has done is done when its callback comes, and one that begins then sees it.
let files = 0;
function file() {
  const name = path.join(folder, `${++files}`),
    text = 'x'.repeat(draw(5000));
  fs.writeFile(name, text, (error) => {
    check(error === null, 'files', `${error}`);
    check(fs.readFileSync(name, 'utf8') === text, 'files', 'what was written is not there');
    fs.appendFile(name, 'y', () => {
      fs.readFile(name, 'utf8', (failed, data) => {
        check(data === `${text}y`, 'files', `${data?.length} of ${text.length + 1} bytes were read`);
        fs.unlink(name, () => {
          check(!fs.existsSync(name), 'files', 'it is still there');
          step();
        });
      });
    });
  });
}

// `streams`: bytes come in their order, all of them, then the end, then `close`; a connection is there before its data.
function connection() {
  const length = 1 + draw(20000),
    sent = Buffer.from(Array.from({ length }, (_, i) => i % 251));
  const server = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1', () => {
    const got = [];
    let isConnected = false,
      hasEnded = false;
    const client = net.connect(server.address().port, '127.0.0.1', () => {
      isConnected = true;
      const at = draw(length);
      client.write(sent.subarray(0, at));
      client.end(sent.subarray(at));
    });
    client.on('data', (data) => {
      check(isConnected && !hasEnded, 'streams', 'data before the connection or after the end');
      got.push(data);
    });
    client.on('end', () => {
      hasEnded = true;
      check(Buffer.concat(got).equals(sent), 'streams', `of ${length} bytes came others`);
    });
    client.on('close', () => {
      check(hasEnded, 'streams', 'close before the end');
      server.close(step);
    });
  });
}

// `datagrams`: on this machine, those of one socket to another come in their order, and whole.
function datagrams() {
  const receiver = dgram.createSocket('udp4'),
    sender = dgram.createSocket('udp4');
  let next = 0;
  receiver.on('message', (message) => {
    check(`${message}` === `${next++}`, 'datagrams', `${message} came as ${next - 1}`);
    if (next === 5) receiver.close(() => sender.close(step));
  });
  receiver.bind(0, '127.0.0.1', () => {
    for (let i = 0; i < 5; i++) sender.send(`${i}`, receiver.address().port, '127.0.0.1');
  });
}

// `children`: the output of a child comes before `close`, and `exit` does.
function child() {
  const started = spawn('/bin/sh', ['-c', 'echo a; echo b']);
  let text = '',
    hasEnded = false;
  started.stdout.on('data', (data) => { text += data; });
  started.on('exit', () => { hasEnded = true; });
  started.on('close', () => {
    check(hasEnded && text === 'a\nb\n', 'children', `${JSON.stringify(text)}, exit: ${hasEnded}`);
    step();
  });
}

// `closing`: after close(), no callback of the handle comes but that of close.
function closing() {
  const server = net.createServer(() => check(false, 'closing', 'a connection after close')).listen(0, '127.0.0.1', () => {
    const port = server.address().port;
    server.close(() => {
      net.connect(port, '127.0.0.1').on('error', () => step()).on('connect', () => check(false, 'closing', 'it listens'));
    });
  });
  const cleared = setTimeout(() => check(false, 'closing', 'a timer that was cleared'), 1);
  fs.stat(folder, () => clearTimeout(cleared));
  const other = setTimeout(() => check(false, 'closing', 'a timer that was cleared'), 5);
  clearTimeout(other);
  clearTimeout(cleared);
}

const kSteps = [timer, timer, timer, immediate, immediate, checkPhase, file, file, connection, datagrams, closing];

function step() {
  ticks();
  if (left-- <= 0) return;
  if (draw(30) === 0) child();
  else kSteps[draw(kSteps.length)]();
  if (draw(4) === 0) step();
}

setImmediate(tickOrder);
for (let i = 0; i < 4; i++) step();
