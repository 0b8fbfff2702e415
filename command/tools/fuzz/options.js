'use strict';

// The options of rota fuzz: one table, by which they are read and shown in the help. The kinds of decisions and the
// groups of faults are those of settings/settings.table.

const path = require('path');
const host = require('internal/cli/host');
const refusal = require('internal/cli/refusal');
const { choices, groups } = require('internal/cli/settings');
const { kStrategies } = require('internal/cli/fuzz/count');

const kFormats = ['text', 'json', 'junit', 'sarif', 'github'];
const kSeeds = 200;
const kColumn = 20; // where the text about an option begins
const kWidth = 79;

class UsageError extends Error {}

// ---- the table: how a value is read, the property of the plan that it sets, and the help ----

// Returns the value; throws what it must be.
function number(text) {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0)) throw new UsageError('must be a number');
  return value;
}

function positive(text) {
  const value = number(text);
  if (value === 0) throw new UsageError('must be at least 1');
  return value;
}

function count(text) {
  const value = positive(text);
  if (value < 1) throw new UsageError('must be at least 1');
  return Math.floor(value);
}

const listOf = (names, text) => {
  if (text.split(',').some((word) => !names.includes(word)))
    throw new UsageError(`must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}, separated by commas`);
  return text;
};

function kinds(text) {
  return text === 'none' || text === '' ? '' : listOf(choices, text);
}

function loop(text) {
  if (text !== 'html' && text !== 'node') throw new UsageError('must be html or node');
  return text;
}

function strategy(text) {
  if (!kStrategies.includes(text))
    throw new UsageError(`must be ${kStrategies.slice(0, -1).join(', ')} or ${kStrategies.at(-1)}`);
  return text;
}

const anyText = (text) => text;

// "2/5": the second of five parts.
function part(text) {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index === undefined || index < 1 || index > of) throw new UsageError('must be a part of a number, as 2/5');
  return { index, of };
}

const kUnits = { s: 1, m: 60, h: 3600 };

// "90s", "10m", "1h30m": seconds.
function duration(text) {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)([smh])/g)];
  const seconds = parts.reduce((sum, [, number, unit]) => sum + Number(number) * kUnits[unit], 0);
  if (parts.map(([all]) => all).join('') !== text || !(seconds > 0))
    throw new UsageError('must be a time, as 90s, 10m or 1h30m');
  return seconds;
}

// "github,junit:report.xml": a list of { name, file }. One of them at most goes to the output.
function formats(text) {
  const list = text.split(',').map((word) => {
    const [, name, file] = /^([a-z]+)(?::(.+))?$/.exec(word) ?? [];
    if (!kFormats.includes(name)) throw new UsageError(`must be of ${kFormats.join(', ')}; NAME:file writes to a file`);
    return { name, file };
  });
  if (list.filter(({ file }) => file === undefined).length > 1)
    throw new UsageError('only one of them goes to the output; NAME:file writes to a file');
  return list;
}

function directory(text) {
  if (text === '') throw new UsageError('must be the name of a directory');
  return text;
}

