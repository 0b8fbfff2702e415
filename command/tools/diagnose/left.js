'use strict';

// What keeps a program alive after its work is done. A server is there to wait: one that listens is no finding. Whoever
// ended a program with Ctrl-C, or a time limit that did, may have waited for it to end by itself.

const { time } = require('internal/cli/events');

const kIdle = 900e6; // it did nothing of its own for so long
// What waits for others by intent: a server, a watcher, standard input, a child.
const kServes = /\blistening on\b|^udp |^fs_event |^fs_poll |^tty |\bdescriptor 0\b|^process |^signal /;
const kRepeats = /^interval /;
const kPlatform = /^(?:async|idle|check|prepare|timer)\b(?!.*\()/; // without a function, it is the platform's own

// The last thing that was the program's own, in any thread; -1: nothing was.
function lastDone({ events, ...study }, isOwn) {
  const jobs = events.jobs.reduce((at, i) => Math.max(at, events.endOf(i)), -1);
  return events.calls
    .filter((i) => isOwn(i) && !study.isLeft(i))
    .reduce((at, i) => Math.max(at, events.endOf(i)), jobs);
}

// Whether a callback is that of an interval which is left: then it is no work that goes on.
function ofIntervals(events, items) {
  const words = new Set(
    items.map(({ title }) => /^interval .* \([^()]*:\d+\)/.exec(title)?.[0]).filter((text) => text !== undefined),
  );
  return (i) => {
    const { file, line } = events.detailOf(i);
    return words.has(`interval ${events.nameOf(i)} (${file}:${line})`);
  };
}

const wordsOf = ({ title, place }) =>
  place === undefined || title.includes(place.words) ? title : `${title}, made at ${place.words}`;

// What was left: { items, idle }, or undefined: the program had work, or serves others.
function leftOf(study) {
  const last = study.census.at(-1);
  if (study.endedBy === undefined || last?.alive === undefined) return undefined;
  const items = last.alive.filter(({ title }) => !kPlatform.test(title));
  if (items.length === 0 || items.some(({ title }) => kServes.test(title))) return undefined;
  const isLeft = ofIntervals(study.events, items);
  const done = lastDone({ events: study.events, isLeft }, (i) => study.isOwn(i));
  const idle = study.end - done;
  return done < 0 || idle < kIdle || last.at < done ? undefined : { items, idle };
}

function leftVerdicts(study) {
  const left = leftOf(study);
  if (left === undefined || left.items.every(({ title }) => kRepeats.test(title))) return [];
  const { items, idle } = left;
  return [
    {
      id: 'alive',
      title: `it was ended by ${study.endedBy} when it had done nothing for ${time(idle)}: it does not end by itself`,
      lines: items.slice(0, 5).map((item) => `kept alive by ${wordsOf(item)}`),
      more: items.length - 5,
      advice: 'If it should have ended: close, end or clear what is named here, or unref() it.',
      ns: idle,
      who: items.map(({ title, place }) => ({ what: title, file: place?.file, line: place?.line })),
    },
  ];
}

// Intervals may be all that a program is there for.
function leftNote(study) {
  const left = leftOf(study);
  if (left === undefined || !left.items.every(({ title }) => kRepeats.test(title))) return undefined;
  const names = left.items.slice(0, 3).map(wordsOf).join('; ');
  return (
    `before ${study.endedBy}, nothing but intervals ran for ${time(left.idle)}: ${names}. ` +
    'If the program should have ended by itself, clear them, or unref() them'
  );
}

module.exports = { leftNote, leftVerdicts };
