'use strict';

// rota fuzz: runs a program with many seeds, and shows those with which the program ends differently from the
// undisturbed run. Each seed makes other decisions about everything that the loop does not promise. fuzz/search.js
// decides which runs are made, fuzz/run.js makes one run, fuzz/shrink.js reduces a record of decisions, and
// fuzz/report.js and fuzz/page.js show the result.

const kUsage = `Usage: rota fuzz [options] script.js [arguments]
       rota fuzz [options] -- program [arguments]   (on libuv: node app.js)
       rota fuzz --replay=file script.js [arguments]

How long
  --seeds=n         try so many seeds (200)
  --from=n          beginning with this one (1)
  --time=s          for at most so many seconds, shrinking included
  --timeout=s       a run that takes longer hangs (10, or five times as long as
                    it takes undisturbed; what takes longer is run again with
                    six times as much before it is said to hang)
  --jobs=n          so many runs side by side (1)
  --all             go on after the first that differs, up to three different
                    ends; suites of tests always go on, and the schedules in
                    which each test fails are counted
  --first           end with the first, of a suite, too
  --exhaust         run all orders first, however many; of small programs all
                    are always run

What is compared
  --ignore-output   how the program ends, not what it prints
  --exact-output    durations that it prints, too (12 ms, 0.3 s)

What is decided
  --without=kinds   nothing of these kinds: order, hold, job, stay, tell, pass,
                    late, read, drift, slow, message, rank, change, async (for
                    suites of tests late,drift, as they check durations; none:
                    all are decided)
  --faults=groups   operations also fail as the system could let them: net,
                    disk, child, or all
  --loop=html       by the HTML standard's loop (runtime/doc/BROWSER_LOOP.md); for
                    scripts, not for programs
  --real-time       wait for timers

What is kept
  -o directory      where the records go (here)
  --state=directory what was tried and found; the next call goes on from it
  --no-shrink       do not look for the fewest decisions that suffice
  --no-page         do not write the page of a find
  --replay=file     run it once, as it was recorded

Examples:
  rota fuzz script.js                    200 seeds, with rota itself
  rota fuzz -- node --test               the tests of your own Node, compared by
                                         name
  rota fuzz --time=60 --state=.rota -- npm test
                                         for a minute; the next call goes on
  rota fuzz --faults=net,disk -- node server.test.js
`;

const kNumbers = { '--seeds': 'seeds', '--from': 'from', '--time': 'time', '--timeout': 'timeout', '--jobs': 'jobs' };
const kFlags = {
  '--ignore-output': 'ignoreOutput',
  '--exact-output': 'exactOutput',
  '--all': 'all',
  '--first': 'first',
  '--no-shrink': 'noShrink',
  '--no-page': 'noPage',
  '--exhaust': 'exhaust',
  '--real-time': 'realTime',
};

const kWithoutOfSuites = 'late,drift';
const kGroups = ['net', 'disk', 'child', 'all'];
// As simulate/decide.c calls them.
const kKinds = [
  'order',
  'hold',
  'job',
  'stay',
  'tell',
  'pass',
  'late',
  'read',
  'drift',
  'slow',
  'message',
  'rank',
  'change',
  'pick',
  'fault',
  'async',
];
const kTexts = new Set(['--replay', '--without', '--state', '--faults', '--loop']);

const host = require('internal/cli/host');
const refusal = require('internal/cli/refusal');

class UsageError extends Error {}

