'use strict';

// rota explain script.js: the order of the script's callbacks as a numbered story, with the rules that made it so. The
// program loads command/node/record.js first, and is traced for the phases; explain/story.js reads both.

const kUsage = `Usage: rota explain [options] script.js [arguments]
       rota explain [options] -- node script.js [arguments]

Runs a script, and then tells the order in which its callbacks ran: what each
is, where it was made, what it printed, and the rule of Node's order that put it
there, with the chapter of the book that has the rule.

  --format=json         print the story as a line of JSON
  --most=n              tell so many steps (100)

The exit code is the program's. Without -- a script is run by what runs this
command: rota itself, or the Node in PATH where rota has no runtime. Only the
main thread of this one process is told of.

Examples:
  rota explain script.js
  rota explain -- /opt/node22/bin/node script.js
`;

const kForms = ['text', 'json'];
const kMost = 100;

const { printable, watchOutput } = require('internal/cli/refusal');

function fail(code, text) {
  process.stderr.write(`rota explain: ${text}\n`);
  process.exitCode = code;
  return undefined;
}

// Returns undefined if the arguments are wrong, and says why.
function parse(args) {
  const plan = { format: 'text', most: kMost, command: undefined };
  let i = 0;
  for (; i < args.length && args[i].startsWith('-') && args[i] !== '--'; i++) {
    const [, name, value] = /^(--[a-z]+)(?:=(.*))?$/.exec(args[i]) ?? [];
    if (name === '--format') plan.format = value ?? args[++i];
    else if (name === '--most') plan.most = Number(value ?? args[++i]);
    else return fail(9, `bad option: ${args[i]}; rota help explain lists the options`);
  }
  if (!kForms.includes(plan.format)) return fail(9, `--format must be one of: ${kForms.join(' ')}`);
  if (!Number.isInteger(plan.most) || plan.most < 1) return fail(9, '--most must be a number from 1 on');
  const hasDashes = args[i] === '--';
  plan.command = args.slice(hasDashes ? i + 1 : i);
  if (plan.command.length === 0) return fail(9, 'missing script. Usage: rota explain script.js; rota help explain');
  if (!hasDashes) plan.command.unshift(process.execPath);
  return plan;
}

// Runs the program with its own input and output. { code, signal }.
function run(command, { recorder, lines, trace }) {
  const { spawnSync } = require('child_process');
  const { program } = require('internal/cli/host');
  const { NODE_OPTIONS = '' } = process.env;
  const file = recorder.replaceAll('\\', '\\\\'); // in quotes, Node takes a backslash as an escape
  const env = { ...process.env, ROTA_EXPLAIN: lines, NODE_OPTIONS: `${NODE_OPTIONS} --require="${file}"`.trim() };
  for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {}); // a terminal sends them to both
  return spawnSync(program, ['trace', '--as', 'explain', '--names=off', '-o', trace, '--', ...command], {
    env,
    stdio: 'inherit',
  });
}

function phasesOf(trace) {
  const { Events } = require('internal/cli/events');
  const events = new Events(trace);
  const main = trace.meta.loops.find(({ thread }) => thread === trace.meta.process);
  return events.phases
    .filter((i) => main === undefined || events.detailOf(i).loop === main.loop)
    .map((i) => [events.start[i] + trace.startedAt, events.endOf(i) + trace.startedAt, events.nameOf(i)]);
}

function readStory(files) {
  const fs = require('fs');
  const { readTrace } = require('internal/cli/read_trace');
  const { Story } = require('internal/cli/explain/story');
  if (!fs.existsSync(files.lines)) return undefined;
  const [head, ...all] = fs
    .readFileSync(files.lines, 'utf8')
    .split('\n')
    .slice(0, -1) // what a kill has cut off is no line
    .map((line) => JSON.parse(line));
  if (head === undefined) return undefined;
  const lines = all.filter(({ event }) => event !== 'full');
  head.most = lines.length < all.length;
  head.isMissing = lines.length === 0 && isMissing(head.main);
  return { head, story: new Story(lines, fs.existsSync(files.trace) ? phasesOf(readTrace(files.trace)) : []) };
}

