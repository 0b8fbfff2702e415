'use strict';

// The tests of a suite: for each test that passes undisturbed, in how many schedules it failed, and its kind. Before a
// test counts as a find, the schedule in which it failed is run again, and the suite undisturbed:
//
//   steady    it fails in the same schedule again, and passes undisturbed
//   unsteady  it passes undisturbed, and in the same schedule, too: it depends on more than the schedule
//   own       it fails without a schedule, too: no find

const kUndisturbedRuns = 3; // besides those at the beginning
const kAgainRuns = 2; // of the same schedule

class Suite {
  #usual;
  #runner;
  #tests = new Map(); // name -> { labels, kind }

  constructor(usual, runner) {
    this.#usual = usual;
    this.#runner = runner;
    for (const name of usual.unsteady ?? []) this.#tests.set(name, { labels: [], kind: 'own' });
  }

  // The tests that failed in this run and pass undisturbed; they are counted.
  failedBy({ tests }, label) {
    const failed = tests.failed.filter((name) => !this.#usual.tests.failed.includes(name));
    for (const name of failed) {
      if (!this.#tests.has(name)) this.#tests.set(name, { labels: [], kind: undefined });
      this.#tests.get(name).labels.push(label);
    }
    return failed;
  }

  // Failed tests explain a different end of the run, unless some that fail undisturbed pass, or did not run.
  isTold({ tests }) {
    const before = this.#usual.tests;
    return before.total === tests.total && tests.failed.some((name) => !before.failed.includes(name));
  }

  isNew(name) {
    return this.#tests.get(name).kind === undefined;
  }

  isSteady(name) {
    return this.#tests.get(name).kind === 'steady';
  }

  isOwn(name) {
    return this.#tests.get(name)?.kind === 'own';
  }

  async look(name, outcome, seed) {
    const fails = ({ tests }) => tests?.failed.includes(name) ?? false;
    const test = this.#tests.get(name);
    test.kind = 'steady';
    for (let i = 0; i < kUndisturbedRuns && test.kind === 'steady'; i++)
      if (fails(await this.#runner.replay([]))) test.kind = 'own';
    if (test.kind === 'own') return test.kind;
    for (let i = 0; i < kAgainRuns && test.kind === 'steady'; i++) {
      const again = seed === undefined ? await this.#runner.replay(outcome.record) : await this.#runner.seed(seed);
      if (!again.isCut && !fails(again)) test.kind = 'unsteady';
    }
    return test.kind;
  }

  of(kind) {
    return [...this.#tests]
      .filter(([, test]) => test.kind === kind && test.labels.length > 0)
      .map(([name, test]) => ({ name, labels: test.labels }))
      .sort((a, b) => b.labels.length - a.labels.length);
  }
}

module.exports = { Suite };
