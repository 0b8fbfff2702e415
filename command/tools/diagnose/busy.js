'use strict';

// What keeps the loop from its other work: one callback that takes long, ticks and promise jobs that make more of
// themselves, or more short callbacks than there is time for.

const { guiltyIn, longestOf, plural, time } = require('internal/cli/events');
const { united } = require('internal/cli/diagnose/case');
const { overlap } = require('internal/cli/pool');

const kLeast = 50e6; // as of rota watch
const kMany = 100; // ticks or promise jobs
const kMostly = 0.8;
const kSeveral = 5; // callbacks in a row
const kListed = 3;

const sumOf = (list, value) => list.reduce((sum, each) => sum + value(each), 0);

// ---- ticks and promise jobs ----

// In Node, callbacks that a callback of the loop is made of: each begins where the one before ends. A timer of the same
// list has a lateness.
function chainsOf(study) {
  const { calls, events } = study,
    found = [];
  let chain = [];
  for (const i of calls) {
    const last = chain.at(-1);
    const isNext = last !== undefined && events.start[i] - events.endOf(last) <= 1;
    if (isNext && study.phaseOf(last) === study.phaseOf(i) && study.lateness(i) < 0) {
      chain.push(i);
      continue;
    }
    if (chain.length >= kMany) found.push(chain);
    chain = [i];
  }
  if (chain.length >= kMany) found.push(chain);
  return found;
}

