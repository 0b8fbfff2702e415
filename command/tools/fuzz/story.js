'use strict';

// What a find is about: the first two callbacks that ran in one order in the undisturbed run and in the other in the
// run that differs, where they are, what made each, and what ran around them. It is read from the traces of both runs.

const path = require('path');
const { operationOf, readEvents } = require('internal/cli/fuzz/places');

const kOperations = { work: 'a file, whole' }; // what is read or written whole is one job of the pool
const kAround = 6; // callbacks of each order that are told
const kMakers = 20; // callbacks without a place in the program between one and the program's that made it

const isOwn = ({ cat, args }) => cat === 'call' && args?.file !== undefined && !args.file.startsWith('node:');

// The nearest callback of the program that made this one, over those of Node that lie between.
function makerOf(event, calls) {
  let made = event;
  for (let i = 0; i < kMakers && made?.args?.by !== undefined; i++) {
    made = calls.get(made.args.by);
    if (made !== undefined && isOwn(made)) return { name: made.name, file: made.args.file, line: made.args.line };
  }
  return undefined;
}

// A callback of Node's that goes on with what the program awaits: it has the name of the operation that ended. Of the
// reactions that one end starts the first is taken. Undefined: it is nothing of the program's.
function awaited(event, { calls, jobs, last }) {
  const { name, args } = event;
  if (args.phase === 'outside') return undefined;
  if (args.file === undefined) {
    if (args.on !== 'fs' && args.on !== 'work') return undefined;
    if (name !== '(promise reaction)' || (last?.by === args.by && last.on === args.on)) return undefined;
  }
  const job = jobs.findLast((each) => each.args.by === args.by && each.ts + each.dur <= event.ts);
  const operation = args.operation ?? (job === undefined ? (kOperations[args.on] ?? args.on) : operationOf(job));
  const maker = makerOf(event, calls);
  if (args.file === undefined && maker === undefined) return undefined;
  const short = operation.replace(/ \/.*$/, '');
  return { name: short, key: `${short}\n${args.on}`, maker };
}

// Callbacks of the program, and decisions, in their order. What awaits a promise may have no place of its own: it is
// told by the operation that ended.
function stepsOf(trace) {
  const steps = [];
  const events = readEvents(trace);
  const calls = new Map(events.filter(({ cat }) => cat === 'call').map((event) => [event.args?.id, event]));
  const jobs = events.filter(({ cat }) => cat === 'job');
  let last;
  for (const event of events) {
    const { cat, name, args } = event;
    if (cat === 'mark') steps.push({ decision: name.slice('steered: '.length) });
    if (cat !== 'call' || args === undefined) continue;
    const { file, line } = args;
    const step = isOwn(event)
      ? { name, file, line, key: `${name}\n${file}:${line}`, maker: makerOf(event, calls) }
      : awaited(event, { calls, jobs, last });
    if (step !== undefined) steps.push(step);
    last = file === undefined ? args : undefined;
  }
  return steps;
}

// The first two callbacks that ran in one order on the left and in the other on the right: [earlier on the left,
// later]; of the program's own files, if there are such. If there are none, because one of them no longer runs, the
// first two that differ. A callback that runs again is another one.
function swapOf(left, right) {
  let from = 0;
  while (from < left.length && left[from].id === right[from]?.id) from++;
  const at = new Map(right.map(({ id }, i) => [id, i]));
  const differing = left.slice(from).filter(({ id }) => at.has(id));
  const isPlaced = ({ file }) => file !== undefined,
    isOfProgram = (step) => isPlaced(step) && !step.file.includes('/node_modules/');
  for (const list of [differing.filter(isOfProgram), differing.filter(isPlaced), differing])
    for (const [i, { id }] of list.entries()) {
      const later = list.slice(i + 1).find((other) => at.get(other.id) < at.get(id));
      if (later !== undefined) return [id, later.id];
    }
  return left[from] === undefined || right[from] === undefined ? undefined : [left[from].id, right[from].id];
}

// The callback in which the program died has not ended, so it is not in the trace: the error gives it.
function lastStepOf(stderr) {
  const [, file, line] = /\n\s+at (?:[^\n]* \()?(\/[^:\n]+):(\d+):\d+\)?/.exec(stderr) ?? [];
  if (file === undefined) return [];
  const message = /^(?:Uncaught )?\w*Error\b.*$/m.exec(stderr)?.[0] ?? 'an error';
  return [{ name: message, file, line: Number(line), key: `${message}\n${file}:${line}`, isDeath: true }];
}

// What ran in a run { trace, end, stderr }, with decisions; each callback with an `id` of its own.
function ranIn({ trace, end, stderr }) {
  const steps = [...stepsOf(trace), ...(end === 'it exits with 0' ? [] : lastStepOf(stderr))];
  const counts = new Map();
  for (const step of steps) {
    if (step.key === undefined) continue;
    counts.set(step.key, (counts.get(step.key) ?? 0) + 1);
    step.id = `${step.key}\n${counts.get(step.key)}`;
  }
  return steps;
}

const callbacksOf = (run) => ranIn(run).filter((step) => step.key !== undefined);

// Undefined: no callback differs. `late` is the callback that came first undisturbed; it may not have come at all in
// the run that differs (`isMissing`), because the program died before or in it (`isDeath`: `early` is the error).
function storyOf(usual, other) {
  const left = callbacksOf(usual),
    right = callbacksOf(other);
  const swap = swapOf(left, right);
  if (swap === undefined) return undefined;
  const of = (steps, id) => steps.find((step) => step.id === id);
  const early = of(right, swap[1]),
    late = of(left, swap[0]);
  const isPlaced = early.file !== undefined && late.file !== undefined; // then what has no place is left out
  const around = (steps, id) =>
    steps
      .slice(steps.findIndex((step) => step.id === id))
      .filter(({ file }) => file !== undefined || !isPlaced)
      .slice(0, kAround)
      .map((step) => placed(step));
  return {
    late,
    early,
    isMissing: of(right, swap[0]) === undefined,
    isDeath: early.isDeath === true,
    passes: around(left, swap[0]),
    fails: around(right, swap[1]),
  };
}

// "onRead (app.js:4)"
function placed({ name, file, line }, base = process.cwd()) {
  if (file === undefined) return name;
  const place = `${nearOf(file, base)}:${line}`;
  return name === `${path.basename(file)}:${line}` ? place : `${name} (${place})`;
}

function nearOf(file, base = process.cwd()) {
  const near = path.relative(base, file);
  return near.startsWith('..') ? file : near;
}

module.exports = { nearOf, placed, ranIn, storyOf, swapOf };
