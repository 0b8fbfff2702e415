'use strict';

// What grows, and does not end to: handles of a type, timers, and memory. What grows at the start and then stays is no
// finding: it must grow in each quarter of the run.

const { time } = require('internal/cli/events');

const kLeastCounts = 8; // censuses
const kQuarters = 4;
const kHandles = 16; // more of a type
const kHandlesFor = 500e6;
const kMemory = 64 << 20;
const kMemoryFor = 1500e6;
const kMemoryStep = 8 << 20; // in each quarter
const kMemoryShare = 1.4;
const kWarmUp = 0.1; // of the run; a program loads its modules then

const megabytes = (bytes) => `${Math.round(bytes / (1 << 20))} MB`;
const minimum = (list) => Math.min(...list);

// The values of each quarter of the time.
function quartersOf(census, value) {
  const from = census[0].at,
    lasted = census.at(-1).at - from;
  const quarters = Array.from({ length: kQuarters }, () => []);
  for (const each of census)
    quarters[Math.min(kQuarters - 1, Math.floor(((each.at - from) / lasted) * kQuarters))].push(value(each));
  return quarters;
}

// The least of each quarter is more than that of the one before, and the end is near the top.
function grows(census, value, step) {
  const quarters = quartersOf(census, value);
  if (quarters.some((list) => list.length === 0)) return false;
  const all = census.map(value);
  const lows = quarters.map(minimum);
  return lows.every((low, k) => k === 0 || low >= lows[k - 1] + step) && all.at(-1) >= Math.max(...all) * 0.9;
}

function growsOfType(census, type) {
  const value = (each) => each.handles[type]?.all ?? 0;
  const [first, last] = [value(census[0]), value(census.at(-1))];
  if (last - first < kHandles || last < first * 1.5 || !grows(census, value, 1)) return undefined;
  const places = census
    .at(-1)
    .places.filter((each) => each.type === type && each.place !== undefined)
    .sort((x, y) => y.count - x.count);
  const lasted = census.at(-1).at - census[0].at;
  return {
    id: 'handles',
    title: `there are more and more handles: ${type}, from ${first} to ${last} in ${time(lasted)}`,
    lines: places.slice(0, 3).map(({ place, count }) => `${count} of them made at ${place.words}`),
    advice:
      'What opens them does not close them, or not in time: each needs its end ' +
      '(close, destroy, clearInterval, a timeout).',
    type,
    from: first,
    to: last,
    who: places.map(({ place, count }) => ({ file: place.file, line: place.line, count })),
  };
}

function handleVerdicts({ census }) {
  if (census.length < kLeastCounts || census.at(-1).at - census[0].at < kHandlesFor) return [];
  const types = new Set(census.flatMap(({ handles }) => Object.keys(handles)));
  return [...types].map((type) => growsOfType(census, type)).filter((each) => each !== undefined);
}

function memoryVerdict({ census }) {
  const whole = (census.at(-1)?.at ?? 0) - (census[0]?.at ?? 0);
  const settled = census.filter(({ at }) => at >= census[0].at + whole * kWarmUp);
  if (settled.length < kLeastCounts || whole < kMemoryFor) return undefined;
  const value = ({ resident }) => resident;
  const [first, last] = [value(settled[0]), value(settled.at(-1))];
  if (last - first < kMemory || last < first * kMemoryShare || !grows(settled, value, kMemoryStep)) return undefined;
  const lasted = settled.at(-1).at - settled[0].at;
  const rate = (last - first) / (lasted / 1e9);
  return {
    id: 'memory',
    title: `memory grew all the time: from ${megabytes(first)} to ${megabytes(last)} in ${time(lasted)}`,
    lines: [`${megabytes(rate)} in a second, and none was given back`],
    advice:
      'Something keeps what is no longer needed: a list, a map or a cache without a bound, listeners that are added ' +
      'again and again. Compare two heap snapshots (node --heapsnapshot-signal=SIGUSR2).',
    from: first,
    to: last,
    who: [],
  };
}

function growthVerdicts(study) {
  return [...handleVerdicts(study), memoryVerdict(study)].filter((each) => each !== undefined);
}

module.exports = { growthVerdicts, megabytes };
