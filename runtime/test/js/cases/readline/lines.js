'use strict';

// Lines of a stream, lines edited on a terminal (which here is a stream that records its output), questions, iteration.
const readline = require('readline');
const { PassThrough, Readable } = require('stream');

async function main() {
  const seen = [];
  for await (const line of readline.createInterface({ input: Readable.from(['a\nb', '\r', '\nc\u2028d\re']) })) seen.push(line);
  console.log(seen);

  const input = new PassThrough();
  const output = new PassThrough({ encoding: 'utf8' });
  let shown = '';
  output.on('data', (text) => { shown += text; });
  output.columns = 20;
  const rl = readline.createInterface({ input, output, terminal: true, prompt: '$ ', completer: (line) => [['alpha', 'alpine', 'beta'].filter((w) => w.startsWith(line)), line] });
  rl.on('line', (line) => console.log('line', JSON.stringify(line)));
  rl.on('history', (list) => console.log('history', list));
  const keys = async (text) => {
    input.write(text);
    await new Promise(setImmediate);
    console.log(JSON.stringify(rl.line), rl.cursor, JSON.stringify(shown));
    shown = '';
  };
  rl.prompt();
  await keys('hello world');
  await keys('\x1b[D\x1b[D');
  await keys('X');
  await keys('\x01');
  await keys('\x1bf');
  await keys('\x17');
  await keys('\x19');
  await keys('\x0b');
  await keys('\x1f');
  await keys('\x05\x7f\x15');
  await keys('some text that is longer than a row');
  await keys('\r');
  await keys('\x1b[A');
  await keys('\x15al');
  await keys('\t');
  await keys('\t');
  await keys('\x15');
  rl.question('who? ', (name) => console.log('answer', name));
  await keys('me\n');
  await keys('\x1b');
  readline.cursorTo(output, 3, 4);
  readline.moveCursor(output, -1, 2);
  readline.clearLine(output, 0);
  readline.clearScreenDown(output);
  await keys('');
  rl.on('close', () => console.log('closed'));
  await keys('\x04');
}
main();
