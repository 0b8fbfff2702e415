'use strict';

// Pairs of operations that the undisturbed run did in one order, and that could come in the other: which there are, and
// in which order they are worth a try. The record of a run names its operations (simulate/pairs.h):
//
//   #+ loop, name, the operation in whose callback it began (0: none), milliseconds, w if it changes files, words
//   #- loop, name, the number of its callback in the trace, and whether it failed
//   #= loop, name, name, and whether the first came after the second, as was asked
//
// Two operations are ordered if one began in the callback of the other, or in one that this led to. That a socket has
// data because of a write, or that a timer was set in a callback, is not known here: a run that turns such a pair round
// finds that it cannot be.

const kPairsMax = 2000; // that are listed
const kOperationsMax = 400; // of a loop, that are compared with each other
const kTogetherMs = 20; // so much later a loop may wake: timers that are no further apart may share a turn

const kNotOnPaths = /^(fsync|fdatasync|close) /; // changes nothing that another operation sees

// ---- what was seen ----

function parentOf(path) {
  const at = path.lastIndexOf('/');
  return at > 0 ? path.slice(0, at) : undefined;
}

class Operation {
  constructor({ process, loop, name, parent, ms, changes, words }) {
    Object.assign(this, { process, loop, name, parent, ms: Number(ms), changes, words });
    const [, where, what] = /^(\w+): (.*)$/.exec(words);
    this.isTimer = where === 'time';
    this.isJob = where === 'pool';
    [, this.verb, this.path] = (this.isJob && /^(\w+) (\/.*|\.\.?\/.*)$/.exec(what)) || [];
    [, this.descriptor] = (this.isJob && /^\w+ of descriptor (\d+)$/.exec(what)) || [];
    this.isOfPath = !kNotOnPaths.test(what);
    this.isUnknown = this.isJob && this.path === undefined && this.descriptor === undefined;
    this.dueMs = this.isTimer ? Number(/(\d+) ms$/.exec(words)[1]) : undefined;
    this.came = Infinity;
    this.failed = false;
  }
}

// The operations of each loop of each process, in the order in which they came.
function operationsOf(notes) {
  const loops = new Map();
  const loopOf = (process, loop) => {
    const key = `${process}\n${loop}`;
    if (!loops.has(key)) loops.set(key, { list: [], named: new Map(), step: 0 });
    return loops.get(key);
  };
  for (const { process, line } of notes) {
    const begun = /^#\+ (\d+) (\d+) (\d+) (\d+) ([wr]) (.*)$/.exec(line);
    if (begun !== null) {
      const [, loop, name, parent, ms, mark, words] = begun;
      const state = loopOf(process, loop);
      const operation = new Operation({ process, loop, name, parent, ms, changes: mark === 'w', words });
      operation.begun = state.step++;
      operation.before = state.named.get(parent);
      state.list.push(operation);
      state.named.set(name, operation);
    }
    const ended = /^#- (\d+) (\d+) (\d+) (\w+)$/.exec(line);
    if (ended === null) continue;
    const [, loop, name, call, how] = ended;
    const state = loopOf(process, loop);
    const operation = state.named.get(name);
    if (operation !== undefined) Object.assign(operation, { came: state.step++, call, failed: how === 'failed' });
  }
  return [...loops.values()].map(({ list }) => list.sort((a, b) => a.came - b.came));
}

// ---- pairs ----

function leadsTo(first, second) {
  for (let at = second; at !== undefined; at = at.before) if (at === first) return true;
  return false;
}

// Both are of one descriptor, whose events have their order.
const isSameStream = (first, second) =>
  !first.isJob && !second.isJob && / (\d+)$/.exec(first.words)?.[1] === / (\d+)$/.exec(second.words)?.[1];

const canTurn = (first, second) =>
  !leadsTo(first, second) && !leadsTo(second, first) && !isSameStream(first, second) && !first.isTimer;

// A job on a descriptor is of the file that was opened before it, by the operations that led to it.
function fileOf(operation) {
  for (let at = operation; at !== undefined; at = at.before) if (at.path !== undefined) return at.path;
  return undefined;
}

// What both touch, if one of them changes it, in words; undefined: nothing that is known.
function inCommon(first, second) {
  if (!first.isJob || !second.isJob || !(first.changes || second.changes) || !first.isOfPath || !second.isOfPath)
    return undefined;
  if (first.isUnknown || second.isUnknown) return undefined;
  const [a, b] = [first.path ?? fileOf(first), second.path ?? fileOf(second)];
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return a;
  const [inner, outer, changer] = a.length > b.length ? [a, b, second] : [b, a, first];
  if (inner.startsWith(`${outer}/`) && changer.changes) return outer;
  return /^(scandir|opendir)$/.test((changer === first ? first : second).verb) && parentOf(inner) === outer
    ? outer
    : undefined;
}

const wordsOf = (operation) => operation.words;

// `reason`: why it is looked at, the best first.
const kReasons = ['touch', 'touch later', 'timers', 'together', 'timer', 'last', 'near', 'rest'];

function pairOf(first, second, reason, about) {
  const { process, loop } = first;
  const decision = `${loop} ${first.name} after ${second.name}`;
  const words = `${wordsOf(first)} comes after ${wordsOf(second).replace(/^\w+: /, '')}`;
  return { first, second, reason, about, entry: { process, decision, number: first.name, words } };
}

