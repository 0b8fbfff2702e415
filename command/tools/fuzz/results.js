'use strict';

// What a search has found, for machines: the finds, each with an identity that stays the same from run to run, and
// those that are accepted (--baseline). fuzz/formats.js writes it.
//
// Reports go to servers that others can read: the program's command line and what looks like a secret in the
// environment are left out, unless --show-command asks for the first.

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const { writeOwn } = require('internal/cli/own_file');
const { Refusal } = require('internal/cli/refusal');
const { nearOf, placed } = require('internal/cli/fuzz/story');

const kIdLength = 16;
const kSecretNames = /TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|(^|_)(PAT|KEY|PWD)($|_)|APIKEY|ACCESSKEY|PRIVATE/i;
const kLeastSecret = 6; // shorter values are words of their own

// Where the sources are, as the server knows them.
const baseOf = () => process.env.GITHUB_WORKSPACE || process.env.CI_PROJECT_DIR || process.cwd();

function masked(text) {
  const values = Object.entries(process.env)
    .filter(([name, value]) => kSecretNames.test(name) && name !== 'PWD' && name !== 'OLDPWD')
    .flatMap(([, value]) => value.split('\n'))
    .filter((value) => value.length >= kLeastSecret)
    .sort((a, b) => b.length - a.length);
  return values.reduce((all, value) => all.replaceAll(value, '***'), text);
}

// What differs from run to run of the same race: numbers, addresses, names of temporary files.
const plain = (text) =>
  text
    .replace(/(?:\/[\w.@+-]+){2,}/g, (file) => path.basename(file))
    .replace(/0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+/gi, '#')
    .trim();

// The message of an uncaught error; else the first lines.
function complaintOf(text) {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => /^(Uncaught )?\w*(Error|Exception)\b.*/.test(line));
  return at < 0 ? text : lines.slice(at, at + 4).join('\n');
}

function differenceOf(usual, other) {
  const a = usual.split('\n'),
    b = other.split('\n');
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return { line: at + 1, usual: a[at], other: b[at] };
}

// A find is known by the test that fails; or by how the program ends, and by its error or the first line that differs.
function idOf(name, usual, outcome, test) {
  const words = [name];
  if (test !== undefined) words.push('test', test);
  else {
    const [complaint] = complaintOf(outcome.stderr).split('\n');
    const difference = differenceOf(usual.stdout, outcome.stdout);
    words.push(outcome.end, complaint === '' ? plain(`${difference.other}`) : plain(complaint));
  }
  return crypto.createHash('sha256').update(words.join('\n')).digest('hex').slice(0, kIdLength);
}

// ---- the baseline: a file that people read and change ----

class Baseline {
  #file;
  #accepted = new Map(); // id -> { id, what, why }

  constructor(file, mayBeNew) {
    this.#file = file;
    if (file === undefined || (mayBeNew && !fs.existsSync(file))) return;
    for (const entry of readBaseline(file)) this.#accepted.set(entry.id, entry);
  }

  has(id) {
    return this.#accepted.has(id);
  }

  whyOf(id) {
    return this.#accepted.get(id)?.why ?? '';
  }