// The function that most of them are, with how many.
function dominantOf(events, chain) {
  const counts = new Map();
  for (const i of chain) {
    const key = events.inWords(i);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const [words, count] = longestOf([...counts], ([, n]) => n);
  return { words, count };
}

// Where names are off, the rest of the callback has the name of the last part.
function isPart(study, words, i) {
  return study.events.inWords(i) === words || hasLostNames(study, i);
}

// Names were switched off in it: what ran behind it seems to be part of it.
function hasLostNames({ events, trace }, i) {
  return events.marks.some(
    (m) =>
      trace.strings.list[events.name[m]].startsWith('names are off') &&
      events.start[m] >= events.start[i] &&
      events.start[m] <= events.endOf(i),
  );
}

function starvedByParts(study) {
  const { events } = study,
    cases = [];
  for (const chain of chainsOf(study)) {
    const { words, count } = dominantOf(events, chain);
    const total = events.endOf(chain.at(-1)) - events.start[chain[0]];
    if (count < chain.length * kMostly || study.cleared(total) < kLeast) continue;
    const parts = chain.filter((i) => isPart(study, words, i));
    const what = study.phaseOf(chain[0]) === 'check' ? 'immediates, ticks or promise jobs' : 'ticks or promise jobs';
    const last = parts.find((i) => events.inWords(i) === words);
    cases.push({ what, words, count, total, place: study.placeOf(last), after: chain[0], parts });
  }
  return cases;
}

// In the runtime a run of ticks or of microtasks is an event of its own.
function starvedByDrains(study) {
  const { events, trace } = study,
    cases = [];
  for (const i of events.drains) {
    const call = events.insight.eventOf(events.number[i]);
    const count = events.a[i] - 1;
    if (events.track[i] !== study.track || study.cleared(events.duration[i]) < kLeast) continue;
    if (count >= 0 && count < kMany) continue; // some of them take long, which is another matter
    if (count < 0 || call === undefined || study.phaseOf(call) === 'outside') continue;
    const isTicks = trace.strings.list[events.name[i]] === 'ticks';
    const { first } = events.detailOf(i);
    const words = isTicks && first !== undefined ? first : `what ${events.inWords(call)} has begun`;
    const what = isTicks ? 'ticks' : 'promise jobs';
    cases.push({
      what,
      words,
      count,
      total: events.duration[i],
      place: study.placeOf(call),
      after: call,
      parts: [call],
    });
  }
  return cases;
}

function starved(study, used) {
  const cases = [...starvedByParts(study), ...starvedByDrains(study)];
  for (const each of cases) for (const i of each.parts) used.add(i);
  if (cases.length === 0) return undefined;
  const worst = longestOf(cases, ({ total }) => total);
  const total = sumOf(cases, (each) => each.total);
  const times = cases.length === 1 ? '' : `, ${cases.length} times`;
  return {
    id: 'starved',
    title: `the loop was starved by ${worst.what} for ${time(total)} in all${times}`,
    lines: cases
      .sort((x, y) => y.total - x.total)
      .slice(0, kListed)
      .map(({ words, count, total: took, what }) => `${words}: ${count.toLocaleString('en')} ${what} in ${time(took)}`),
    advice:
      'Ticks and promise jobs run until there are none left, and timers, files and sockets wait meanwhile. ' +
      'Let the loop have its turn now and then: continue with setImmediate instead of process.nextTick or a promise.',
    ns: total,
    who: cases.map(({ place, count }) => ({ ...place, count })),
    ranges: cases.map(({ after, total: took }) => [study.events.start[after], study.events.start[after] + took]),
  };
}

// ---- one callback ----

const kWorker = 'Move the work into a worker (node:worker_threads), or do it in pieces with setImmediate in between.';

function blocked(study, used) {
  const { events } = study;
  const long = study.calls.filter((i) => !used.has(i) && study.cleared(events.duration[i]) >= kLeast);
  if (long.length === 0) return undefined;
  const groups = new Map();
  for (const i of long) {
    used.add(i);
    const guilty = guiltyIn(events, i);
    const who = guilty === undefined ? events.inWords(i) : `${guilty}, called by ${events.inWords(i)}`;
    const words = hasLostNames(study, i) ? `${who}, or what ran behind it without names` : who;
    const group = groups.get(words) ?? { words, place: study.placeOf(i), guilty, count: 0, total: 0, longest: 0 };
    group.count++;
    group.total += events.duration[i];
    group.longest = Math.max(group.longest, events.duration[i]);
    groups.set(words, group);
  }
  const sorted = [...groups.values()].sort((x, y) => y.total - x.total);
  const total = sumOf(sorted, (group) => group.total);
  const longest = Math.max(...sorted.map((group) => group.longest));
  const line = (group) =>
    `${group.words}: ${group.count === 1 ? 'once' : `${group.count} times`}, ${time(group.total)} in all` +
    (group.count === 1 ? '' : `, up to ${time(group.longest)}`);
  return {
    id: 'blocked',
    title:
      `the loop was blocked for ${time(total)} in all, ` +
      `by ${plural(long.length, 'callback')} of up to ${time(longest)}`,
    lines: sorted.slice(0, kListed).map(line),
    more: sorted.length - kListed,
    advice: `Nothing else runs while a callback does. ${kWorker}`,
    ns: total,
    who: sorted.map(({ place, guilty, count, total: ns }) => ({ ...place, guilty, count, ns })),
    ranges: long.map((i) => [events.start[i], events.endOf(i)]),
  };
}

// ---- many short callbacks ----

// Phases that took long although no callback did: { from, to, net }, without what the loop waited in them.
function longPhases(study, explained) {
  const { calls, events, main } = study;
  const busy = united(calls.map((i) => [events.start[i], events.endOf(i)]));
  const known = united([
    ...explained.map(([from, to]) => [from, to]),
    ...study.outside.map((i) => [events.start[i], events.endOf(i)]),
    ...events.waits.filter((i) => events.track[i] === study.track).map((i) => [events.start[i], events.endOf(i)]),
  ]);
  return events.phases
    .filter((i) => main !== undefined && events.detailOf(i).loop === main.loop)
    .map((i) => ({ from: events.start[i], to: events.endOf(i) }))
    .map(({ from, to }) => ({ from, to, net: to - from - overlap(known, from, to) }))
    .filter(({ net }) => study.cleared(net) >= kLeast)
    .filter(({ from, to, net }) => {
      // Where no callback runs, the machine had no processor for the loop.
      const count = calls.filter((i) => events.start[i] >= from && events.start[i] < to).length;
      return count >= kSeveral && overlap(busy, from, to) >= net * kMostly;
    });
}

function overloaded(study, explained) {
  const { calls, events } = study;
  const phases = longPhases(study, explained);
  if (phases.length === 0) return undefined;
  const worst = Math.max(...phases.map(({ net }) => net));
  const ranges = united(phases.map(({ from, to }) => [from, to]));
  const sums = new Map();
  for (const i of calls) {
    const ns = overlap(ranges, events.start[i], events.endOf(i));
    if (ns === 0) continue;
    const words = events.inWords(i);
    const sum = sums.get(words) ?? { words, ns: 0, count: 0, place: study.placeOf(i) };
    sum.ns += ns;
    sum.count++;
    sums.set(words, sum);
  }
  const sorted = [...sums.values()].sort((x, y) => y.ns - x.ns);
  const times = phases.length === 1 ? '' : `, ${phases.length} times`;
  return {
    id: 'late',
    title: `timers and all else were late by up to ${time(worst)}${times}: many short callbacks ran in a row`,
    lines: sorted.slice(0, kListed).map(({ words, ns, count }) => `${words}: ${plural(count, 'call')}, ${time(ns)}`),
    more: sorted.length - kListed,
    advice:
      'There is more work at once than one thread can do in time: spread it, or share it among processes or workers.',
    ns: worst,
    who: sorted.slice(0, kListed).map(({ place, ns, count }) => ({ ...place, ns, count })),
  };
}

function busyVerdicts(study) {
  const used = new Set();
  const found = [starved(study, used), blocked(study, used)].filter((each) => each !== undefined);
  const late = overloaded(
    study,
    found.flatMap(({ ranges }) => ranges),
  );
  return [...found, late].filter((each) => each !== undefined);
}

module.exports = { busyVerdicts };
