'use strict';

// The thread pool is full: jobs wait although all of its threads work. A job that waits for a thread to be made, or for
// a processor, does not wait for the pool.

const { deepest, fullFor, jobName, longestOf, plural, time } = require('internal/cli/events');
const { overlap } = require('internal/cli/diagnose/case');

const kLeast = 50e6; // full for so long in all
const kWorst = 20e6; // and one job waited so long
const kThreads = 4; // if nothing is said
const kMostThreads = 128;
const kListed = 3;
const kComputes = /crypto|zlib|Zlib|Brotli|Zstd|Compression|scrypt|pbkdf2|gzip|deflate|inflate|brotli/;

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
    if (waited >= 1e6 && waited * 2 >= queued) found.push({ i, from, to: events.start[i], waited });
  }
  return found;
}

function groupsOf(study, jobs) {
  const { events } = study;
  const groups = new Map();
  for (const { i, waited } of jobs) {
    const cause = events.insight.eventOf(events.cause[i]);
    const by = cause === undefined ? undefined : events.inWords(cause);
    const key = `${jobName(events.nameOf(i))}${by === undefined ? '' : `, started by ${by}`}`;
    const place = cause === undefined ? {} : study.placeOf(cause);
    const group = groups.get(key) ?? { words: key, job: jobName(events.nameOf(i)), place, count: 0, worst: 0 };
    group.count++;
    group.worst = Math.max(group.worst, waited);
    groups.set(key, group);
  }
  return [...groups.values()].sort((x, y) => y.count - x.count);
}

// undefined: more threads would not help.
function betterSize(study, threads, waits) {
  const computing = waits.filter(({ i }) => computes(study.events, i)).length * 2 > waits.length;
  const spans = waits.map(({ from, to }) => [from, to]);
  const wanted = Math.min(threads + deepest(spans), computing ? study.processors : kMostThreads);
  return { computing, size: wanted > threads ? wanted : undefined };
}

function adviceOf(study, { computing, size }) {
  if (size !== undefined)
    return `UV_THREADPOOL_SIZE=${size} in the environment gives them more threads; or start fewer of them at once.`;
  if (!computing) return 'Start fewer of them at once.';
  const room = study.processors === 1 ? 'there is 1 processor' : `there are ${study.processors} processors`;
  return `More threads would not help: these jobs compute, and ${room}. Start fewer of them at once, or do less.`;
}

function verdict(study, threads, waits, what) {
  const worst = longestOf(waits, ({ waited }) => waited)?.waited ?? 0;
  const full = fullFor(waits.map(({ from, to }) => [from, to]));
  if (full < kLeast || worst < kWorst) return undefined;
  const groups = groupsOf(study, waits);
  const better = betterSize(study, threads, waits);
  return {
    id: 'pool',
    title:
      `the thread pool was full for ${time(full)}${what}: ` +
      `${plural(waits.length, 'job')} waited, up to ${time(worst)}`,
    lines: groups
      .slice(0, kListed)
      .map(({ words, count, worst: most }) => `${words}: ${plural(count, 'job')}, up to ${time(most)}`),
    more: groups.length - kListed,
    advice: adviceOf(study, better),
    ns: full,
    threads,
    suggested: better.size,
    who: groups.map(({ place, job, count }) => ({ ...place, job, count })),
  };
}

function poolVerdicts(study) {
  const { events } = study;
  const { jobs } = events;
  const threads = Math.max(study.threads ?? kThreads, new Set(jobs.map((i) => events.track[i])).size);
  const all = verdict(study, threads, waitsOf(events, jobs, threads), '');
  if (all !== undefined) return [all];
  // Look-ups of names may take half of the threads.
  const names = jobs.filter((i) => events.detailOf(i).kind === 'name');
  const half = Math.ceil(threads / 2);
  const slow = verdict(
    study,
    threads,
    waitsOf(events, names, half),
    ' of look-ups of names, which may take half of it',
  );
  return slow === undefined ? [] : [slow];
}

module.exports = { poolVerdicts };
