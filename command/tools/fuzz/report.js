'use strict';

// The output of rota fuzz: the seeds that differ, the differences, the decisions, and how to reproduce them.

const { complaintOf } = require('internal/cli/fuzz/results');
const { placed } = require('internal/cli/fuzz/story');

const kLines = 8; // of an output that are shown
const kLabels = 8; // of schedules that are named
const kDecisions = 40; // that are shown of a list that was not made short

let stream = process.stdout;

const say = (text) => stream.write(`${text}\n`);

// The output is for another format: people read the errors' stream.
function useErrors() {
  stream = process.stderr;
}

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

function indent(text) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, kLines).map((line) => `    ${line}`);
  if (lines.length > kLines) shown.push(`    ... and ${lines.length - kLines} lines more`);
  return shown.join('\n');
}

const quoted = (names) => names.map((name) => JSON.stringify(name)).join(', ');

// If the undisturbed run fails, it may not be the program that was meant: its output is shown.
function begin(usual) {
  const { tests, ends, unsteady = [], byTime = [] } = usual;
  const told =
    tests &&
    `; ${tests.runner}: ${plural(tests.total, 'test')}, ` +
      `${tests.failed.length === 0 ? 'none fails' : `these fail: ${quoted(tests.failed)}`}`;
  say(`Undisturbed, ${usual.end}${told ?? ''}.`);
  if (usual.end !== 'it exits with 0' && usual.stderr !== '') say(indent(complaintOf(usual.stderr)));
  if (/^it exits with [1-9]/.test(usual.end) && tests === undefined)
    say('It fails undisturbed: if that was not meant, mend it first. What ends otherwise is searched for.');
  if (unsteady.length > 0) say(`Undisturbed, these fail now and then: ${quoted(unsteady)}.`);
  else if (ends?.length > 1)
    say(
      `It does not end alike each time, undisturbed (${ends.join('; ')}): what differs need not be due to a schedule.`,
    );
  if (byTime.length > 0) say(`These fail in virtual time only (--real-time does without it): ${quoted(byTime)}.`);
}

function crashes(runner) {
  say('It crashes without a decision of ours: there is nothing to compare. To see it:');
  say(`    ${runner.commandLine({})}`);
}

function lacksLoop(name) {
  say(`${name} has no libuv: only what it starts is run under schedules, if that has one (node app.js has).`);
}

function varies() {
  say('Its output is not the same twice, undisturbed: only ends are compared.');
}

function suite(without) {
  say(`A suite of tests: time does not pass by itself (--without=${without}; with --without=none it does).`);
}

function unsteady(test) {
  say(`  but the same schedule, run again, lets ${JSON.stringify(test)} pass: it depends on more than the schedule`);
}

function unfinished() {
  say('  The time was over before it was known whether fewer suffice.');
}

function progress({ tried, pairs }, seeds, found) {
  if (!stream.isTTY) return;
  const seen =
    pairs === undefined ? '' : `; ${pairs.count + pairs.bothWays} of ${2 * pairs.count} orders of pairs seen`;
  stream.write(`\r${tried}${seeds === Infinity ? ' seeds' : ` of ${plural(seeds, 'seed')}`}, ${found} differ${seen}`);
}

function clear() {
  if (stream.isTTY) stream.write('\r\x1b[K');
}

function firstDifference(usual, other) {
  const a = usual.split('\n'),
    b = other.split('\n');
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const line = (lines) => (lines[at] === undefined ? 'nothing more' : JSON.stringify(lines[at]));
  return `  line ${at + 1} of the output is ${line(b)}, not ${line(a)}`;
}

// A seed is shown by its number; any other run by its label.
const titleOf = (label) => (/^\d+$/.test(label) ? `Seed ${label}` : `Run ${label}`);

function different(usual, outcome, label, isOwn = () => false) {
  say(`\n${titleOf(label)}: ${outcome.end}.`);
  const before = usual.tests?.failed;
  if (before !== undefined && outcome.tests !== undefined) {
    for (const name of outcome.tests.failed)
      if (!before.includes(name) && !isOwn(name)) say(`  test ${JSON.stringify(name)} fails, and passes undisturbed`);
    for (const name of before)
      if (!outcome.tests.failed.includes(name)) say(`  test ${JSON.stringify(name)} passes, and fails undisturbed`);
    return;
  }
  if (outcome.stdout !== usual.stdout) say(firstDifference(usual.stdout, outcome.stdout));
  if (outcome.stderr !== usual.stderr && outcome.stderr !== '') say(indent(complaintOf(outcome.stderr)));
}

// `isSteady`: the same decisions give the same end again. Others are not what makes it fail.
function decisions(list, before, isWhole, isSteady = true) {
  if (!isSteady) {
    say(`  ${plural(before, 'decision')}: the record has them`);
    return;
  }
  const shown = isWhole ? list : list.slice(0, kDecisions);
  say(
    list.length === before
      ? `  ${plural(before, 'decision')}:`
      : `  of ${plural(before, 'decision')}, ` +
          `${list.length === 1 ? 'this one suffices' : `these ${list.length} suffice`}:`,
  );
  for (const { words, place } of shown) {
    say(`    ${words}`);
    if (place !== undefined) say(`        then ran ${place}`);
  }
  if (shown.length < list.length) say(`    ... and ${list.length - shown.length} more: the record has them all`);
}