function parse(args) {
  const plan = {
    seeds: 200,
    from: 1,
    time: Infinity,
    timeout: undefined,
    jobs: 1,
    output: '.',
    replay: undefined,
    without: undefined,
    state: undefined,
    faults: undefined,
    loop: undefined,
    program: false,
  };
  let at = 0;
  const valueOf = (name) => {
    if (args[at].startsWith(`${name}=`)) return args[at].slice(name.length + 1);
    if (args[at] === name && at + 1 < args.length && args[at + 1] !== '--') return args[++at];
    throw new UsageError(`${name} needs a value`);
  };
  for (; at < args.length && args[at].startsWith('-'); at++) {
    const name = args[at].split('=', 1)[0];
    if (name === '--') {
      plan.program = true;
      at++;
      break;
    }
    if (name === '-h' || name === '--help') return undefined;
    if (Object.hasOwn(kFlags, name)) plan[kFlags[name]] = true;
    else if (name === '-o') plan.output = valueOf('-o');
    else if (kTexts.has(name)) plan[name.slice(2)] = valueOf(name);
    else if (Object.hasOwn(kNumbers, name)) {
      const value = Number(valueOf(name));
      if (!(value >= 0)) throw new UsageError(`${name} wants a number`);
      if (value === 0 && name !== '--from') throw new UsageError(`${name} wants 1 or more`);
      plan[kNumbers[name]] = value;
    } else throw new UsageError(`bad option: ${args[at]}`);
  }
  if (plan.jobs < 1) throw new UsageError('--jobs wants 1 or more');
  if (plan.output === '') throw new UsageError('-o needs a value');
  plan.jobs = Math.floor(plan.jobs);
  plan.command = args.slice(at);
  if (plan.loop !== undefined && plan.program)
    throw new UsageError(`--loop is for scripts: rota fuzz --loop=html script.js`);
  if (plan.loop !== undefined && !['html', 'node'].includes(plan.loop))
    throw new UsageError(`--loop wants html or node, not ${plan.loop}`);
  if (plan.command.length === 0)
    throw new UsageError('a script or a program is wanted: rota fuzz script.js, rota fuzz -- node app.js');
  const other = plan.faults?.split(',').find((group) => !kGroups.includes(group));
  if (other !== undefined)
    throw new UsageError(`--faults wants ${kGroups.join(', ')}, separated by commas, not ${other}`);
  if (plan.without === 'none') plan.without = '';
  const unknown = plan.without?.split(',').find((kind) => kind !== '' && !kKinds.includes(kind));
  if (unknown !== undefined) throw new UsageError(`--without: there is no kind ${unknown}, but ${kKinds.join(', ')}`);
  if (!plan.program && !isThere(plan.command[0])) throw new UsageError(noScript(plan.command));
  if (!plan.program && host.lacksRuntime !== undefined) throw new UsageError(noRuntime(plan.command));
  if (plan.replay !== undefined) {
    const why = whyNotRecord(plan.replay);
    if (why !== undefined) throw new UsageError(`--replay=${plan.replay}: ${why}; rota fuzz writes such files`);
  }
  for (const [option, directory] of [
    ['-o', plan.output],
    ['--state', plan.state ?? plan.output],
  ]) {
    const why = whyNotWritable(directory);
    if (why !== undefined)
      throw new UsageError(
        `what is found cannot be written to ${directory}: ${why}; ${option} gives another directory`,
      );
  }
  return plan;
}

// A suite is recognized by its name, by that of its runner, or by its output.
function isSuite(command) {
  const isRunner = (word) =>
    /(^|\/)(_?mocha|jest|vitest|ava|tape?|jasmine|uvu)(\.[cm]?js)?$/.test(word) ||
    /\.(test|spec)\.[cm]?[jt]s$/.test(word);
  return command.includes('--test') || command.slice(0, 3).some(isRunner);
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
  const path = require('path').resolve(script);
  try {
    require('module').createRequire(path).resolve(path);
    return true;
  } catch {
    return false;
  }
}

async function main() {
  refusal.watchOutput('fuzz');
  let plan;
  try {
    plan = parse(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`rota: fuzz: ${error.message}\nrota help fuzz explains the options.\n`);
    process.exitCode = 9;
    return;
  }
  if (plan === undefined) {
    process.stdout.write(kUsage);
    return;
  }
  const { Runner } = require('internal/cli/fuzz/run');
  let runner;
  try {
    runner = new Runner(plan);
    const obstacle = plan.program ? runner.obstacle() : undefined;
    if (obstacle !== undefined) {
      process.stderr.write(obstacle);
      process.exitCode = 1;
      return;
    }
    process.exitCode = plan.replay === undefined ? await fuzz(plan, runner) : await runner.watch(plan.replay);
  } catch (error) {
    refusal.tell('fuzz', error);
  } finally {
    runner?.close();
  }
}

async function fuzz(plan, runner) {
  const report = require('internal/cli/fuzz/report');
  const { Search } = require('internal/cli/fuzz/search');
  const { State } = require('internal/cli/fuzz/state');
  const began = process.hrtime.bigint();
  const usual = await runner.undisturbed();
  runner.endBy(Number(began) / 1e6 + plan.time * 1000);
  if (runner.lacksLoop) report.lacksLoop(plan.command[0]);
  if (runner.outputVaries && !plan.ignoreOutput) report.varies();
  report.begin(usual);
  if (usual.crashes) {
    report.crashes(runner);
    return 1;
  }
  // Tests compare durations with limits: if time passes by itself, they fail without a race.
  if ((usual.tests !== undefined || isSuite(plan.command)) && plan.without === undefined) {
    plan.without = kWithoutOfSuites;
    report.suite(kWithoutOfSuites);
  }
  const search = new Search(plan, runner, report, new State(plan.state, runner.name));
  await search.run(usual);
  report.clear();
  report.orders(search);
  report.tests(search);
  report.end(search, Number(process.hrtime.bigint() - began) / 1e9);
  return search.ends.size > 0 ? 1 : 0;
}

module.exports = { main };
