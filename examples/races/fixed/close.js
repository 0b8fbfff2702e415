'use strict';
// A race: a file that is closed while it is read. The reader takes the file in pieces; whoever ends the program closes it after half a
// second, which is more than a small file needs.
//
//   rota fuzz examples/races/close.js

const assert = require('assert');
const fs = require('fs');

async function main() {
  const file = await fs.promises.open(__filename);
  let over = false;

  async function readAll() {
    const buffer = Buffer.alloc(256);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) break;
      size += bytesRead;
    }
    over = true;
    return size;
  }

  const reading = readAll();
  setTimeout(async function end() {
    await reading;
    await file.close();
    assert(over, 'closed while it was read');
  }, 500);
  assert.strictEqual(await reading, (await fs.promises.stat(__filename)).size);
}

main();
