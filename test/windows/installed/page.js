'use strict';
// The trace of test/windows/installed/program.c, and its page in a real browser: page.js FOLDER. The page and its picture stay in the folder.

const fs = require('fs');
const path = require('path');
const { assert, finish, mustRun, open, rota, test } = require('../../page/harness.js');

const folder = process.argv[2];
const trace = path.join(folder, 'program.json');
const page = path.join(folder, 'program.html');
const events = JSON.parse(fs.readFileSync(trace, 'utf8'));
const calls = events.filter((event) => event.cat === 'call');
const count = (name) => calls.filter((event) => event.name === name).length;

test('the trace has the calls that the program had', () => {
  const wanted = { on_connected: 2, on_connection: 2, on_opened: 1, on_written: 1, on_file_read: 1, on_file_closed: 1,
    on_removed: 1, on_child_exit: 1 };
  for (const [name, times] of Object.entries(wanted)) assert.strictEqual(count(name), times, name);
  assert(count('on_answer') >= 40, 'twenty answers, twice'); // a read may bring nothing
  assert(count('on_question') >= 42, 'twenty questions and an end, twice');
  assert(count('on_beat') >= 1 && count('on_output') >= 1);
});

test('calls have their phase, their kind, their file and line', () => {
  for (const event of calls) assert.match(event.args.file ?? '', /program\.c$/, event.name);
  const kinds = new Set(calls.map((event) => `${event.args.phase} ${event.args.on}`));
  for (const kind of ['timers timer', 'poll tcp', 'poll pipe', 'poll fs', 'poll process']) assert(kinds.has(kind), `${kind}: ${[...kinds]}`);
});

test('the pool did the work of the file, and no event was dropped', () => {
  const jobs = events.filter((event) => event.cat === 'job').map((event) => event.name).sort();
  assert.deepStrictEqual(jobs, ['close', 'open', 'read', 'unlink', 'write']);
  const end = events.find((event) => event.name === 'rota_end');
  assert.strictEqual(end.args.dropped, 0);
});

test('the page shows them', async () => {
  mustRun(rota, ['timeline', trace, '-o', page]);
  const view = await open(page);
  await view.screenshot({ path: path.join(folder, 'program.png') });
  const text = await view.innerText('body');
  for (const word of ['program', 'on_connection', 'on_answer', 'on_beat', 'timers', 'poll']) assert(text.includes(word), word);
  assert.deepStrictEqual(view.problems, []);
});

finish();