// Lines that are texts are headings. `usual` is the value of an option that is not given; a flag has no `value`.
const kOptions = [
  'How long',
  { name: '--seeds', value: 'n', read: positive, help: 'try so many seeds (200; with --budget as many as it allows)' },
  { name: '--from', value: 'n', read: number, usual: 1, help: 'beginning with this one (1)' },
  {
    name: '--time',
    value: 's',
    read: positive,
    usual: Infinity,
    help: 'for at most so many seconds, shrinking included',
  },
  { name: '--budget', value: 'time', read: duration, help: 'go on with new seeds for so long: 90s, 10m, 1h30m' },
  {
    name: '--shard',
    value: 'i/n',
    read: part,
    help: 'only the i-th part of n of the seeds: n machines share the work',
  },
  {
    name: '--timeout',
    value: 's',
    read: positive,
    help: `a run that takes longer hangs (10, or five times as long as it takes undisturbed; what takes longer is run
      again with six times as much before it is said to hang)`,
  },
  { name: '--jobs', value: 'n', read: count, usual: 1, help: 'so many runs side by side (1)' },
  {
    name: '--all',
    help: `go on after the first that differs, up to three different ends; suites of tests always go on, and the
      schedules in which each test fails are counted`,
  },
  { name: '--first', help: 'end with the first, of a suite, too' },
  { name: '--count', help: 'only say in how many of the seeds it ends otherwise; nothing is looked into or kept' },
  {
    name: '--candidates',
    help: `only list the pairs of operations that could come in the other order, what both touch, and where they begin
      and end`,
  },
  { name: '--exhaust', help: 'run all orders first, however many; of small programs all are always run' },
  {
    name: '--strategy',
    value: 'name',
    read: strategy,
    help: `only seeds of this strategy: ${kStrategies.join(', ')} (doc/STEERING.md)`,
  },
  'What is compared',
  { name: '--ignore-output', help: 'how the program ends, not what it prints' },
  { name: '--exact-output', help: 'durations that it prints, too (12 ms, 0.3 s)' },
  'What is decided',
  {
    name: '--without',
    value: 'kinds',
    read: kinds,
    help: `nothing of these kinds: ${choices.join(', ')} (for suites of tests late,drift, as they check durations;
      none: all are decided)`,
  },
  {
    name: '--faults',
    value: 'groups',
    read: (text) => listOf([...groups, 'all'], text),
    help: `operations also fail as the system could let them: ${groups.join(', ')}, or all`,
  },
  {
    name: '--hold',
    value: 'ms',
    read: count,
    usual: 500,
    help: `so much time may pass in all while something that could come is held back, and a tenth of what the program
      itself lets pass (500): no timer of the program that is much longer expires early`,
  },
  {
    name: '--loop',
    value: 'html',
    read: loop,
    help: "by the HTML standard's loop (runtime/doc/BROWSER_LOOP.md); for scripts, not for programs",
  },
  { name: '--real-time', help: 'wait for timers' },
  'What is kept',
  { name: '-o', key: 'output', value: 'directory', read: directory, usual: '.', help: 'where the records go (here)' },
  {
    name: '--state',
    value: 'directory',
    read: anyText,
    help: 'what was tried and found; the next call goes on from it',
  },
  {
    name: '--format',
    value: 'names',
    read: formats,
    usual: [{ name: 'text', file: undefined }],
    help: `what is printed: text, json, junit, sarif, or github (annotations of lines); NAME:file writes that
      to a file, too: --format=github,junit:report.xml`,
  },
  {
    name: '--baseline',
    value: 'file',
    read: directory,
    help: 'finds that are in this file are told, and are no failure',
  },
  { name: '--accept', help: 'adds what is found to the baseline' },
  { name: '--show-command', help: "the program's command line is in the reports of --format, too" },
  { name: '--no-shrink', help: 'do not look for the fewest decisions that suffice' },
  { name: '--no-page', help: 'do not write the page of a find' },
  { name: '--replay', value: 'file', read: anyText, help: 'run it once, as it was recorded' },
];

const kRows = kOptions.filter((row) => typeof row !== 'string');

const keyOf = ({ name, key }) => key ?? name.slice(2).replace(/-(.)/g, (dash, letter) => letter.toUpperCase());

// ---- the help ----

const kBegin = `Usage: rota fuzz [options] script.js [arguments]
       rota fuzz [options] -- program [arguments]   (on libuv: node app.js)
       rota fuzz --replay=file script.js [arguments]

Runs a program under many schedules that its loop allows, and shows the first
under which it ends or prints otherwise, with the fewest decisions that are
needed and the command that repeats it. The exit code is 1 when something was
found, and 2 when nothing was and the program fails undisturbed, too.
`;

const kExamples = `
Examples:
  rota fuzz script.js                    200 seeds, with rota itself
  rota fuzz -- node --test               the tests of your own Node, compared by
                                         name
  rota fuzz --time=60 --state=.rota -- npm test
                                         for a minute; the next call goes on
  rota fuzz --faults=net,disk -- node server.test.js
  rota fuzz --budget=10m --shard=2/5 --format=github,junit:races.xml -- npm test
                                         in CI (doc/FUZZING_IN_CI.md)
`;

// The text in lines beside the option's name.
function helpOf({ name, value, help }) {
  const separator = name.startsWith('--') ? '=' : ' ';
  const label = `  ${name}${value === undefined ? '' : separator + value}`;
  const lines = [''];
  for (const word of help.split(/\s+/)) {
    if (kColumn + lines.at(-1).length + word.length + 1 > kWidth) lines.push('');
    lines.push(`${lines.pop()} ${word}`.trimStart());
  }
  return lines.map((line, i) => `${(i === 0 ? label : '').padEnd(kColumn)}${line}\n`).join('');
}

function usage() {
  return kBegin + kOptions.map((row) => (typeof row === 'string' ? `\n${row}\n` : helpOf(row))).join('') + kExamples;
}

// ---- reading ----

// What follows the options: `-- program arguments`, or `script arguments`. Undefined: the help is asked for.
function parse(args) {
  const plan = { program: false };
  for (const row of kRows) plan[keyOf(row)] = row.usual;
  let at = 0;
  for (; at < args.length && args[at].startsWith('-'); at++) {
    const [name] = args[at].split('=', 1);
    if (name === '--') {
      plan.program = true;
      at++;
      break;
    }
    if (name === '-h' || name === '--help') return undefined;
    const row = kRows.find((option) => option.name === name);
    if (row === undefined)
      throw new UsageError(
        `bad option: ${args[at]}${refusal.nearest(
          name,
          kRows.map((option) => option.name),
        )}`,
      );
    if (row.value === undefined) plan[keyOf(row)] = true;
    else {
      if (args[at] === name && (at + 1 === args.length || args[at + 1] === '--'))
        throw new UsageError(`${name}: missing value`);
      plan[keyOf(row)] = readValue(row, args[at] === name ? args[++at] : args[at].slice(name.length + 1));
    }
  }
  plan.command = args.slice(at);
  check(plan);
  return plan;
}

