'use strict';

// rota timeline trace.json -o page.html. The page and what packs a trace into it live in see/page, and are embedded.

const kUsage = 'Usage: rota timeline trace.json [-o page.html]\n';

function main() {
  const { pack, TraceError } = require('internal/cli/pack');
  const files = [];
  let output;
  const args = process.argv.slice(2);
  for (let i = 0; i < args.length; i++) {
    if (args[i] === '-h' || args[i] === '--help') {
      process.stdout.write(kUsage);
      return;
    }
    if (args[i] === '-o' && i + 1 < args.length) output = args[++i];
    else if (args[i].startsWith('-')) return fail(9, `bad option: ${args[i]}`);
    else files.push(args[i]);
  }
  if (files.length !== 1) {
    process.stderr.write(kUsage);
    process.exitCode = 9;
    return;
  }
  output ??= `${files[0].replace(/\.json$/, '')}.html`;
  try {
    pack(files[0], output, (name) => require('internal/cli/page')[name]);
  } catch (error) {
    if (error instanceof TraceError || error.syscall !== undefined) return fail(1, error.message);
    throw error;
  }
}

function fail(code, text) {
  process.stderr.write(`rota: timeline: ${text}\n`);
  process.exitCode = code;
}

module.exports = { main };
