'use strict';
// A race: an abort against the completion. The upload is given 300 ms, and its part is removed when it is aborted. Nobody takes the
// listener away when the upload has been completed: an abort that comes while the file gets its name removes what is complete.
//
//   rota fuzz examples/races/abort.js

const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'race-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true }));

const part = path.join(folder, 'upload.part');
const whole = path.join(folder, 'upload');

async function upload(signal) {
  let naming = false;
  signal.addEventListener('abort', () => {
    if (!naming) fs.rmSync(part, { force: true });
  });
  await fs.promises.writeFile(part, 'data');
  if (signal.aborted) return 'aborted';
  naming = true;
  await fs.promises.rename(part, whole);
  return 'complete';
}

async function main() {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), 300);
  const state = await upload(controller.signal);
  clearTimeout(timer);
  assert.strictEqual(fs.existsSync(whole), state === 'complete', `${state}, and the file is otherwise`);
}

main();
