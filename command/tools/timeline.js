'use strict';

// rota timeline trace.json -o page.html: the page of a trace. rota timeline -- program is command/timeline.c: it
// runs the program, and then this with --finish=DIRECTORY, which makes a page of each trace there: one of each
// process that had a loop.
// The page and the code that packs a trace into it are in observe/page, and are embedded.

const kUsage = `Usage: rota timeline [options] -- program [arguments]
       rota timeline trace.json [-o page.html]

Makes one HTML file that shows every callback of the loop: what took the time,
what was late and why. The program is one that uses libuv: node app.js.

  -o page.html          where to write it (timeline.html)
  --open                show it in $BROWSER, or by xdg-open
  --samples[=ms]        stacks of JavaScript inside of callbacks that take
                        longer than this (5), repeatedly
  --names=off, --virtual-time, --attach, --black-box
                        as of rota trace

Examples:
  rota timeline -o page.html -- node server.js  Ctrl-C ends the server; the page
                                                is written then
  rota timeline trace.json -o page.html         the page of a trace that was
                                                written before
  rota --timeline=page.html script.js           with rota itself
`;

const kBrief = 'Usage: rota timeline -- node app.js, or rota timeline trace.json; rota help timeline explains';
const kScript = /\.[cm]?[jt]s$/;

const { beginTool, printable, reasonOf } = require('internal/cli/refusal');

// Returns undefined if the arguments are wrong, and says why.
function parse(args) {
  const plan = { files: [], options: [], output: undefined, finish: undefined, ended: undefined, opens: false };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--') return fail(9, `missing program or trace. ${kBrief}`);
    if (args[i] === '--open') plan.opens = true;
    else if (args[i].startsWith('--scheduled=')) continue;
    else if (args[i].startsWith('--finish=')) plan.finish = args[i].slice('--finish='.length);
    else if (args[i].startsWith('--ended=')) plan.ended = args[i].slice('--ended='.length);
    else if (args[i].startsWith('-o=')) plan.output = args[i].slice(3);
    else if (args[i] === '-o') {
      if (i + 1 === args.length || args[i + 1] === '--') return fail(9, '-o: missing value: the name of a page');
      plan.output = args[++i];
    } else if (args[i].startsWith('-')) plan.options.push(args[i]);
    else plan.files.push(args[i]);
  }
  if (plan.output === '') return fail(9, '-o: missing value: the name of a page');
  return plan.finish !== undefined || isWhole(plan) ? plan : undefined;
}

function isWhole({ files, options }) {
  if (files.length === 1 && options.length === 0) return true;
  if (files.length > 1) return fail(9, `missing --. Usage: rota timeline -- ${files.join(' ')}`);
  if (files.length === 1) return fail(9, `${options[0]} is for programs, not for a trace that was written before`);
  return fail(9, `missing program or trace. ${kBrief}`);
}

function main() {
  const args = beginTool('timeline', kUsage);
  const plan = args === undefined ? undefined : parse(args);
  if (plan === undefined) return;
  if (plan.finish !== undefined) {
    finish(plan);
    return;
  }
  const [file] = plan.files;
  if (kScript.test(file)) {
    fail(
      9,
      `${file} is a script: rota timeline -- node ${file}, or with rota itself: rota --timeline=page.html ${file}`,
    );
    return;
  }
  const output = plan.output ?? `${file.replace(/\.(json|rota)$/, '')}.html`;
  if (!mayWrite(output, file)) return;
  const trace = makePage(file, output);
  if (trace === undefined) return;
  printWritten(output, trace, undefined);
  if (plan.opens) open(output);
}

const open = (page) =>
  require('internal/cli/open_page').openPage(page, (text) => process.stderr.write(`rota timeline: ${text}\n`));

