'use strict';

// The order of a program's callbacks, each with the rules that made it so: from what command/node/record.js has written
// (what was queued where, what ran when), and from the phases of the trace. Nothing is guessed from the source.

const path = require('path');

const kKinds = {
  TickObject: 'tick',
  PROMISE: 'promise job',
  Microtask: 'promise job',
  Timeout: 'timer',
  Immediate: 'immediate',
};
const kPool =
  /^(?:FSREQ|GETADDRINFO|GETNAMEINFO|PBKDF2|SCRYPT|RANDOM|HASH|KEYPAIR|SIGN|CHECKPRIME|DERIVE|ZLIB|HKDF|CIPHER)/;
const kWords = {
  FSREQCALLBACK: 'a file operation',
  FSREQPROMISE: 'a file operation',
  GETADDRINFOREQWRAP: "a name's look-up",
  TCPWRAP: 'a socket',
  TCPSERVERWRAP: 'a server',
  TCPCONNECTWRAP: 'a connection',
  PIPEWRAP: 'a pipe',
  PROCESSWRAP: 'a child process',
  HTTPINCOMINGMESSAGE: 'an HTTP request',
  HTTPCLIENTREQUEST: 'an HTTP response',
};
const kDrained = new Set(['tick', 'promise job']);
const kSoon = 1; // milliseconds: a timer of 0 ms has this delay

class Story {
  // `phases` are [from, to, name], in nanoseconds of the same clock, in order.
  constructor(lines, phases) {
    this.phases = phases;
    this.resources = new Map();
    this.lastOf = new Map(); // by async id
    this.steps = [];
    this.main = { kind: 'main script', id: 1, prints: [], made: [], root: undefined };
    this.add(this.main, lines[0]?.at ?? 0);
    this.isModule = false;
    for (const line of lines) this.take(line);
    const { main } = this;
    this.steps = this.steps.filter(
      (step) => step === main || step.place !== undefined || step.prints.length > 0 || step.made.length > 0,
    );
    this.number();
  }

  add(step, at) {
    step.at = at;
    step.phase = step.kind === 'main script' ? undefined : this.phaseAt(at);
    if (kDrained.has(step.kind)) step.root = this.root;
    else this.root = step;
    this.steps.push(step);
    this.lastOf.set(step.id, step);
  }

  phaseAt(at) {
    return this.phases.find(([from, to]) => from <= at && at <= to);
  }

  // The step in which the program did something. The first is the main script; that of an ES module runs in a promise
  // job of the platform's.
  stepOf(id) {
    const found = this.lastOf.get(id) ?? this.main;
    const isMain = this.main.prints.length === 0 && this.main.made.length === 0;
    const isHidden = found.kind === 'promise job' && found.place === undefined;
    if (isMain && (isHidden || id !== this.main.id)) this.adopt(isHidden ? found : this.main);
    return found;
  }

  adopt(step) {
    this.isModule = true;
    if (step !== this.main) this.steps.splice(this.steps.indexOf(this.main), 1);
    Object.assign(step, { kind: 'main script', phase: undefined, root: undefined });
    this.main = this.root = step;
  }

