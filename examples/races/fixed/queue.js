'use strict';
// A race: a queue of writes that loses the last one. While a write is under way, a newer text waits for its end. Between the moment when
// it is looked whether something waits and the end of the writing lies one more step; what comes then is never written.
//
//   rota fuzz examples/races/queue.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const file = path.join(folder, 'notes');
let writing = false;
let next;

async function save(text) {
  if (writing) {
    next = text;
    return;
  }
  writing = true;
  for (let now = text; now !== undefined; ) {
    next = undefined;
    await fs.promises.writeFile(file, now);
    await fs.promises.chmod(file, 0o600);
    now = next;
  }
  writing = false;
}

save('first');
setTimeout(save, 200, 'second');
process.on('beforeExit', () => {
  assert.strictEqual(fs.readFileSync(file, 'utf8'), 'second', 'the last write was lost');
});
