const repl = require('node:repl');
const { PassThrough } = require('node:stream');

// Somebody who types a line, and the next one after 100 ms.
const lines = [
  `process.nextTick(() => console.log('a tick')); 'the value'`,
  `Promise.resolve().then(() => console.log('a job')); 'the value'`,
  `await 42`,
];
const input = new PassThrough();
repl.start({ input, output: process.stdout, terminal: false });

const typist = setInterval(function type() {
  const line = lines.shift();
  if (line === undefined) {
    clearInterval(typist);
    input.end();
    return;
  }
  console.log(line);
  input.write(line + '\n');
}, 100);