  take({ event, id, at, ...line }) {
    const { resources } = this;
    if (event === 'init') {
      const isOwn = line.file !== undefined;
      const place = isOwn ? { file: line.file.replace(/^file:\/\//, ''), line: line.line } : undefined;
      const by = isOwn ? this.stepOf(line.by) : (this.lastOf.get(line.by) ?? this.main);
      const { type, name, delay, trigger } = line;
      const resource = { id, type, by, place, name, delay, at, trigger };
      resources.set(id, resource);
      if (isOwn) by.made.push(resource);
    } else if (event === 'resolve') {
      const resource = resources.get(id);
      if (resource !== undefined)
        Object.assign(resource, { settledBy: this.lastOf.get(line.by) ?? this.main, settledAt: at });
    } else if (event === 'print') {
      this.stepOf(line.by).prints.push(line.text);
    } else if (event === 'before') {
      const resource = resources.get(id);
      if (resource === undefined) return;
      const kind = kKinds[resource.type] ?? 'callback';
      this.add({ kind, id, resource, place: resource.place, prints: [], made: [] }, at);
    }
  }

  number() {
    this.steps.forEach((step, k) => (step.number = k + 1));
    for (const step of this.steps) step.rules = this.rulesOf(step);
  }

  // ---- why ----

  // Which step has queued it: a promise job is queued when its promise is settled, of which nothing may be known.
  queuedBy(step) {
    const { resource, root } = step;
    const parent = this.resources.get(resource.trigger);
    const late = resource.type === 'PROMISE' && parent?.settledAt > resource.at;
    const by = late ? parent.settledBy : resource.by;
    return by === root || by.root === root ? by : root;
  }

  drainRules(step) {
    const by = this.queuedBy(step);
    const isTick = step.kind === 'tick';
    if (by === this.main && this.isModule) return ['E1'];
    if (by.kind === 'tick') return [isTick ? 'T2' : 'M3'];
    if (by.kind === 'promise job') return [isTick ? 'T3' : 'M2'];
    return [isTick ? 'T1' : 'M1', ...(this.isBetween(step.root) ? ['D1'] : [])];
  }

  // Whether the next callback of the loop is of the same kind and in the same run of its phase.
  isBetween(root) {
    if (root.kind !== 'timer' && root.kind !== 'immediate') return false;
    const next = this.steps.find((step) => step.at > root.at && !kDrained.has(step.kind));
    return next !== undefined && next.kind === root.kind && next.phase !== undefined && next.phase === root.phase;
  }

  made(step, type, isMeant = () => true) {
    return step.made.some((resource) => resource.type === type && isMeant(resource));
  }

  // The order of a timer that is due at once and an immediate, if the same step made both.
  pairRules({ by, type, delay }) {
    if (type === 'Timeout' && delay > kSoon) return [];
    const other =
      type === 'Timeout' ? this.made(by, 'Immediate') : this.made(by, 'Timeout', (timer) => timer.delay <= kSoon);
    if (!other) return [];
    if (by === this.main) return ['O1'];
    return (by.root ?? by).phase?.[2] === 'poll' ? ['C3'] : [];
  }

  timerRules(step) {
    const before = this.steps.findLast(({ at, kind }) => at < step.at && !kDrained.has(kind));
    const isRow = before?.kind === 'timer' && before.phase !== undefined && before.phase === step.phase;
    return [...this.pairRules(step.resource), isRow ? 'L2' : 'L1'];
  }

  immediateRules(step) {
    const { by } = step.resource;
    const pair = this.pairRules(step.resource);
    return pair.length > 0 ? [...pair, 'C1'] : [(by.root ?? by).kind === 'immediate' ? 'C2' : 'C1'];
  }

  rulesOf(step) {
    if (step.kind === 'main script') return ['S1'];
    if (kDrained.has(step.kind)) return this.drainRules(step);
    if (step.kind === 'timer') return this.timerRules(step);
    if (step.kind === 'immediate') return this.immediateRules(step);
    const phase = step.phase?.[2];
    if (phase === 'closing') return ['K1'];
    if (phase !== 'poll') return [];
    return [kPool.test(step.resource.type) ? 'P2' : 'P1'];
  }

  // ---- words ----

  static what({ kind, resource }) {
    const name = resource?.name ? ` ${resource.name}` : '';
    if (kind === 'timer') return `timer${name} of ${resource.delay} ms`;
    return kind === 'callback' ? `callback${name} of ${kWords[resource.type] ?? resource.type}` : `${kind}${name}`;
  }

  asList() {
    return this.steps.map(({ number, kind, resource, place, phase, prints, rules, ...step }) => ({
      number,
      kind,
      what: Story.what({ kind, resource }),
      file: place?.file,
      line: place?.line,
      madeBy: resource?.by.number,
      phase: kDrained.has(kind) ? undefined : phase?.[2],
      after: step.root?.number,
      prints: prints.join(''),
      rules,
    }));
  }
}

const placeOf = ({ file, line }) => (file === undefined ? '' : ` at ${path.basename(file)}:${line}`);

module.exports = { Story, placeOf };
