'use strict';
// The thread pool is full: jobs wait although all of its threads work. A job that waits for a thread to be made, or for
// a processor, does not wait for the pool.

const kLeast = 1e6; // a shorter wait is none
const kThreads = 4; // if nothing is said
const kMostThreads = 128;
const kComputes = /crypto|zlib|Zlib|Brotli|Zstd|Compression|scrypt|pbkdf2|gzip|deflate|inflate|brotli/;

// How much of a time range lies in ranges that are sorted and do not overlap.
function overlap(ranges, from, to) {
  let low = 0,
    high = ranges.length,
    sum = 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle][1] <= from) low = middle + 1;
    else high = middle;
  }
  for (let k = low; k < ranges.length && ranges[k][0] < to; k++)
    sum += Math.min(ranges[k][1], to) - Math.max(ranges[k][0], from);
  return sum;
}

// What only waits for a disk or for a name leaves its processor to others.
function computes(events, i) {
  const { kind } = events.detailOf(i);
  if (kind === 'file' || kind === 'name') return false;
  return kind !== 'work' || kComputes.test(events.nameOf(i)) || !/(?:^|::)fs::|File/.test(events.nameOf(i));
}

// When at least `size` of these jobs ran at once.
function fullRanges(events, jobs, size) {
  const steps = jobs.flatMap((i) => [
    [events.start[i], 1],
    [events.endOf(i), -1],
  ]);
  steps.sort((x, y) => x[0] - y[0] || y[1] - x[1]);
  const ranges = [];
  let running = 0,
    since;
  for (const [at, step] of steps) {
    running += step;
    if (running >= size) since ??= at;
    else if (since !== undefined) {
      ranges.push([since, at]);
      since = undefined;
    }
  }
  return ranges;
}

function waitsOf(events, jobs, size) {
  const ranges = fullRanges(events, jobs, size);
  const found = [];
  for (const i of jobs) {
    const queued = events.b[i] - 1;
    const from = events.start[i] - queued;
    const waited = queued > 0 ? overlap(ranges, from, events.start[i]) : 0;
    if (waited >= kLeast && waited * 2 >= queued) found.push({ i, from, to: events.start[i], waited });
  }
  return found;
}

// How many threads the pool has: `said` by the environment, or those that were seen.
function threadsOf({ jobs, track }, said = kThreads) {
  return Math.max(said, new Set(jobs.map((i) => track[i])).size);
}

// The size is undefined if more threads would not help: they help jobs that wait for a disk or a name at once, and jobs
// that compute only while a processor is free.
function betterSize(events, threads, processors, waits) {
  const computing = waits.filter(({ i }) => computes(events, i)).length * 2 > waits.length;
  const spans = waits.map(({ from, to }) => [from, to]);
  const wanted = Math.min(threads + deepest(spans), computing ? processors : kMostThreads);
  return { computing, size: wanted > threads ? wanted : undefined };
}

// For how long at least one job was in the queue.
function fullFor(spans) {
  let until = -Infinity,
    sum = 0;
  for (const [from, to] of spans.sort((x, y) => x[0] - y[0])) {
    if (to > until) sum += to - Math.max(from, until);
    until = Math.max(until, to);
  }
  return sum;
}

// How many jobs were in the queue at once, at most.
function deepest(spans) {
  const steps = spans.flatMap(([from, to]) => [
    [from, 1],
    [to, -1],
  ]);
  let now = 0,
    most = 0;
  for (const [, step] of steps.sort((x, y) => x[0] - y[0] || x[1] - y[1])) most = Math.max(most, (now += step));
  return most;
}

module.exports = { betterSize, fullFor, overlap, threadsOf, waitsOf };