function joinOf(first, second) {
  const { process, loop } = first;
  const decision = `${loop} ${first.dueMs} join ${second.dueMs - first.dueMs}`;
  const words = `${first.words} comes ${second.dueMs - first.dueMs} ms late, with the one due at ${second.dueMs} ms`;
  return { first, second, reason: 'timers', entry: { process, decision, number: `${first.dueMs}`, words } };
}

function timersOf(list) {
  const timers = list.filter(({ isTimer }) => isTimer);
  const pairs = [];
  for (const [i, first] of timers.entries())
    for (const second of timers.slice(i + 1))
      if (second.dueMs > first.dueMs && second.dueMs - first.dueMs <= kTogetherMs) pairs.push(joinOf(first, second));
  return pairs;
}

// A timer that did not come, because it was cleared meanwhile, would have come if the other had taken longer.
const couldCome = (first, second) => second.came < Infinity || (second.isTimer && second.begun < first.came);

// The first operation is put behind the second. Of timers the first that comes after it matters; the last of all that
// are not ordered with it puts it behind everything.
function pairsOf(list) {
  const pairs = timersOf(list);
  for (const [i, first] of list.slice(0, kOperationsMax).entries()) {
    if (first.isTimer || first.came === Infinity) continue;
    const others = list
      .slice(i + 1, kOperationsMax)
      .filter((second) => couldCome(first, second) && canTurn(first, second));
    const timer = others.find((second) => second.isTimer);
    for (const second of others) {
      const about = inCommon(first, second);
      const isNear = second.begun < first.came;
      let reason = isNear ? 'near' : 'rest';
      if (about !== undefined) reason = isNear ? 'touch' : 'touch later';
      else if (isNear && first.before === second.before && first.isUnknown && second.isUnknown) reason = 'together';
      else if (second === timer && first.isJob) reason = 'timer';
      else if (second === others.at(-1)) reason = 'last';
      pairs.push(pairOf(first, second, reason, about));
    }
  }
  return pairs;
}

// An operation that fails comes first: what a program does then is seldom tried. Then jobs, whose time is the system's.
// Of two that touch the same, that the one that changes it comes late is worth more.
const worth = ({ first, reason }) =>
  kReasons.indexOf(reason) * 8 +
  (first.failed ? 0 : 4) +
  (first.isJob ? 0 : 2) +
  (first.changes || first.isUnknown ? 0 : 1);

function candidatesOf(notes) {
  const pairs = operationsOf(notes).flatMap(pairsOf);
  return pairs
    .map((pair, i) => [worth(pair), i, pair])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(([, , pair]) => pair)
    .slice(0, kPairsMax);
}

// By the real clock no operation has the same name again, and what is not to be decided is not.
const turnsPairs = ({ strategy, realTime, without = '' }) =>
  !realTime && (strategy === undefined || strategy === 'pairs') && !without.split(',').includes('after');

// Without late timers two do not share a turn.
function candidatesFor(plan, notes) {
  if (!turnsPairs(plan)) return [];
  const has = (kind) => (plan.without ?? '').split(',').includes(kind);
  const candidates = candidatesOf(notes);
  return has('late') || has('join') ? candidates.filter(({ reason }) => reason !== 'timers') : candidates;
}

// ---- what a seed chooses from ----

// Pairs that touch the same thing are turned as they are; an operation that is put behind all others is marked: seeds
// do that mostly (+) if nothing else could be turned, else seldom (*).
function listOf(candidates) {
  const touching = candidates.filter(({ reason }) => ['touch', 'touch later', 'timers', 'together'].includes(reason));
  const others = touching.length > 0 || candidates.some(({ second }) => second.isTimer);
  const lasts = new Map();
  for (const pair of candidates) {
    const before = lasts.get(pair.first);
    if (pair.reason !== 'timers' && (before === undefined || before.second.came < pair.second.came))
      lasts.set(pair.first, pair);
  }
  const marked = [...lasts.values()]
    .map((pair) => [pair.first.failed ? 0 : 1, isTogether(pair.first, candidates) ? 0 : 1, pair])
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .map(([, , { entry }]) => markedAs(others ? '*' : '+', entry));
  const looks = ({ first, entry }) =>
    first.isJob && !first.changes && !first.isUnknown ? markedAs('-', entry) : entry;
  return [...touching.sort((a, b) => a.second.came - b.second.came).map(looks), ...marked];
}

const markedAs = (mark, entry) => ({ ...entry, words: `${mark} ${entry.words}` });

// It began together with another operation.
const isTogether = (operation, candidates) =>
  candidates.some(
    ({ first, second }) =>
      (first === operation || second === operation) && first.before === second.before && second.begun < first.came,
  );

// ---- what came of it ----

// Whether the order was turned: true, or the reason why not.
function turned({ first, entry }, notes) {
  if (entry.decision.includes(' join ')) return true;
  const [loop, , , other] = entry.decision.split(' ');
  const line = notes.map((note) => note.line).find((text) => text.startsWith(`#= ${loop} ${first.name} ${other} `));
  if (line === undefined) return 'it did not come to it';
  const how = line.split(' ').slice(4).join(' ');
  return how === 'turned' ? true : how;
}

module.exports = { candidatesFor, leadsTo, listOf, turned, turnsPairs };