// Checked first: a program may run for hours.
function mayWrite(output, trace) {
  const fs = require('fs'),
    directory = require('path').dirname(output);
  if (kScript.test(output)) return fail(9, `${output}: a script would be overwritten; name another file with -o`);
  if (fs.statSync(output, { throwIfNoEntry: false })?.isDirectory())
    return fail(9, `${output} is a directory; name a file with -o`);
  const { faultOf, isSameFile } = require('internal/cli/own_file');
  const fault = faultOf(output);
  if (fault !== undefined) return fail(9, `${output}: ${reasonOf(fault)}; name another file with -o`);
  if (trace !== undefined && isSameFile(trace, output))
    return fail(9, `${output}: the trace would be overwritten; name another file with -o`);
  try {
    fs.accessSync(directory, fs.constants.W_OK);
  } catch (error) {
    if (error.code !== 'ENOENT') return fail(9, `${directory}: ${reasonOf(error)}; name another file with -o`);
    return fail(9, `${directory}: ${reasonOf(error)}; create it, or name another file with -o`);
  }
  return true;
}

// As the environment says it, which is the program's, too. Undefined: it says nothing.
function poolThreads() {
  const threads = Number(process.env.UV_THREADPOOL_SIZE);
  return threads >= 1 ? threads : undefined;
}

// The trace; undefined: there is no page, and a message says why.
function makePage(file, output) {
  const { pack } = require('internal/cli/pack');
  const { readTrace, TraceError } = require('internal/cli/read_trace');
  try {
    const trace = readTrace(file);
    trace.meta.pool = poolThreads();
    require('internal/cli/own_file').writeOwn(
      output,
      pack(trace, (name) => require('internal/cli/page')[name]),
    );
    return trace;
  } catch (error) {
    if (error.code === 'ENOENT' && error.path === file)
      return fail(
        1,
        `there is no file ${file}; rota trace -- program writes one, rota timeline -- program makes its page`,
      );
    if (error instanceof TraceError) return fail(1, error.message);
    if (error.syscall === 'write') {
      const fs = require('fs');
      if (fs.statSync(output).isFile()) fs.rmSync(output); // half a page is none; a device stays
      return fail(1, `${output}: ${reasonOf(error)}; name another file with -o`);
    }
    if (error.path === output) return fail(1, `${output}: ${reasonOf(error)}; name another file with -o`);
    if (error.syscall !== undefined)
      return fail(1, `${error.path ?? file}: ${reasonOf(error)}; must be a trace, as rota trace -- program writes it`);
    throw error;
  }
}

function printWritten(page, trace, ended) {
  const os = require('os');
  const { findings } = require('internal/cli/findings');
  const processors = os.availableParallelism?.() ?? os.cpus().length;
  const known = { ended, processors, threads: poolThreads() };
  const lines = [`${page} is written; a browser opens it`, ...findings(trace, known)];
  process.stderr.write(printable(lines.map((line) => `rota timeline: ${line}\n`).join('')));
}

// Signals have names.
function howItEnded(ended) {
  const { signals } = require('os').constants;
  const [word, number] = ended.split(' ');
  return word !== 'signal' ? word : (Object.keys(signals).find((name) => signals[name] === +number) ?? `SIG${number}`);
}

// The program has ended, and its exit code is not ours: what fails is only told.
function finish({ finish: directory, output, ended, opens }) {
  const fs = require('fs'),
    path = require('path');
  let kept = false;
  for (const name of fs.readdirSync(directory).sort()) {
    const number = name.slice('trace'.length); // of a further process, or of a program that took its place
    const page = number === '' ? output : output.replace(/(\.html)?$/, `${number}$1`);
    const trace = makePage(path.join(directory, name), page);
    if (trace !== undefined) {
      printWritten(page, trace, number === '' ? howItEnded(ended) : undefined);
      if (opens && number === '') open(page);
      continue;
    }
    kept = true;
    process.stderr.write(
      `rota timeline: the trace is kept: rota timeline ${path.join(directory, name)} -o page.html\n`,
    );
  }
  if (!kept) fs.rmSync(directory, { recursive: true, force: true });
  process.exitCode = 0;
}

function fail(code, text) {
  process.stderr.write(`rota timeline: ${text}\n`);
  process.exitCode = code;
  return undefined;
}

module.exports = { howItEnded, main, makePage, mayWrite };
