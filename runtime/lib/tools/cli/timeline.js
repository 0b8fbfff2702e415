'use strict';

// rota timeline trace.json -o page.html: the page of a trace. rota timeline -o page.html -- program: traces the
// program, and makes a page of each of its processes that had a loop. The page and the code that packs a trace into it
// are in see/page, and are embedded.

const kUsage = `Usage: rota timeline trace.json [-o page.html]
       rota timeline [-o page.html] [--names=on|off] [--samples[=ms]] -- program [arguments]   (on libuv: node app.js)

Makes one HTML file that shows every callback of the loop: what took the time, what was late and why. With
--samples, stacks of JavaScript inside of callbacks that take longer than this (5 ms), repeatedly.

Examples:
  rota timeline -o page.html -- node server.js     Ctrl-C ends the server; the page is written then
  rota timeline trace.json -o page.html            the page of a trace that was written before
  rota --timeline=page.html script.js              with rota itself
`;

function main() {
  const files = [],
    samples = [];
  let output,
    names = '--names=on';
  const args = process.argv.slice(2);
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-h' || args[i] === '--help') {
      process.stdout.write(kUsage);
      return;
    }
    if (args[i] === '--' && files.length === 0)
      return ofProgram(args.slice(i + 1), output ?? 'timeline.html', [names, ...samples]);
    if (args[i] === '-o' && i + 1 < args.length) output = args[++i];
    else if (args[i] === '--names=on' || args[i] === '--names=off') names = args[i];
    else if (/^--samples(=[1-9]\d{0,3})?$/.test(args[i])) samples.push(args[i]);
    else if (args[i].startsWith('-')) return fail(9, `bad option: ${args[i]}`);
    else files.push(args[i]);
  }
  if (files.length !== 1) {
    process.stderr.write(kUsage);
    process.exitCode = 9;
    return;
  }
  output ??= `${files[0].replace(/\.json$/, '')}.html`;
  makePage(files[0], output);
}

function makePage(file, output) {
  const { pack, TraceError } = require('internal/cli/pack');
  try {
    pack(file, output, (name) => require('internal/cli/page')[name]);
    return true;
  } catch (error) {
    if (error.code === 'ENOENT' && error.path === file)
      return fail(
        1,
        `there is no file ${file}; rota trace -- program writes one, rota timeline -- program makes its page`,
      );
    if (error instanceof TraceError || error.syscall !== undefined) return fail(1, error.message);
    throw error;
  }
}

// The program gets the terminal's signals itself, and decides what they mean.
function ofProgram(command, output, options) {
  const fs = require('fs'),
    os = require('os'),
    path = require('path');
  if (command.length === 0) {
    process.stderr.write(kUsage);
    process.exitCode = 9;
    return;
  }
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-timeline-'));
  for (const signal of ['SIGINT', 'SIGQUIT']) process.on(signal, () => {});
  const child = require('child_process').spawn(
    process.execPath,
    ['trace', ...options, '-o', path.join(scratch, 'trace'), '--', ...command],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + os.constants.signals[signal];
    for (const name of fs.readdirSync(scratch).sort()) {
      const number = path.extname(name); // of a further process
      const page = number === '' ? output : output.replace(/(\.html)?$/, `${number}$1`);
      if (!makePage(path.join(scratch, name), page)) continue;
      process.stderr.write(`rota: timeline: ${page} is written; a browser opens it\n`);
    }
    fs.rmSync(scratch, { recursive: true, force: true });
  });
}

function fail(code, text) {
  process.stderr.write(`rota: timeline: ${text}\n`);
  process.exitCode = code;
  return false;
}

module.exports = { main };
