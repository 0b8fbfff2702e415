'use strict';

// Reads from the output of a test runner which tests failed, by name. Durations, dates, positions in stacks, ports and
// paths of temporary files differ from run to run without any test failing; names do not.
//
// It uses the lines about failed tests that every reporter of these runners prints. A reporter of our own would have to
// be added to the command, which may be `npm test`, and would replace or double its reporters; a script that is
// preloaded into every process would change the tested program. Runners: node:test (spec and TAP), mocha, jest, vitest,
// ava, and all that print TAP.

const kSeparator = ' > ';

const plain = (text) => text.replace(/\x1b\[[\d;]*[A-Za-z]/g, '');
const withoutDuration = (name) => name.replace(/\s+\((?:\d+(?:\.\d+)?\s?m?s\s?)+\)$/, '');

// One entry for a test and the suites around it: the last of each chain.
function leaves(names) {
  const all = [...new Set(names)];
  return all.filter((name) => !all.some((other) => other.startsWith(name + kSeparator))).sort();
}

// The names of the open suites around a line, by indentation.
class Outline {
  #open = [];

  enter(depth, name) {
    this.#leaveTo(depth);
    this.#open.push({ depth, name });
  }

  path(depth, name) {
    this.#leaveTo(depth);
    return [...this.#open.map((entry) => entry.name), name].join(kSeparator);
  }

  #leaveTo(depth) {
    while (this.#open.length > 0 && this.#open.at(-1).depth >= depth) this.#open.pop();
  }
}

// ---- node:test, as people read it ----

function readSpec(lines) {
  const total = lines.map((line) => /^ℹ tests (\d+)$/.exec(line)).find((match) => match !== null);
  if (total === undefined) return undefined;
  const outline = new Outline(),
    failed = [];
  for (const line of lines) {
    if (line === '✖ failing tests:') break; // all of them once more
    const parts = /^( *)([▶✖]) (.*)$/.exec(line);
    if (parts === null) continue;
    const depth = parts[1].length,
      name = withoutDuration(parts[3]);
    if (parts[2] === '▶') outline.enter(depth, name);
    else failed.push(outline.path(depth, name));
  }
  return { runner: 'node:test', total: Number(total[1]), failed };
}

// ---- TAP ----

function readTap(lines) {
  if (!lines.some((line) => /^TAP version 1[34]$/.test(line))) return undefined;
  const outline = new Outline(),
    failed = [];
  let total = 0;
  for (const line of lines) {
    const opened = /^( *)# Subtest: (.*)$/.exec(line),
      ended = /^( *)(not )?ok\b(?: \d+)?(?: -)? ?(.*?)(\s# (?:TODO|SKIP)\b.*)?$/i.exec(line);
    if (opened !== null) outline.enter(opened[1].length, opened[2]);
    if (ended === null) continue;
    const path = outline.path(ended[1].length, ended[3].replace(/ # time ?=.*$/, ''));
    if (ended[1] === '') total++;
    if (ended[2] !== undefined && ended[4] === undefined) failed.push(path);
  }
  return { runner: 'TAP', total, failed };
}

// ---- mocha ----

// "  1) suite", then each title of the chain below, indented by two more columns; the last one ends with a colon.
function readMocha(lines) {
  const passing = lines.map((line) => /^ {2}(\d+) passing \(/.exec(line)).find((match) => match !== null);
  if (passing === undefined) return undefined;
  const begin = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line)),
    failed = [];
  for (let at = begin < 0 ? lines.length : begin; at < lines.length; at++) {
    const first = /^ {2}\d+\) (.*)$/.exec(lines[at]);
    if (first === null) continue;
    const titles = [first[1]];
    while (!titles.at(-1).endsWith(':') && titles.length < 20 && at + 1 < lines.length) titles.push(lines[++at].trim());
    failed.push(titles.join(kSeparator).replace(/:$/, ''));
  }
  return { runner: 'mocha', total: Number(passing[1]) + failed.length, failed };
}

// ---- jest ----

function readJest(lines) {
  const total = lines.map((line) => /^Tests:\s.*?(\d+) total$/.exec(line)).find((match) => match !== null);
  if (total === undefined) return undefined;
  const failed = [];
  let file = '';
  for (const line of lines) {
    const failing = /^FAIL\s+(?:\S+\s+)??(\S+\.\w+)(?: \(.*\))?$/.exec(line),
      name = /^ {2}● (.+)$/.exec(line);
    if (failing !== null) file = failing[1];
    if (name === null || name[1] === 'Console') continue;
    failed.push(name[1] === 'Test suite failed to run' ? file : name[1].split(' › ').join(kSeparator));
  }
  return { runner: 'jest', total: Number(total[1]), failed };
}

// ---- vitest ----

function readVitest(lines) {
  const total = lines.map((line) => /^ +Tests +.*\((\d+)\)$/.exec(line)).find((match) => match !== null);
  if (total === undefined || !lines.some((line) => /^ Test Files /.test(line))) return undefined;
  const failed = lines
    .map((line) => /^ FAIL {2}(.+?)(?: \[ .* \])?$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => match[1]);
  if (lines.some((line) => /^ +Errors +\d+ error/.test(line))) failed.push('an error that no test caught');
  return { runner: 'vitest', total: Number(total[1]), failed };
}

// ---- ava ----

// A line for each test; of a failed one it has the title and, behind a blank, what happened. The titles alone are above
// the details. The last lines count only the failed ones, if there are any.
function readAva(lines) {
  const rule = lines.findIndex((line) => /^ {2}─+$/.test(line));
  if (rule < 0 || !lines.some((line) => /^ {2}\d+ tests? (?:passed|failed)$/.test(line))) return undefined;
  const titles = lines.slice(rule).flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []);
  const results = lines.slice(0, rule).flatMap((line) => /^ {2}([✔✘]) (?:\[fail\]: )?(.*)$/.exec(line) ?? []);
  const titleOf = (text) =>
    titles.filter((title) => `${text} `.startsWith(`${title} `)).sort((a, b) => b.length - a.length)[0] ?? text;
  const failed = [];
  for (let i = 0; i < results.length; i += 3) if (results[i + 1] === '✘') failed.push(titleOf(results[i + 2]));
  const names = failed.map((name) => withoutDuration(name).split(' › ').join(kSeparator));
  return { runner: 'ava', total: results.length / 3, failed: names };
}

// Undefined: no known runner. Some print results to one stream, and failures to the other.
function readTests({ stdout, stderr }) {
  const lines = plain(`${stdout}\n${stderr}`).split(/\r?\n/);
  const suites = [readSpec, readTap, readMocha, readJest, readVitest, readAva]
    .map((read) => read(lines))
    .filter((suite) => suite !== undefined);
  if (suites.length === 0) return undefined;
  return {
    runner: suites.map((suite) => suite.runner).join(', '),
    total: suites.reduce((sum, suite) => sum + suite.total, 0),
    failed: leaves(suites.flatMap((suite) => suite.failed)),
  };
}

module.exports = { readTests };
