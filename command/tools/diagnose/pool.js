'use strict';

// The thread pool is full (pool.js), for long enough to be told.

const { jobName, longestOf, plural, time } = require('internal/cli/events');
const { betterSize, fullFor, threadsOf, waitsOf } = require('internal/cli/pool');

const kLeast = 50e6; // full for so long in all
const kWorst = 20e6; // and one job waited so long
const kListed = 3;

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
  const better = betterSize(study.events, threads, study.processors, waits);
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
  const threads = threadsOf(events, study.threads);
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
