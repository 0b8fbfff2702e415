'use strict';

// rota timeline trace.json -o page.html: the page of a trace. rota timeline -o page.html -- program: traces the
// program, and makes a page of each of its processes that had a loop. The page and the code that packs a trace into it
// are in observe/page, and are embedded.

const kUsage = `Usage: rota timeline [options] -- program [arguments]
       rota timeline trace.json [-o page.html]

Makes one HTML file that shows every callback of the loop: what took the time,
what was late and why. The program is one that uses libuv: node app.js.

  -o page.html          where to write it (timeline.html)
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

const kScript = /\.[cm]?[jt]s$/;

const { reasonOf, printError, watchOutput } = require('internal/cli/refusal');

// Returns undefined if the arguments are wrong, and says why.
function parse(args) {
  const plan = { files: [], options: [], output: undefined, program: undefined };
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '--' && plan.files.length === 0) {
      plan.program = args.slice(i + 1);
      break;
    }
    if (args[i].startsWith('-o=')) plan.output = args[i].slice(3);
    else if (args[i] === '-o') {
      if (i + 1 === args.length || args[i + 1] === '--') return fail(9, '-o: missing value: the name of a page');
      plan.output = args[++i];
    } else if (args[i].startsWith('-'))
      plan.options.push(args[i]); // rota trace reads them
    else plan.files.push(args[i]);
  }
  if (plan.output === '') return fail(9, '-o: missing value: the name of a page');
  return isWhole(plan) ? plan : undefined;
}

function isWhole({ files, options, program }) {
  if (program === undefined && files.length === 1 && options.length === 0) return true;
  if (program?.length > 0) return true;
  if (files.length > 1) return fail(9, `missing --. Usage: rota timeline -- ${files.join(' ')}`);
  if (files.length === 1) return fail(9, `${options[0]} is for programs, not for a trace that was written before`);
  return fail(
    9,
    'missing program or trace. Usage: rota timeline -- node app.js, or rota timeline trace.json; ' +
      'rota help timeline explains',
  );
}

function main() {
  watchOutput('timeline');
  const args = process.argv.slice(2);
  const end = args.indexOf('--');
  if ((end < 0 ? args : args.slice(0, end)).some((arg) => arg === '-h' || arg === '--help')) {
    process.stdout.write(kUsage);
    return;
  }
  const plan = parse(args);
  if (plan === undefined) return;
  const [file] = plan.files;
  if (file !== undefined && kScript.test(file)) {
    fail(
      9,
      `${file} is a script: rota timeline -- node ${file}, or with rota itself: rota --timeline=page.html ${file}`,
    );
    return;
  }
  const output = plan.output ?? (file === undefined ? 'timeline.html' : `${file.replace(/\.json$/, '')}.html`);
  if (!mayWrite(output, file)) return;
  if (file === undefined) ofProgram(plan.program, output, plan.options);
  else if (makePage(file, output)) printWritten(output);
}

// Checked first: a program may run for hours.
function mayWrite(output, trace) {
  const fs = require('fs'),
    directory = require('path').dirname(output);
  if (kScript.test(output)) return fail(9, `${output}: a script would be overwritten; name another file with -o`);
  if (fs.statSync(output, { throwIfNoEntry: false })?.isDirectory())
    return fail(9, `${output} is a directory; name a file with -o`);
  const fault = require('internal/cli/own_file').faultOf(output);
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

function isSameFile(one, other) {
  const [a, b] = [one, other].map((name) => require('fs').statSync(name, { throwIfNoEntry: false }));
  return a?.isFile() === true && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

function makePage(file, output) {
  const { pack } = require('internal/cli/pack');
  const { readTrace, TraceError } = require('internal/cli/read_trace');
  try {
    pack(readTrace(file), output, (name) => require('internal/cli/page')[name]);
    return true;
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

function printWritten(page) {
  process.stderr.write(`rota timeline: ${page} is written; a browser opens it\n`);
}

// Ctrl-C reaches the program without this process: a terminal sends it to every process of its foreground group. In any
// other group the signal came by kill (a script, a supervisor) to this process alone.
function isInForeground() {
  let stat;
  try {
    stat = require('fs').readFileSync('/proc/self/stat', 'latin1');
  } catch {
    return true; // no /proc: better a signal too few than a second one, by which servers end at once
  }
  const [, , group, , , foregroundGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === foregroundGroup;
}

// The program decides what a signal means; the page is made when it has ended.
function ofProgram(command, output, options) {
  const fs = require('fs'),
    os = require('os'),
    path = require('path');
  let scratch;
  try {
    scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-timeline-'));
  } catch (error) {
    return printError('timeline', error);
  }
  for (const signal of ['SIGINT', 'SIGQUIT'])
    process.on(signal, () => {
      if (!isInForeground()) child.kill(signal);
    });
  const child = require('child_process').spawn(
    require('internal/cli/host').program,
    ['trace', '--as=timeline', ...options, '-o', path.join(scratch, 'trace'), '--', ...command],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    fs.rmSync(scratch, { recursive: true, force: true });
    printError('timeline', error);
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal];
    let kept = false;
    for (const name of fs.readdirSync(scratch).sort()) {
      const number = name.slice('trace'.length); // of a further process, or of a program that took its place
      const page = number === '' ? output : output.replace(/(\.html)?$/, `${number}$1`);
      if (makePage(path.join(scratch, name), page)) {
        printWritten(page);
      } else {
        kept = true;
        process.stderr.write(
          `rota timeline: the trace is kept: rota timeline ${path.join(scratch, name)} -o page.html\n`,
        );
      }
    }
    if (!kept) fs.rmSync(scratch, { recursive: true, force: true });
  });
  return undefined;
}

function fail(code, text) {
  process.stderr.write(`rota timeline: ${text}\n`);
  process.exitCode = code;
  return undefined;
}

module.exports = { main };