// Which callbacks came in the other order, and what made them.
function story(told, lacksNames) {
  if (lacksNames) say('  its functions are not told: while they are, this schedule ends as the undisturbed run does');
  if (told === undefined) return;
  const { early, late, isMissing, isDeath, passes, fails } = told;
  const made = ({ maker }) => (maker === undefined ? '' : `, made by ${placed(maker)}`);
  if (isDeath && isMissing) say('  where it dies, this one ran to its end undisturbed:');
  else {
    say('  the first callbacks whose order differs:');
    say(`    ${placed(early)}${made(early)}`);
    say(isMissing ? '      came, and this one did no longer:' : '      came before');
  }
  say(`    ${placed(late)}${made(late)}`);
  say(`  undisturbed: ${passes.join(', ') || 'nothing more'}`);
  say(`  in this run: ${fails.join(', ')}`);
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

// Orders are those of one loop's operations: what another thread sends, or the time that passes, may still decide.
function orders({ pairs, exhausted, ends }) {
  if (exhausted > 1 || (exhausted === 1 && ends.size === 0))
    say(exhausted === 1 ? 'exhausted: there is one order.' : `exhausted: all ${exhausted} orders were run.`);
  const seen = `${pairs.bothWays} ${pairs.bothWays === 1 ? 'was' : 'were'} seen both ways`;
  if (pairs.count > 0) say(`${plural(pairs.count, 'pair')} of operations raced; ${seen}.`);
}

const kWhy = {
  touch: ({ about }) => `both touch ${about}, which one of them changes`,
  'touch later': ({ about }) => `both touch ${about}, which one of them changes`,
  timers: ({ first, second }) => `they are ${second.dueMs - first.dueMs} ms apart, and a loop may wake that late`,
  together: () => 'they began together; what they touch is not known',
  timer: () => 'the timer is due whether the other has ended or not',
  last: () => 'the other is the last with which nothing orders it',
  near: () => 'both were in progress at the same time',
  rest: () => 'nothing that is known orders them',
};

// The pairs that could be turned round, with the callbacks that began and ended their operations, by the trace.
function candidates(list, trace) {
  const { readEvents } = require('internal/cli/fuzz/places');
  const calls = readEvents(trace).filter(({ cat, args }) => cat === 'call' && args?.file !== undefined);
  const places = new Map(calls.map(({ name, args }) => [String(args.id), placed({ name, ...args })]));
  const about = (operation) => {
    const begun = places.get(operation.before?.call),
      ended = places.get(operation.call);
    const told = [begun && `begun in ${begun}`, ended && `told to ${ended}`].filter((words) => words !== undefined);
    if (told.length > 0) say(`       ${operation.words}: ${told.join(', ')}`);
  };
  say(
    list.length === 0
      ? 'No two operations are known that could come in the other order.'
      : 'These could come in the other order:',
  );
  for (const [i, pair] of list.entries()) {
    say(`  ${i + 1}. ${pair.entry.words}`);
    say(`       ${kWhy[pair.reason](pair)}`);
    [pair.first, pair.second].forEach(about);
  }
  if (list.length > 0)
    say('Without --candidates each is turned round, in a run of its own, and what comes of it is told.');
}

// What came of the pairs that were turned round alone.
function turns({ turns: { results, candidates } }) {
  const told = Object.entries(results).filter(([, count]) => count > 0);
  const settled = told.reduce((sum, [, count]) => sum + count, 0);
  if (settled === 0) return;
  const words = told.map(([name, count]) => `${count} ${name}`).join(', ');
  say(`${settled} of ${plural(candidates.length, 'pair')} of operations were turned round alone: ${words}.`);
}

// The number of schedules in which each test failed: tests that fail because of the schedule, and the others.
function tests({ suite: counted, tried }) {
  const parts = [
    ['steady', 'These tests pass undisturbed, and fail in some schedules:'],
    ['unsteady', 'These fail now and then, and not each time in the same schedule:'],
    ['own', 'These fail now and then without a schedule, too:'],
  ];
  for (const [kind, title] of parts) {
    const list = counted?.of(kind) ?? [];
    if (list.length === 0) continue;
    say(`\n${title}`);
    for (const { name, labels } of list) {
      const shown = labels.slice(0, kLabels).join(', ') + (labels.length > kLabels ? ', ...' : '');
      say(`  ${JSON.stringify(name)} failed in ${labels.length} of ${plural(tried, 'schedule')} (${shown})`);
    }
  }
}

function end({ tried, ends }, seconds) {
  const took = `${plural(tried, 'seed')} in ${seconds.toFixed(1)} s`;
  if (ends.size === 0) {
    say(`${took}: nothing differs.`);
    return;
  }
  const seeds = [...new Set([...ends.values()].flat())].sort((a, b) => a - b || 0);
  say(`\n${took}: ${seeds.length === 1 ? 'one differs' : `${seeds.length} differ`} (${seeds.join(', ')}).`);
}

function baseline(finds, file, isNew) {
  for (const { title, label } of finds)
    say(`${isNew ? 'Added to' : 'Accepted by'} ${file}: ${title} (${titleOf(label).toLowerCase()})`);
}

module.exports = {
  useErrors,
  baseline,
  begin,
  crashes,
  lacksLoop,
  varies,
  suite,
  unsteady,
  tests,
  unfinished,
  progress,
  clear,
  different,
  decisions,
  story,
  commands,
  page,
  known,
  orders,
  turns,
  candidates,
  end,
};