// Of code on the command line there is no file.
function isMissing(main) {
  const fs = require('fs');
  const names = ['', '.js', '.json', '.node'].map((end) => `${main}${end}`);
  return main !== undefined && !names.some((name) => fs.existsSync(name));
}

// ---- words ----

const shown = (prints) =>
  prints
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.stringify(line))
    .join(', ');

function asText({ head, story }, most, signal) {
  const { plural } = require('internal/cli/events');
  const { rules } = require('internal/cli/explain/rules');
  const { placeOf } = require('internal/cli/explain/story');
  const steps = story.asList();
  const name = require('path').basename(head.main ?? 'the program');
  const lines = [`rota explain: ${name} on ${head.version}: ${plural(steps.length, 'step')}`];
  const named = new Set();
  for (const step of steps.slice(0, most)) {
    const where = step.number === 1 ? ` ${name}` : placeOf(step);
    const phase = step.phase === undefined ? '' : `, phase ${step.phase}`;
    const prints = step.prints === '' ? '' : `: prints ${shown(step.prints)}`;
    lines.push(`${String(step.number).padStart(4)}. ${step.what}${where}${phase}${prints}`);
    const made = step.madeBy === undefined ? '' : `made by ${step.madeBy}. `;
    if (step.rules.length > 0)
      lines.push(`        ${made}${step.rules.map((id) => `${id}: ${rules[id][0]}`).join(' ')}`);
    for (const id of step.rules) named.add(id);
  }
  if (steps.length > most) lines.push(`      and ${steps.length - most} more (--most=${steps.length})`);
  if (signal !== null) lines.push(`  ${signal} has ended the program`);
  if (head.most) lines.push('  the program did so much that the rest was not recorded');
  lines.push('the rules, in the book (doc/book):');
  const chapters = new Map();
  for (const id of named) chapters.set(rules[id][1], [...(chapters.get(rules[id][1]) ?? []), id]);
  for (const [chapter, ids] of [...chapters].sort()) lines.push(`  ${ids.join(', ')}: ${chapter}`);
  return `${lines.join('\n')}\n`;
}

function asJson({ head, story }) {
  const { rules } = require('internal/cli/explain/rules');
  const steps = story.asList();
  const named = Object.entries(rules).filter(([id]) => steps.some((step) => step.rules.includes(id)));
  const told = named.map(([id, [text, chapter]]) => ({ id, text, chapter }));
  return `${JSON.stringify({ program: head.main, version: head.version, steps, rules: told })}\n`;
}

function main() {
  watchOutput('explain');
  const args = process.argv.slice(2);
  if (args[0] === '-h' || args[0] === '--help') {
    process.stdout.write(kUsage);
    return;
  }
  const plan = parse(args);
  if (plan === undefined) return;
  const fs = require('fs'),
    os = require('os'),
    path = require('path');
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-explain-'));
  try {
    const [recorder, lines, trace] = ['record.cjs', 'lines', 'trace'].map((name) => path.join(scratch, name));
    fs.writeFileSync(recorder, require('internal/cli/page')['record.js']);
    const { status, signal } = run(plan.command, { recorder, lines, trace });
    process.exitCode = status ?? 128 + os.constants.signals[signal];
    const told = readStory({ lines, trace });
    if (told === undefined)
      process.stderr.write(
        'rota explain: the program has told nothing: it is no Node, or was ended while it started\n',
      );
    else if (told.head.isMissing)
      process.stderr.write(printable(`rota explain: there is no script ${told.head.main}\n`));
    else process.stdout.write(plan.format === 'json' ? asJson(told) : printable(asText(told, plan.most, signal)));
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
  }
}

module.exports = { main };
