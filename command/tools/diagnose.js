'use strict';

// rota diagnose -- program: what is wrong with the program's loop, who is guilty, and what to do. command/timeline.c
// runs the program, with a trace and a census of its handles, and then this with --finish=DIRECTORY.

const kUsage = `Usage: rota diagnose [options] -- program [arguments]
       rota diagnose trace.json

Runs a program and tells what is wrong with its event loop, who is guilty, and
what to do: a loop that is blocked, or starved by ticks or promise jobs; a pool
of threads that is full; timers that come late; handles or memory that grow;
what keeps the program alive after its work is done. If nothing is wrong,
figures say so.

  --format=json         print the verdict as a line of JSON, to standard output
  -o page.html          write the page of rota timeline, too
  --open                show the page in $BROWSER, or by xdg-open
  --samples[=ms]        stacks of JavaScript inside of callbacks that take
                        longer than this (10), repeatedly
  --names=off, --virtual-time
                        as of rota trace

The exit code is the program's. Of a trace that was written before, handles and
memory are not known.

Examples:
  rota diagnose -- node server.js               Ctrl-C ends the server; then the
                                                verdict comes
  rota diagnose --format=json -- node job.js
  rota diagnose -o page.html --open -- npm test
`;

const kBrief = 'Usage: rota diagnose -- node app.js; rota help diagnose explains';
const kForms = ['text', 'json'];

const { beginTool, printable } = require('internal/cli/refusal');
const { makePage, mayWrite, howItEnded } = require('internal/cli/timeline');

const say = (text) => process.stderr.write(`rota diagnose: ${text}\n`);

function fail(code, text) {
  say(text);
  process.exitCode = code;
  return undefined;
}

// Returns undefined if the arguments are wrong, and says why.
function parse(args) {
  const plan = { files: [], format: 'text', output: undefined, opens: false };
  const valueOf = (arg) => arg.slice(arg.indexOf('=') + 1);
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') return fail(9, `missing program. ${kBrief}`);
    if (arg === '--open') plan.opens = true;
    else if (arg.startsWith('--finish=')) plan.finish = valueOf(arg);
    else if (arg.startsWith('--ended=')) plan.ended = howItEnded(valueOf(arg));
    else if (arg.startsWith('--scheduled=')) plan.scheduled = parseScheduled(valueOf(arg));
    else if (arg.startsWith('--format=')) plan.format = valueOf(arg);
    else if (arg === '--format') plan.format = args[++i];
    else if (arg.startsWith('-o=')) plan.output = valueOf(arg);
    else if (arg === '-o') plan.output = args[++i];
    else if (arg.startsWith('-')) return fail(9, `${arg} is not an option of rota diagnose trace.json; ${kBrief}`);
    else plan.files.push(arg);
  }
  if (!kForms.includes(plan.format)) return fail(9, `--format must be one of: ${kForms.join(' ')}`);
  if (plan.finish !== undefined) return plan;
  if (plan.files.length === 1) return plan;
  if (plan.files.length > 1) return fail(9, `missing --. Usage: rota diagnose -- ${plan.files.join(' ')}`);
  return fail(9, `missing program or trace. ${kBrief}`);
}

// "123 456", in nanoseconds; the kernel may tell nothing.
function parseScheduled(text) {
  const [ran, waited] = text.split(' ').map(Number);
  return ran > 0 && waited >= 0 ? { ran, waited } : undefined;
}

function verdictOf(trace, file, plan) {
  const os = require('os');
  const { Case } = require('internal/cli/diagnose/case');
  const { readCensus } = require('internal/cli/diagnose/census');
  const threads = Number(process.env.UV_THREADPOOL_SIZE);
  const study = new Case(trace, {
    census: readCensus(`${file}.census`, trace.startedAt),
    ended: plan.ended,
    scheduled: plan.scheduled,
    isChild: plan.isChild,
    processors: os.availableParallelism?.() ?? os.cpus().length,
    threads: threads >= 1 ? threads : undefined,
  });
  const verdicts = ['busy', 'pool', 'left', 'growth'].flatMap((name) => {
    const module = require(`internal/cli/diagnose/${name}`);
    return module[`${name}Verdicts`](study);
  });
  return { study, verdicts };
}

// A process that is not the first is told of only if something is wrong with it.
function tell(file, plan, isFirst) {
  const { readTrace, TraceError } = require('internal/cli/read_trace');
  const { asJson, asText } = require('internal/cli/diagnose/print');
  let trace;
  try {
    trace = readTrace(file);
  } catch (error) {
    if (error.code === 'ENOENT') return fail(1, `there is no file ${file}; rota trace -- program writes one`);
    if (error instanceof TraceError) return fail(1, error.message);
    throw error;
  }
  const { study, verdicts } = verdictOf(trace, file, plan);
  const of = trace.label ?? trace.script ?? file;
  if (!isFirst && verdicts.length === 0) return trace;
  if (plan.format === 'json') process.stdout.write(asJson(study, verdicts, of));
  else process.stderr.write(printable(asText(study, verdicts, of)));
  return trace;
}

function pageOf(file, plan, number) {
  const output = (plan.output ?? '').replace(/(\.html)?$/, `${number}$1`);
  if (makePage(file, output) === undefined) return;
  say(`${output} is written; a browser opens it`);
  if (number === '' && plan.opens) require('internal/cli/open_page').openPage(output, say);
}

// The program has ended, and its exit code is not ours.
function finish(plan) {
  const fs = require('fs'),
    path = require('path');
  const traces = fs
    .readdirSync(plan.finish)
    .filter((name) => !name.endsWith('.census'))
    .sort();
  for (const name of traces) {
    const file = path.join(plan.finish, name);
    const number = name.slice('trace'.length);
    tell(file, number === '' ? plan : { ...plan, ended: undefined, isChild: true }, number === '');
    if (plan.output !== undefined) pageOf(file, plan, number);
  }
  if (process.exitCode) say(`the trace is kept: ${plan.finish}`);
  else fs.rmSync(plan.finish, { recursive: true, force: true });
}

function main() {
  const args = beginTool('diagnose', kUsage);
  const plan = args === undefined ? undefined : parse(args);
  if (plan === undefined) return;
  if (plan.opens && plan.output === undefined) {
    if (plan.finish === undefined) fail(9, '--open needs a page: -o page.html');
    else plan.output = 'timeline.html';
  }
  if (plan.finish !== undefined) {
    finish(plan);
    return;
  }
  const [file] = plan.files;
  if (plan.output !== undefined && !mayWrite(plan.output, file)) return;
  if (tell(file, plan, true) !== undefined && plan.output !== undefined) pageOf(file, plan, '');
}

module.exports = { main };
