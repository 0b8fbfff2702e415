'use strict';

// One run of the fuzzed program: a steered child, whose end and output are its outcome. All runs begin at the same time
// of day and use the same random numbers, so that they differ only in the decisions.

const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawn, spawnSync } = require('child_process');
const host = require('internal/cli/host');
const { settings } = require('internal/cli/settings');
const { writeOwn } = require('internal/cli/own_file');
const { readTests } = require('internal/cli/fuzz/tests');

const kUsualHold = 500; // simulate/allowance.h
const kOutputMax = 1 << 20;
const kExplainMs = 2000; // for the run that says in words what was found, though the time be over
const kLeastLimitMs = 10000; // a run that takes longer hangs, unless told otherwise
const kSlower = 5; // a schedule may make the program so many times slower
const kGrowth = 6; // what seems to hang is given so many times as much
const kShifts = [0, 0, 1, 2, -1, 3, -2]; // of the numbers of decisions, twice without: other threads disturb, too
const kCrashes = new Set(['SIGSEGV', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGABRT', 'SIGTRAP', 'SIGSYS']);

class Runner {
  #plan;
  #scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-fuzz-'));
  #day = `from=${Math.floor(Date.now() / 1000) * 1000}`;
  outputVaries = false;
  lacksLoop = false;
  #files = 0;
  #pairs; // the file of the pairs from which seeds choose
  #limitMs;
  #groups = new Set(); // of processes that run
  #usualTraces; // of the undisturbed run
  #label; // of the process that was shown
  #end = Infinity; // when all must be over, by the clock of process.hrtime, in milliseconds

  constructor(plan) {
    this.#plan = plan;
    this.#limitMs = plan.timeout === undefined ? kLeastLimitMs : plan.timeout * 1000;
    process.on('exit', () => this.close()); // whatever ends it
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.on(signal, () => process.exit(128 + os.constants.signals[signal]));
  }

  // The reason why the program cannot be run on librota; undefined: it can.
  obstacle() {
    const { status, stdout, stderr, error } = spawnSync(
      host.program,
      ['doctor', '--as=fuzz', '--', this.#plan.command[0]],
      {
        encoding: 'utf8',
      },
    );
    if (error !== undefined) throw error;
    this.lacksLoop = stdout.includes(': it has no libuv; ');
    return status === 0 ? undefined : stdout + stderr;
  }

  endBy(milliseconds) {
    this.#end = milliseconds;
  }

  isOver() {
    return this.#left() <= 0;
  }

  #left() {
    return this.#end - Number(process.hrtime.bigint()) / 1e6;
  }

  // Twice: a program whose two undisturbed runs differ cannot be compared.
  async undisturbed() {
    const began = process.hrtime.bigint();
    const runs = [await this.replay([], true), await this.replay([])];
    if (runs[0].key !== runs[1].key && runs[0].end === runs[1].end && runs[0].tests === undefined) {
      this.outputVaries = true;
      return this.replay([], true);
    }
    if (runs[0].key !== runs[1].key) runs.push(await this.replay([]));
    const tookMs = Number(process.hrtime.bigint() - began) / 1e6 / runs.length;
    if (this.#plan.timeout === undefined && !runs[0].hangs) this.#limitMs = Math.max(this.#limitMs, kSlower * tookMs);
    const usual = { ...runs[0], ends: [...new Set(runs.map(({ end }) => end))] };
    if (runs.every(({ tests }) => tests !== undefined)) await this.#compareTests(usual, runs);
    return usual;
  }

  // Tests that always fail, tests that fail now and then, and tests that fail only in virtual time.
  async #compareTests(usual, runs) {
    const all = [...new Set(runs.flatMap(({ tests }) => tests.failed))];
    const failed = all.filter((name) => runs.every(({ tests }) => tests.failed.includes(name)));
    usual.tests = { ...usual.tests, failed };
    usual.unsteady = all.filter((name) => !failed.includes(name));
    usual.byTime = [];
    if (failed.length === 0 || this.#plan.realTime) return;
    const { tests } = await this.#run({ isPlain: true });
    if (tests !== undefined) usual.byTime = failed.filter((name) => !tests.failed.includes(name));
  }

  // The outcome contains the record: `record` are the decisions, `orders` the lines about the order of operations,
  // `notes` those about single ones.
  seed(seed) {
    return this.#recorded({ seed });
  }

  // A seed that turns some of these pairs round (pairs.js).
  usePairs(entries) {
    this.#pairs = this.#scratchFile('pairs');
    fs.writeFileSync(this.#pairs, textOf(entries, this.#plan.hold));
  }

  // An undisturbed run whose operations are told with the callbacks that began and ended them: { notes, trace }.
  async observe() {
    const { texts, notes } = await this.#traces([]);
    return { notes, trace: traceOfWork(texts) };
  }

  get hasPairs() {
    return this.#pairs !== undefined;
  }

  pairsSeed(seed) {
    return this.#recorded({ seed, pairs: this.#pairs });
  }

  // `hold`: of a find of an earlier search; null: it had no bound.
  async replay(entries, isRecorded = false, hold = this.#plan.hold) {
    const replay = this.#scratchFile('replay');
    fs.writeFileSync(replay, textOf(entries, hold));
    const outcome = isRecorded ? await this.#recorded({ replay }) : await this.#run({ replay });
    fs.rmSync(replay);
    return outcome;
  }

  async #recorded(how) {
    const record = this.#scratchFile('record');
    const outcome = await this.#run({ ...how, record });
    Object.assign(outcome, readRecord(record));
    fs.rmSync(record, { force: true });
    const others = recordsOfChildren(record);
    for (const file of others) {
      const { record: decisions, notes } = readRecord(file);
      if (how.seed !== undefined) outcome.record.push(...decisions);
      outcome.notes.push(...notes);
    }
    for (const file of others) fs.rmSync(file, { force: true });
    return outcome;
  }

  // Runs are parallel: each has files of its own.
  #scratchFile(name) {
    return path.join(this.#scratch, `${name}-${++this.#files}`);
  }

  // The trace of a run, of that process of it that does the program's work, as { text, entries }; an empty text: the
  // program ended before there was one. `isSame` tells by its outcome whether it is the run that is meant: in Node,
  // what tells functions by name is a part of the program, too, and may shift the numbers of what is decided. If no
  // shift gives that run, it is traced without names, and `lacksNames`.
  async trace(entries, isSame = () => true) {
    if (this.#usualTraces === undefined) this.#usualTraces = await this.#traces([]);
    if (entries.length === 0) return { text: traceOfWork(this.#usualTraces.texts, this.#label), entries };
    const renamed = this.#renamed(entries);
    for (const shift of this.#plan.program ? kShifts : [0]) {
      const shifted = renamed.map((entry) => withNumber(entry, shift));
      const { texts, outcome } = await this.#traces(shifted);
      if (isSame(outcome) || !this.#plan.program) return { text: this.#chosen(texts), entries: shifted };
      if (this.isOver()) break;
    }
    const { texts } = await this.#traces(entries, false);
    return { text: this.#chosen(texts), entries, lacksNames: true };
  }

  #chosen(texts) {
    const text = traceOfWork(texts);
    this.#label = labelOf(text);
    return text;
  }

  // A runner of tests hands its options on to the processes of the tests: what names their functions is among them, and
  // a process is known by its command line. They get the decisions of those that were called as they are.
  #renamed(entries) {
    const { processes } = this.#usualTraces;
    return entries.map((entry) => {
      const [, command] = /^\S+ (.*)$/.exec(entry.process) ?? [];
      const found = processes.find((process) => command !== undefined && process.endsWith(` ${command}`));
      return found === undefined || processes.includes(entry.process) ? entry : { ...entry, process: found };
    });
  }

  // Of all processes; and who they were, as the record has it.
  async #traces(entries, names = true) {
    const [trace, replay, record] = ['trace', 'replay', 'record'].map((name) => this.#scratchFile(name));
    fs.writeFileSync(replay, textOf(entries, this.#plan.hold));
    const outcome = await this.#run({ replay, trace, record, names }, kExplainMs);
    const records = [record, ...recordsOfChildren(record)].map(readText);
    const processes = records.flatMap((text) => [...text.matchAll(/^# process (.*)$/gm)].map(([, words]) => words));
    const notes = [record, ...recordsOfChildren(record)].flatMap((file) => readRecord(file).notes);
    return { texts: [trace, ...recordsOfChildren(trace)].map(readText), processes, outcome, notes };
  }

  // For people: with its output on the usual streams.
  watch(file) {
    const { command, args, env } = this.#command({ replay: file });
    const child = spawn(command, args, { env, stdio: 'inherit' });
    return new Promise((resolve) => {
      child.on('error', (error) => resolve(fail(error)));
      child.on('exit', (code, signal) => resolve(signal === null ? code : 128 + os.constants.signals[signal]));
    });
  }

  // The name for the files of a find: that of the script, or the program.
  get name() {
    const { command, program } = this.#plan;
    const script = program ? command.find((word) => /\.[cm]?[jt]s$/.test(word)) : command[0];
    return path
      .basename(script ?? command[0])
      .replace(/\.[cm]?js$/, '')
      .replace(/[^\w.-]/g, '_');
  }

  keptFile(label) {
    return path.join(this.#plan.output, `${this.name}-${label}.schedule`);
  }

  pageFile(label) {
    return path.join(this.#plan.output, `${this.name}-${label}.html`);
  }

  keep(label, entries) {
    const file = this.keptFile(label);
    fs.mkdirSync(this.#plan.output, { recursive: true });
    writeOwn(
      file,
      `# ${this.commandLine({ replay: file })}
${textOf(entries, this.#plan.hold)}`,
    );
    return file;
  }

  commandLine(how) {
    const { args, steering } = this.#command(how);
    return [...steering, ...host.name.split(' '), ...args]
      .map((word) => (/^[\w\-=./:,@%+]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`))
      .join(' ');
  }

  close() {
    for (const group of this.#groups) endGroup(group);
    this.#groups.clear();
    // One that dies may still make a file there.
    try {
      fs.rmSync(this.#scratch, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // It stays: what is wrong (no descriptors, say) has been said.
    }
  }

  #command({ seed, record, replay, trace, pairs, names = true, isPlain = false }) {
    const { realTime, program, command, loop, hold } = this.#plan;
    const given = [
      [settings.VIRTUAL_TIME, isPlain ? undefined : realTime ? '0' : this.#day],
      [settings.SCHEDULE_SEED, seed],
      [settings.SCHEDULE_RECORD, record],
      [settings.SCHEDULE_REPLAY, replay],
      [settings.SCHEDULE_PAIRS, pairs],
      [settings.SCHEDULE_WITHOUT, seed === undefined ? undefined : this.#plan.without || undefined],
      [settings.SCHEDULE_HOLD, seed === undefined || hold === kUsualHold ? undefined : hold],
      [settings.SCHEDULE_FAULTS, seed === undefined ? undefined : this.#plan.faults],
      [settings.TRACE, trace],
      [settings.NAMES, trace !== undefined && program && names ? '1' : undefined],
    ].filter(([, value]) => value !== undefined);
    if (!program) {
      // a script, on this runtime
      const options = given.map(([{ option }, value]) => `${option}=${value}`);
      if (loop !== undefined) options.push(`--loop=${loop}`);
      return { command: host.program, args: [...options, ...command], env: process.env, steering: [] };
    }
    const variables = given.map(([{ variable }, value]) => [variable, `${value}`]);
    return {
      command: host.program,
      args: ['run', '--', ...command],
      env: { ...process.env, ...Object.fromEntries(variables) },
      steering: variables.map(([name, value]) => `${name}=${value}`),
    };
  }

  // What is compared: of a suite of tests which of them fail, and how many there are; else the output.
  #keyOf({ end, hangs, stdout, tests }) {
    if (tests !== undefined && !this.#plan.exactOutput) return JSON.stringify([end, tests.total, tests.failed]);
    if (this.#plan.ignoreOutput || this.outputVaries || hangs) return `${end}\n`;
    return `${end}\n${this.#plan.exactOutput ? stdout : withoutDurations(stdout)}`;
  }

  // A schedule may be slow: a run that seems to hang is run once more, with more time, unless a limit was given.
  async #run(how, leastMs = 0) {
    const outcome = await this.#once(how, leastMs, this.#limitMs);
    if (!outcome.hangs || outcome.isCut || this.#plan.timeout !== undefined) return outcome;
    const again = await this.#once(how, leastMs, this.#limitMs * kGrowth);
    if (!again.hangs) this.#limitMs *= kGrowth;
    return again;
  }

  // A run that is stopped because the time is over says so; it gets at least `leastMs`. It has a process group of its
  // own, so that all of its processes are ended with it.
  #once(how, leastMs, limit) {
    const { command, args, env } = this.#command(how);
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
      child.on('error', reject);
      if (child.pid === undefined) return; // it has no streams then
      const texts = { stdout: '', stderr: '' };
      let hangs = false;
      const left = Math.max(this.#left(), leastMs);
      const timer = setTimeout(
        () => {
          hangs = true;
          endGroup(child.pid);
          setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), 1000).unref();
        },
        Math.min(limit, left),
      );
      for (const name of ['stdout', 'stderr']) {
        child[name].setEncoding('utf8').on('data', (text) => {
          if (texts[name].length < kOutputMax) texts[name] += text;
        });
      }
      this.#groups.add(child.pid);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        this.#groups.delete(child.pid);
        const end = hangs ? 'it hangs' : signal !== null ? `it is killed by ${signal}` : `it exits with ${code}`;
        const crashes = !hangs && kCrashes.has(signal);
        const outcome = { end, hangs, crashes, ...texts, tests: readTests(texts), isCut: hangs && left < limit };
        resolve({ ...outcome, key: this.#keyOf(outcome) });
      });
    });
  }
}

function endGroup(group) {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}

// How long something took is no result of the program's.
function withoutDurations(text) {
  return text
    .replace(/\d+(?:\.\d+)?(?=\s?(?:ns|[uµμ]s|ms|m?secs?|s|(?:milli|micro)?seconds?|min(?:ute)?s?)\b)/g, '#')
    .replace(/(duration_ms\W+)[\d.]+/g, '$1#');
}

function fail(error) {
  process.stderr.write(`rota fuzz: ${error.message}\n`);
  return 1;
}

// ---- records: lines of loop, number, kind, choice, and words ----

// Another decision of the same kind.
function withNumber(entry, shift) {
  const [loop, number, kind, choice] = entry.decision.split(' ');
  if (kind === 'after' || kind === 'join') return entry; // these name operations
  if (shift === 0 || Number(number) + shift < 0) return entry;
  const other = String(Number(number) + shift);
  return { ...entry, number: other, decision: `${loop} ${other} ${kind} ${choice}` };
}

// Empty: its process ended before there was a loop.
function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

// ---- traces: of each process one ----

const labelOf = (trace) => /"process_labels","args":\{"labels":"((?:[^"\\]|\\.)*)"/.exec(trace)?.[1];

// The trace with decisions, if there is one, in which most of the program's own functions ran; with this label, if one
// has it.
function traceOfWork(texts, label) {
  const { eventsOf } = require('internal/cli/fuzz/places');
  const worth = (text) => {
    const events = eventsOf(text);
    const isOwn = ({ cat, args }) => cat === 'call' && !/^node:|\/node_modules\//.test(args.file);
    const isLabelled = label !== undefined && labelOf(text) === label;
    return events.filter(isOwn).length + (isLabelled ? 2e9 : 0) + (events.some(({ cat }) => cat === 'mark') ? 1e9 : 0);
  };
  return texts.map((text) => [worth(text), text]).reduce((best, each) => (each[0] > best[0] ? each : best))[1];
}

function readRecord(file) {
  const text = readText(file);
  const record = [],
    orders = [],
    notes = [];
  let process = ''; // the first of them
  for (const line of text.split('\n')) {
    const head = /^# process (.*)$/.exec(line);
    if (head !== null) process = head[1];
    const parts = /^(\d+ (\d+) \w+ \d+) {2}(.*)$/.exec(line);
    if (parts !== null) record.push({ process, decision: parts[1], number: parts[2], words: parts[3] });
    else if (/^#[<>.] /.test(line)) orders.push(line);
    else if (/^#[-+=] /.test(line)) notes.push({ process, line });
  }
  return { record, orders, notes };
}

// Each child of the program has a file of its own (simulate/place.h).
function recordsOfChildren(record) {
  const folder = path.dirname(record),
    begin = `${path.basename(record)}.`;
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(begin))
    .sort()
    .map((name) => path.join(folder, name));
}

// `hold`: the bound of the run that was recorded (simulate/allowance.h); null: there was none.
function textOf(entries, hold) {
  let last = '';
  const lines = entries.map(({ process: place = '', decision, words }) => {
    const head = place === last ? '' : `# process ${place}\n`;
    last = place;
    return `${head}${decision}  ${words}\n`;
  });
  return (hold === null ? '' : `# hold ${hold} ms\n`) + lines.join('');
}

module.exports = { Runner };