  accept(finds) {
    for (const { id, title } of finds) if (!this.has(id)) this.#accepted.set(id, { id, what: title, why: '' });
    writeOwn(this.#file, `${JSON.stringify({ accepted: [...this.#accepted.values()] }, null, 2)}\n`);
  }
}

function readBaseline(file) {
  let entries;
  try {
    entries = JSON.parse(fs.readFileSync(file, 'utf8')).accepted;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (Array.isArray(entries) && entries.every((entry) => typeof entry?.id === 'string')) return entries;
  throw new Refusal(`${file} is not a baseline: rota fuzz --baseline=${file} --accept writes such files`);
}

// ---- results ----

class Results {
  #plan;
  #runner;
  #baseline;
  #usual;
  #finds = new Map(); // id -> find

  constructor(plan, runner) {
    this.#plan = plan;
    this.#runner = runner;
    this.#baseline = new Baseline(plan.baseline, plan.accept);
  }

  begin(usual) {
    this.#usual = usual;
  }

  idOf(outcome, test) {
    return idOf(this.#runner.name, this.#usual, outcome, test);
  }

  // Whether the baseline has it; then it is noted, and nothing else is to be done with it.
  isAccepted(outcome, test, label) {
    const id = this.idOf(outcome, test);
    if (!this.#baseline.has(id)) return false;
    if (!this.#finds.has(id)) this.found({ outcome, test, label });
    else this.#finds.get(id).count++;
    return true;
  }

  isAcceptedId(id) {
    return this.#baseline.has(id);
  }

  // decisions, story, record and page are there if it was looked into.
  found({ outcome, test, label, decisions = [], before = decisions.length, story, record, page, isSteady = true }) {
    const id = this.idOf(outcome, test);
    const { end, stdout, stderr } = outcome;
    const ends = test === undefined ? end : `test ${JSON.stringify(test)} fails`;
    const complaint = complaintOf(stderr).trimEnd();
    const find = {
      id,
      title: masked(test === undefined ? `${end}${complaint === '' ? '' : `: ${complaint.split('\n')[0]}`}` : ends),
      label,
      test,
      end,
      usualEnd: this.#usual.end,
      isSteady,
      accepted: this.#baseline.has(id) ? { why: this.#baseline.whyOf(id) } : undefined,
      message: masked(test === undefined ? complaint || differenceWords(this.#usual.stdout, stdout) : ''),
      decisions: decisions.map(({ words, place }) => ({ words: masked(words), place: place && masked(place) })),
      before,
      early: told(story?.early),
      late: told(story?.late),
      passes: (story?.passes ?? []).map(masked),
      fails: (story?.fails ?? []).map(masked),
      location: locationOf(story, stderr),
      record: record && nearOf(record),
      page: page && nearOf(page),
      count: 1,
    };
    find.replay = record && this.#replayOf(find.record);
    this.#finds.set(id, find);
  }

  again(outcome, test) {
    const find = this.#finds.get(this.idOf(outcome, test));
    if (find !== undefined) find.count++;
  }

  // Of an earlier search; it fails still.
  known({ id, label, end, test }) {
    if (id === undefined || this.#finds.has(id)) return;
    const title = test === undefined ? end : `test ${JSON.stringify(test)} fails`;
    const accepted = this.#baseline.has(id) ? { why: this.#baseline.whyOf(id) } : undefined;
    const rest = {
      message: '',
      decisions: [],
      before: 0,
      passes: [],
      fails: [],
      isSteady: true,
      isKnown: true,
      count: 1,
    };
    this.#finds.set(id, { id, title: masked(title), label, test, end, usualEnd: this.#usual.end, accepted, ...rest });
  }

  get finds() {
    return [...this.#finds.values()];
  }

  get open() {
    return this.finds.filter(({ accepted }) => accepted === undefined);
  }

  accept() {
    this.#baseline.accept(this.open);
  }

  // With the program's own words in place of its command line.
  #replayOf(record) {
    const { command, program, showCommand } = this.#plan;
    const words = showCommand ? masked(command.join(' ')) : program ? 'COMMAND' : 'SCRIPT';
    return `rota fuzz --replay=${record} ${program ? '-- ' : ''}${words}`;
  }

  // All that the formats write. `state`: what is to be said of the search.
  summary({ tried, seconds, exitCode, why, isInterrupted }) {
    const { command, shard, showCommand } = this.#plan;
    const { end, tests, unsteady = [] } = this.#usual ?? {};
    return {
      name: masked(this.#runner.name),
      command: showCommand ? command.map(masked) : undefined,
      shard: shard && `${shard.index}/${shard.of}`,
      undisturbed: this.#usual && {
        end,
        tests: tests && { ...tests, failed: tests.failed.map(masked) },
        unsteady: unsteady.map(masked),
      },
      tried,
      seconds,
      exitCode,
      why,
      isInterrupted,
      finds: this.finds,
    };
  }
}

function differenceWords(usual, other) {
  const { line, usual: a, other: b } = differenceOf(usual, other);
  const shown = (text) => (text === undefined ? 'nothing more' : JSON.stringify(text));
  return a === b ? '' : `line ${line} of the output is ${shown(b)}, not ${shown(a)}`;
}

function told(step) {
  if (step === undefined) return undefined;
  const { name, file, line, maker } = step;
  const near = file && nearOf(file, baseOf());
  return { name: masked(name), file: near, line, words: masked(placed(step)), maker: maker && masked(placed(maker)) };
}

// Of the sources of the project, if any of them is known: where a server shows the find.
function locationOf(story, stderr) {
  const [, file, line] = /\n\s+at (?:[^\n]* \()?(?:file:\/\/)?(\/[^:\n]+):(\d+):\d+\)?/.exec(stderr) ?? [];
  const isOwn = (step) => step?.file !== undefined && !step.file.includes('/node_modules/') && isInside(step.file);
  const found = [story?.early, story?.late, { file, line: Number(line) }].find(isOwn);
  return found && { file: nearOf(found.file, baseOf()), line: found.line };
}

const isInside = (file) => path.isAbsolute(file) && !path.relative(baseOf(), file).startsWith('..');

module.exports = { Results, complaintOf, masked };
