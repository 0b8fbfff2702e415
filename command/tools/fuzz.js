'use strict';

// rota fuzz: runs a program with many seeds, and shows those with which the program ends differently from the
// undisturbed run. Each seed makes other decisions about everything that the loop does not promise. fuzz/options.js
// reads the arguments, fuzz/search.js decides which runs are made, fuzz/run.js makes one run, fuzz/shrink.js reduces a
// record of decisions, and fuzz/report.js, fuzz/page.js and fuzz/formats.js show the result.

const { writeOwn } = require('internal/cli/own_file');
const refusal = require('internal/cli/refusal');
const { UsageError, parse, usage } = require('internal/cli/fuzz/options');

const kWithoutOfSuites = 'late,drift';
const kNotTried = 2; // the exit code: it cannot be run, or fails undisturbed

// A suite is recognized by its name, by that of its runner, or by its output.
function isSuite(command) {
  const isRunner = (word) =>
    /(^|\/)(_?mocha|jest|vitest|ava|tape?|jasmine|uvu)(\.[cm]?js)?$/.test(word) ||
    /\.(test|spec)\.[cm]?[jt]s$/.test(word);
  return command.includes('--test') || command.slice(0, 3).some(isRunner);
}

// What is left over goes to all formats, whatever ends the search: a signal, too.
class Reports {
  #plan;
  #results;
  #report;
  #began = process.hrtime.bigint();
  #isWritten = false;
  search; // the search, when it has begun

  constructor(plan, results, report) {
    this.#plan = plan;
    this.#results = results;
    this.#report = report;
    process.on('exit', (exitCode) => this.write(exitCode, 'it was stopped', true));
  }

  get seconds() {
    return Number(process.hrtime.bigint() - this.#began) / 1e9;
  }

  write(exitCode, why, isInterrupted = false) {
    if (this.#isWritten) return;
    this.#isWritten = true;
    const { kFormats } = require('internal/cli/fuzz/formats');
    const tried = this.search?.tried ?? 0;
    const summary = this.#results.summary({ tried, seconds: this.seconds, exitCode, why, isInterrupted });
    for (const { name, file } of this.#plan.format) {
      if (name === 'text') continue;
      const text = kFormats[name](summary);
      if (file === undefined) process.stdout.write(text);
      else writeOwn(file, text);
    }
  }

  accept() {
    const { open, finds } = this.#results;
    if (this.#plan.accept) this.#results.accept();
    const accepted = finds.filter((find) => find.accepted !== undefined);
    this.#report.baseline(accepted, this.#plan.baseline, false);
    if (!this.#plan.accept) return open.length;
    this.#report.baseline(open, this.#plan.baseline, true);
    return 0;
  }
}

async function main() {
  refusal.watchOutput('fuzz');
  let plan;
  try {
    plan = parse(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`rota fuzz: ${error.message}\nrota help fuzz explains the options.\n`);
    process.exitCode = 9;
    return;
  }
  if (plan === undefined) {
    process.stdout.write(usage());
    return;
  }
  const { Runner } = require('internal/cli/fuzz/run');
  let runner;
  try {
    runner = new Runner(plan);
    process.exitCode = plan.replay === undefined ? await begin(plan, runner) : await replay(plan, runner);
  } catch (error) {
    refusal.printError('fuzz', error);
    process.exitCode = kNotTried;
  } finally {
    runner?.close();
  }
}

async function replay(plan, runner) {
  const obstacle = plan.program ? runner.obstacle() : undefined;
  if (obstacle === undefined) return runner.watch(plan.replay);
  process.stderr.write(obstacle);
  return kNotTried;
}

async function begin(plan, runner) {
  const report = require('internal/cli/fuzz/report');
  const { Results } = require('internal/cli/fuzz/results');
  if (plan.format.some(({ name, file }) => name !== 'text' && file === undefined)) report.useErrors();
  const results = new Results(plan, runner);
  const reports = new Reports(plan, results, report);
  const obstacle = plan.program ? runner.obstacle() : undefined;
  if (obstacle !== undefined) {
    process.stderr.write(obstacle);
    reports.write(kNotTried, obstacle.trim());
    return kNotTried;
  }
  const { exitCode, why } = await fuzz(plan, runner, report, results, reports);
  reports.write(exitCode, why);
  return exitCode;
}

async function fuzz(plan, runner, report, results, reports) {
  const { Search } = require('internal/cli/fuzz/search');
  const { State } = require('internal/cli/fuzz/state');
  const began = process.hrtime.bigint();
  runner.endBy(Number(began) / 1e6 + plan.time * 1000);
  const usual = await runner.undisturbed();
  results.begin(usual);
  if (runner.lacksLoop) report.lacksLoop(plan.command[0]);
  if (runner.outputVaries && !plan.ignoreOutput) report.varies();
  report.begin(usual);
  if (usual.crashes) {
    report.crashes(runner);
    return { exitCode: kNotTried, why: `undisturbed, ${usual.end}: there is nothing to compare` };
  }
  // Tests compare durations with limits: if time passes by itself, they fail without a race.
  if ((usual.tests !== undefined || isSuite(plan.command)) && plan.without === undefined) {
    plan.without = kWithoutOfSuites;
    report.suite(kWithoutOfSuites);
  }
  if (plan.count) {
    const { Count } = require('internal/cli/fuzz/count');
    return { exitCode: await new Count(plan, runner, report).run(usual) };
  }
  if (plan.candidates) {
    const { candidatesFor } = require('internal/cli/fuzz/pairs');
    const { notes, trace } = await runner.observe();
    report.candidates(candidatesFor(plan, notes), trace);
    return { exitCode: 0 };
  }
  const part = plan.shard === undefined ? '' : `-${plan.shard.index}of${plan.shard.of}`;
  const search = new Search(plan, runner, report, new State(plan.state, `${runner.name}${part}`), results);
  reports.search = search;
  await search.run(usual);
  report.clear();
  report.turns(search);
  report.orders(search);
  report.tests(search);
  report.end(search, reports.seconds);
  if (reports.accept() > 0) return { exitCode: 1 };
  // What always fails cannot be told from what fails in some schedules.
  if (usual.tests !== undefined || usual.end === 'it exits with 0') return { exitCode: 0 };
  return { exitCode: kNotTried, why: `undisturbed, ${usual.end}` };
}

module.exports = { main };
