'use strict';

// What rota fuzz prints: the seeds that differ, with what differs, what was decided, and how to see it again.

const kLines = 8; // of an output that are shown

const say = (text) => process.stdout.write(`${text}\n`);
const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

function indent(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, kLines).map((line) => `    ${line}`);
  if (lines.length > kLines) shown.push(`    ... and ${lines.length - kLines} lines more`);
  return shown.join('\n');
}

// One that fails undisturbed may not be the program that was meant: what it says is shown.
function begin(usual) {
  const { tests } = usual;
  const names = tests?.failed.map((name) => JSON.stringify(name)).join(', ');
  const told =
    tests &&
    `; ${tests.runner}: ${plural(tests.total, 'test')}, ${names === '' ? 'none fails' : `these fail: ${names}`}`;
  say(`Undisturbed, ${usual.end}${told ?? ''}.`);
  if (usual.end !== 'it exits with 0' && usual.stderr !== '') say(indent(complaint(usual.stderr)));
}

function varies() {
  say('Its output is not the same twice, undisturbed: only ends are compared.');
}

function suite() {
  say('A suite of tests: time does not pass by itself (--without=none, and it does).');
}

function unfinished() {
  say('  The time was over before it was known whether fewer suffice.');
}

function progress(tried, seeds, found) {
  if (process.stdout.isTTY) process.stdout.write(`\r${tried} of ${plural(seeds, 'seed')}, ${found} differ`);
}

function clear() {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
}

// The message of an uncaught error; else the first lines.
function complaint(text) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^(Uncaught )?\w*(Error|Exception)\b.*/.test(line));
  return at < 0 ? text : lines.slice(at, at + 4).join('\n');
}

function firstDifference(usual, other) {
  const a = usual.split('\n'),
    b = other.split('\n');
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const line = (lines) => (lines[at] === undefined ? 'nothing more' : JSON.stringify(lines[at]));
  return `  line ${at + 1} of the output is ${line(b)}, not ${line(a)}`;
}

// A seed has a number; another run says what it is.
const titleOf = (label) => (/^\d+$/.test(label) ? `Seed ${label}` : `Run ${label}`);

function different(usual, outcome, label) {
  say(`\n${titleOf(label)}: ${outcome.end}.`);
  const before = usual.tests?.failed;
  if (before !== undefined && outcome.tests !== undefined) {
    for (const name of outcome.tests.failed)
      if (!before.includes(name)) say(`  test ${JSON.stringify(name)} fails, and passes undisturbed`);
    for (const name of before)
      if (!outcome.tests.failed.includes(name)) say(`  test ${JSON.stringify(name)} passes, and fails undisturbed`);
    return;
  }
  if (outcome.stdout !== usual.stdout) say(firstDifference(usual.stdout, outcome.stdout));
  if (outcome.stderr !== usual.stderr && outcome.stderr !== '') say(indent(complaint(outcome.stderr)));
}

function decisions(list, before) {
  say(
    list.length === before
      ? `  ${plural(before, 'decision')}:`
      : `  of ${plural(before, 'decision')}, ${list.length === 1 ? 'this one suffices' : `these ${list.length} suffice`}:`,
  );
  for (const { words, place } of list) {
    say(`    ${words}`);
    if (place !== undefined) say(`        then ran ${place}`);
  }
}

function commands(runner, seed, file) {
  say('  to see it again:');
  say(`    ${runner.commandLine({ replay: file })}`);
  if (seed !== undefined) say(`    ${runner.commandLine({ seed })}`);
}

function page(file) {
  say(`  both runs side by side: ${file}`);
}

function known(find, isThere) {
  say(`Known, ${titleOf(find.label).toLowerCase()}: ${find.end}: ${isThere ? 'it is still there' : 'it is gone'}.`);
}

function orders({ pairs, exhausted }) {
  if (exhausted !== undefined)
    say(exhausted === 1 ? 'exhausted: there is one order.' : `exhausted: all ${exhausted} orders were run.`);
  if (pairs.count > 0)
    say(`${plural(pairs.count, 'pair')} of operations raced; ${pairs.bothWays} were seen both ways.`);
}

function end(tried, ends, seconds) {
  const took = `${plural(tried, 'seed')} in ${seconds.toFixed(1)} s`;
  if (ends.size === 0) {
    say(`${took}: nothing differs.`);
    return;
  }
  const seeds = [...ends.values()].flat().sort((a, b) => a - b || 0);
  say(`\n${took}: ${seeds.length === 1 ? 'one differs' : `${seeds.length} differ`} (${seeds.join(', ')}).`);
}

module.exports = {
  begin,
  varies,
  suite,
  unfinished,
  progress,
  clear,
  different,
  decisions,
  commands,
  page,
  known,
  orders,
  end,
};
