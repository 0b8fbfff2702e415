'use strict';
// A race: the end of a stream that nobody hears. The file is streamed into memory; the listener for its end is added when the name of
// the owner has been looked up, which is over long before, unless that takes its time.
//
//   rota fuzz examples/races/stream.js

const assert = require('assert');
const fs = require('fs');

let copied = false;

async function main() {
  const chunks = [];
  const stream = fs.createReadStream(__filename, { highWaterMark: 64 });
  stream.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve) => stream.on('end', resolve));
  const { uid } = await fs.promises.stat(__filename);
  await ended;
  copied = chunks.length > 0 && uid >= 0;
}

process.on('exit', () => assert(copied, 'the end of the stream was missed'));
main();
