'use strict';
// What a trace shows, in the five lines that `rota timeline` prints: the longest block and who, where the time went,
// what waited longest and for whom, the pool, and how it ended. What the trace does not tell has no line.

const { Events, guiltyIn, jobName, longestOf, plural, time } = require('internal/cli/events');
const { betterSize, fullFor, threadsOf, waitsOf } = require('internal/cli/pool');

const BLOCK_NS = 1e6; // what is shorter blocks nobody
const LATE_NS = 1e6;
const ERROR = /^(uncaught error|unhandled rejection): /;

// ---- the lines ----

function blockLine(events) {
  const { calls, duration } = events;
  const longest = longestOf(
    calls.filter((i) => events.detailOf(i).phase !== 'outside'),
    (i) => duration[i],
  );
  if (longest === undefined || duration[longest] < BLOCK_NS) return undefined;
  const guilty = guiltyIn(events, longest);
  const who = events.inWords(longest);
  return `longest block: ${time(duration[longest])} in ${guilty === undefined ? who : `${guilty}, called by ${who}`}`;
}

function phaseLine(events) {
  const { loops, process } = events.trace.meta;
  const main = loops.find(({ loop, thread }) => thread === process || (thread === undefined && loop === 1));
  if (main === undefined || main.whole === 0) return undefined;
  const busy = main.whole - main.waited;
  const track = events.trace.tracks.get(main.thread ?? process);
  const outermost = events.insight.ofTrack(track).calls.filter((i) => events.detailOf(i).phase !== 'outside');
  const sums = new Map();
  for (const i of outermost) {
    const { phase } = events.detailOf(i);
    sums.set(phase, (sums.get(phase) ?? 0) + events.duration[i]);
  }
  const most = longestOf([...sums], ([, sum]) => sum);
  const share = `busy: ${((busy / main.whole) * 100).toFixed(1)} % of ${time(main.whole)}`;
  return most === undefined ? share : `${share}; most of it in the phase ${most[0]}: ${time(most[1])}`;
}

function lateLine(events) {
  const { calls, b, insight } = events;
  const waited = calls.filter((i) => b[i] > LATE_NS);
  const known = waited.filter((i) => events.detailOf(i).file !== undefined); // the others are the platform's own
  const late = longestOf(known.length > 0 ? known : waited, (i) => b[i]);
  if (late === undefined) return undefined;
  const { delay, event } = insight.blame(late);
  const reason = event === undefined ? '' : `, while ${events.inWords(event)} ran`;
  return `waited longest: ${events.inWords(late)}, ${time(delay)}${reason}`;
}

function poolLine(events, processors, said) {
  const threads = threadsOf(events, said);
  const waits = waitsOf(events, events.jobs, threads);
  if (waits.length === 0) return undefined;
  const worst = longestOf(waits, ({ waited }) => waited);
  const full = time(fullFor(waits.map(({ from, to }) => [from, to])));
  const all = events.jobs.length.toLocaleString('en');
  const jobsInWords = `${plural(waits.length, 'job')} of ${all} waited for a thread`;
  const told = `${jobsInWords}, ${jobName(events.nameOf(worst.i))} for ${time(worst.waited)}`;
  return `pool: full for ${full}; ${told}${advice(betterSize(events, threads, processors, waits), processors)}`;
}

function advice({ computing, size }, processors) {
  if (size !== undefined) return `; UV_THREADPOOL_SIZE=${size} would give them more threads`;
  const room = processors === 1 ? 'there is 1 processor' : `there are ${processors} processors`;
  return computing ? `; more threads would not help: the jobs compute, and ${room}` : '';
}

const OFF = 'names are off from here on';
const ON = 'names are on again';
const LEFT_OUT = 0.1; // of the time: less is not worth a line

// The program may have been ended by a signal, after which it can tell nothing itself.
function namesLine({ marks, start, trace, ...events }) {
  let left = 0,
    since;
  const last = trace.events.columns[0].reduce((x, y) => Math.max(x, y), 0);
  for (const i of marks) {
    const text = trace.strings.list[events.name[i]];
    if (text === OFF) since ??= start[i];
    if (text !== ON || since === undefined) continue;
    left += start[i] - since;
    since = undefined;
  }
  if (since !== undefined) left += last - since;
  if (left <= last * LEFT_OUT) return undefined;
  const share = ((left / last) * 100).toFixed(0);
  return `names: off for ${share} % of the time, because the program was busy; long calls and requests have names`;
}

// `ended` is an exit code or the name of a signal, as text.
function endLine({ marks, trace, ...events }, ended) {
  if (ended === undefined) return undefined;
  const isSignal = ended.startsWith('SIG');
  const how = isSignal ? `by ${ended}` : `with exit code ${ended}`;
  if (!trace.meta.ended) return `ended ${how}; the trace breaks off before it`;
  const inside = trace.endings.get(trace.meta.process);
  const error = marks.findLast((i) => ERROR.test(trace.strings.list[events.name[i]]));
  if (error !== undefined && !isSignal && ended !== '0')
    return `ended ${how}: ${trace.strings.list[events.name[error]]}`;
  if (inside !== undefined) return `ended ${how}, in ${inside}`;
  return isSignal ? `ended ${how}` : `ended by itself, ${how}: nothing kept its loop alive`;
}

// `threads`: of the pool, if the environment says it.
function findings(trace, { ended, processors, threads }) {
  const events = new Events(trace);
  return [
    blockLine(events),
    phaseLine(events),
    lateLine(events),
    poolLine(events, processors, threads),
    namesLine(events),
    endLine(events, ended),
  ].filter((line) => line !== undefined);
}

module.exports = { findings };
