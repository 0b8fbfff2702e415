'use strict';

// rota export trace.json --to=FORMAT: a trace in the format of another tool.

const kUsage = `Usage: rota export trace.json --to=perfetto|pprof|speedscope|json [-o file]

Writes a trace of rota's (rota trace, rota attach PID trace, a black box) in the
format of another tool:

  --to=perfetto         of ui.perfetto.dev: all that the trace has, on tracks
  --to=pprof            of pprof (go tool pprof, Pyroscope): the time of
                        callbacks by their stacks, as far as they were sampled
  --to=speedscope       of speedscope.app: the same, in the order of time
  --to=json             of a compact trace (trace.rota): Chrome's JSON
  -o file               where to write it: trace.pftrace, trace.pb.gz,
                        trace.speedscope.json, trace.json

The trace itself is Chrome's JSON, which Perfetto opens, too.

Examples:
  rota trace -- node server.js && rota export trace.json --to=speedscope
  rota export trace.json --to=pprof -o cpu.pb.gz
`;

const kFormats = { perfetto: '.pftrace', pprof: '.pb.gz', speedscope: '.speedscope.json', json: '.json' };

const { isSameFile, writeOwn } = require('internal/cli/own_file');
const { Refusal, beginTool, printError } = require('internal/cli/refusal');

function fail(text) {
  process.stderr.write(`rota export: ${text}\n`);
  process.exitCode = 9;
  return undefined;
}

// Returns undefined if the arguments are wrong, and says why.
function parse(args) {
  const plan = { files: [], to: undefined, output: undefined };
  for (let i = 0; i < args.length; i++) {
    const [, name, value] = /^(--to|-o)(?:=([^]*))?$/.exec(args[i]) ?? [];
    if (name !== undefined) {
      const given = value ?? args[++i] ?? '';
      if (given === '') return fail(`${name}: missing value`);
      plan[name === '-o' ? 'output' : 'to'] = given;
    } else if (args[i].startsWith('-')) return fail(`bad option: ${args[i]}; rota help export lists the options`);
    else plan.files.push(args[i]);
  }
  if (plan.files.length !== 1) return fail('missing trace. Usage: rota export trace.json --to=speedscope');
  if (!Object.hasOwn(kFormats, plan.to ?? '')) return fail(`--to must be one of: ${Object.keys(kFormats).join(', ')}`);
  if (/\.[cm]?[jt]s$/.test(plan.output ?? '')) return fail(`${plan.output}: a script would be overwritten`);
  plan.output ??= `${plan.files[0].replace(/\.(json|rota)$/, '')}${kFormats[plan.to]}`;
  if (isSameFile(plan.files[0], plan.output)) return fail(`${plan.output}: the trace would be overwritten`);
  return plan;
}

function main() {
  const args = beginTool('export', kUsage);
  const plan = args === undefined ? undefined : parse(args);
  if (plan === undefined) return;
  const { readLines, readTrace, TraceError } = require('internal/cli/read_trace');
  const makers = {
    perfetto: () => require('internal/cli/export/perfetto').perfetto,
    pprof: () => require('internal/cli/export/pprof').pprof,
    speedscope: () => require('internal/cli/export/speedscope').speedscope,
  };
  try {
    const trace = readTrace(plan.files[0]);
    const title = trace.label ?? trace.script ?? plan.files[0];
    if (plan.to === 'json') require('internal/cli/export/json').exportJson(plan.files[0], plan.output, readLines);
    else writeOwn(plan.output, makers[plan.to]()(trace, { title, exporter: 'rota' }));
  } catch (error) {
    printError('export', error instanceof TraceError ? new Refusal(error.message) : error);
    return;
  }
  process.stdout.write(`rota export: ${plan.output} is written\n`);
}

module.exports = { main };
