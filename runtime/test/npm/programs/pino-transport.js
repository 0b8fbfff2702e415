// Lines that a transport of pino's writes, in a thread of its own: all of them arrive before the end, and in their order.
const pino = require('pino');
const fs = require('fs');
const os = require('os');
const path = require('path');
const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'pino-')), 'log');
const began = Date.now();
const transport = pino.transport({ target: 'pino/file', options: { destination: file } });
const log = pino({ base: null, timestamp: false }, transport);
for (let i = 0; i < 2000; i++) log.info({ i, text: 'x'.repeat(i % 97) }, 'line');
log.flush((error) => console.log('flushed', error));
// Without Atomics.waitAsync, waiting for the thread fails after 10 seconds.
process.on('exit', (code) => {
  const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
  fs.rmSync(path.dirname(file), { recursive: true });
  console.log(lines.length, lines.every((line, i) => JSON.parse(line).i === i));
  console.log('exit', code, Date.now() - began < 9000);
});
