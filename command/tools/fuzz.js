'use strict';

// rota fuzz: runs a program with many seeds, and shows those with which the program ends differently from the
// undisturbed run. Each seed makes other decisions about everything that the loop does not promise. fuzz/options.js
// reads the arguments, fuzz/search.js decides which runs are made, fuzz/run.js makes one run, fuzz/shrink.js reduces a
// record of decisions, and fuzz/report.js and fuzz/page.js show the result.

const refusal = require('internal/cli/refusal');
const { UsageError, parse, usage } = require('internal/cli/fuzz/options');

const kWithoutOfSuites = 'late,drift';
const kFailsAlways = 2; // the exit code, if nothing else was found

// A suite is recognized by its name, by that of its runner, or by its output.
function isSuite(command) {
  const isRunner = (word) =>
    /(^|\/)(_?mocha|jest|vitest|ava|tape?|jasmine|uvu)(\.[cm]?js)?$/.test(word) ||
    /\.(test|spec)\.[cm]?[jt]s$/.test(word);
  return command.includes('--test') || command.slice(0, 3).some(isRunner);
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
    const obstacle = plan.program ? runner.obstacle() : undefined;
    if (obstacle !== undefined) {
      process.stderr.write(obstacle);
      process.exitCode = 1;
      return;
    }
    process.exitCode = plan.replay === undefined ? await fuzz(plan, runner) : await runner.watch(plan.replay);
  } catch (error) {
    refusal.printError('fuzz', error);
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
  if (plan.count) {
    const { Count } = require('internal/cli/fuzz/count');
    return new Count(plan, runner, report).run(usual);
  }
  const search = new Search(plan, runner, report, new State(plan.state, runner.name));
  await search.run(usual);
  report.clear();
  report.orders(search);
  report.tests(search);
  report.end(search, Number(process.hrtime.bigint() - began) / 1e9);
  if (search.ends.size > 0) return 1;
  // What always fails cannot be told from what fails in some schedules.
  return usual.tests === undefined && usual.end !== 'it exits with 0' ? kFailsAlways : 0;
}

module.exports = { main };