function readValue({ name, read }, text) {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof UsageError) error.message = `${name}=${text}: ${error.message}`;
    throw error;
  }
}

function check(plan) {
  const { command, program, loop: which, replay, seeds, shard } = plan;
  if (plan.budget !== undefined) plan.time = Math.min(plan.time, plan.budget);
  plan.seeds = seeds ?? (plan.budget === undefined ? kSeeds : Infinity);
  if (shard !== undefined) plan.seeds = Math.ceil(plan.seeds / shard.of);
  if (plan.count && plan.format.some(({ name }) => name !== 'text'))
    throw new UsageError('--count only counts: it has nothing for --format');
  if (plan.accept && plan.baseline === undefined) throw new UsageError('--accept: which file? --baseline=file');
  if (which !== undefined && program) throw new UsageError('--loop is for scripts: rota fuzz --loop=html script.js');
  if (command.length === 0)
    throw new UsageError('missing script or program. Usage: rota fuzz script.js, or rota fuzz -- node app.js');
  if (!program && !isThere(command[0])) throw new UsageError(noScript(command));
  if (!program && host.lacksRuntime !== undefined) throw new UsageError(noRuntime(command));
  const why = replay === undefined ? undefined : (whyNotRecord(replay) ?? whyOfAnother(replay, program));
  if (why !== undefined) throw new UsageError(`--replay=${replay}: ${why}; rota fuzz writes such files`);
  checkWritable('-o', plan.output);
  checkWritable('--state', plan.state ?? plan.output);
  for (const { file } of plan.format) if (file !== undefined) checkWritable('--format', path.dirname(file));
  if (plan.accept) checkWritable('--baseline', path.dirname(plan.baseline));
}

function checkWritable(option, name) {
  const why = whyNotWritable(name);
  if (why !== undefined)
    throw new UsageError(`what is found cannot be written to ${name}: ${why}; ${option} gives another directory`);
}

// Checked first: a find that cannot be kept is lost. Returns the error's words; undefined: it can be written to.
function whyNotWritable(directory) {
  const fs = require('fs');
  try {
    if (!fs.existsSync(directory)) fs.mkdirSync(directory, { recursive: true });
    if (!fs.statSync(directory).isDirectory()) return 'it is not a directory';
    fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    return error.message.split(',')[0];
  }
  return undefined;
}

// Checked first: a program whose schedule cannot be read runs as if there were none, and its end says nothing.
function whyNotRecord(file) {
  let text;
  try {
    text = require('fs').readFileSync(file, 'utf8');
  } catch (error) {
    return refusal.reasonOf(error);
  }
  const isLine = (line) => line === '' || line.startsWith('#') || /^\d+ \d+ \w+ \d+(\s|$)/.test(line);
  return text.split('\n').every(isLine) ? undefined : 'it is not a record of a run';
}

// The first line of a find's record is the command that repeats it. Decisions of one runtime mean nothing in another.
function whyOfAnother(file, program) {
  const [head] = require('fs').readFileSync(file, 'utf8').split('\n', 1);
  const isOfProgram = / run -- /.test(head);
  if (!head.startsWith('# ') || !/ROTA_SCHEDULE_REPLAY=| --schedule-replay=/.test(head) || isOfProgram === program)
    return undefined;
  return isOfProgram
    ? 'it is of a program (rota fuzz --replay=file -- node app.js), and its decisions mean nothing on this runtime'
    : "it is of a script on rota's runtime (without the two dashes), and its decisions mean nothing to another program";
}

// `rota fuzz node app.js` lacks the two dashes.
function noScript(command) {
  const isProgram = command.length > 1 && /^[\w.-]+$/.test(command[0]) && !/\.[cm]?[jt]s$/.test(command[0]);
  const hint = isProgram ? `; a program is named behind --: rota fuzz -- ${command.join(' ')}` : '';
  return `there is no such script: ${command[0]}${hint}`;
}

function noRuntime(command) {
  const instead = `${host.name} fuzz -- node ${command.join(' ')}`;
  return `with your own Node: ${instead}; for a script alone, the runtime of rota ${host.lacksRuntime}`;
}

// Checked first: 200 runs that fail in the same way would count as no difference.
function isThere(script) {
  const file = path.resolve(script);
  try {
    require('module').createRequire(file).resolve(file);
    return true;
  } catch {
    return false;
  }
}

module.exports = { UsageError, parse, usage };
