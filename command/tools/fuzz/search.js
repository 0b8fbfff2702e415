'use strict';

// The search: which runs are made, in which order, and what is done with those that differ. First the pairs of
// operations that could come in the other order are turned round, each alone (fuzz/turns.js). Small programs are run in
// all their orders, beginning with those that differ little from the usual one; then the seeds follow, which turn
// several pairs round or know nothing of the program, and between them runs that are steered to orders that were not
// seen yet. Runs are parallel (--jobs), and are judged in the order in
// which they were started, so that the result does not depend on the number of jobs. In a test suite, each test is
// judged separately (fuzz/suite.js).

const { AllOrders, unusual } = require('internal/cli/fuzz/exhaust');
const { Orders } = require('internal/cli/fuzz/orders');
const { blindSeedsOf, seedsOf } = require('internal/cli/fuzz/count');
const { Suite } = require('internal/cli/fuzz/suite');
const { Turns } = require('internal/cli/fuzz/turns');

const kDifferent = 3; // so many different ends are shown
const kFoundMax = 10; // after so many runs that differ it is enough
const kSmallOrders = 64; // a program that has no more is small
const kFewPicks = 2; // what takes more of them is better told by a seed
// What the runs are that follow each other: steered to an order that was not seen, if there is one; a seed that turns
// pairs round, if there are any; a seed that knows nothing of the program.
const kCycle = ['steered', 'seed', 'pairs', 'seed'];
const kTurnedPart = 3; // one of so many runs turns one pair round, at most
const kTurnedMax = 400;

class Search {
  #plan;
  #runner;
  #report;
  #state;
  #results;
  #usual;
  #orders = new Orders();
  #all = new AllOrders();
  ends = new Map(); // key -> labels
  #found = 0;
  tried = 0;
  #seeds;
  #pairSeed;
  turns;
  exhausted = undefined; // so many orders, and no more
  suite = undefined;

  constructor(plan, runner, report, state, results) {
    this.#results = results;
    this.#plan = plan;
    this.#runner = runner;
    this.#report = report;
    this.#state = state;
    const from = state.next ?? plan.from;
    const { strategy, shard = { index: 1, of: 1 } } = plan;
    this.#seeds = (strategy === undefined ? blindSeedsOf : seedsOf)({ ...plan, from });
    this.#pairSeed = from * shard.of + shard.index - 1;
  }

  async run(usual) {
    this.#usual = usual;
    if (usual.tests !== undefined && !this.#plan.exactOutput) this.suite = new Suite(usual, this.#runner);
    this.turns = new Turns(this.#plan, this.#runner, usual, this.#state.turned);
    const save = () => this.#state.save(); // whatever ends it: the next search goes on from there
    process.on('exit', save);
    await this.#runKnown();
    await this.#runTurns(Math.min(kTurnedMax, Math.ceil(this.#plan.seeds / kTurnedPart)));
    await this.#runAllOrders(this.#plan.exhaust ? Infinity : kFewPicks);
    await this.#runSeeds();
    await this.#runAllOrders(Infinity);
    save();
    process.off('exit', save);
  }

  get pairs() {
    return this.#orders;
  }

  #isEnough() {
    if (this.tried >= this.#plan.seeds || this.#runner.isOver()) return true;
    if (this.suite !== undefined) return this.#plan.first && this.ends.size > 0;
    return (
      this.#found >= kFoundMax ||
      (this.#found > 0 && (this.#plan.first || !this.#plan.all)) ||
      this.ends.size >= kDifferent
    );
  }

  // A find of an earlier search: it is still there, or gone.
  async #runKnown() {
    const finds = this.#state.finds;
    this.#state.finds = [];
    for (const find of finds) {
      const outcome = await this.#runner.replay(find.entries, false, find.hold ?? null);
      const isThere =
        find.test === undefined
          ? outcome.key !== this.#usual.key
          : (outcome.tests?.failed.includes(find.test) ?? false);
      this.#report.known(find, isThere);
      if (!isThere) continue;
      this.#state.add(find);
      this.#results.known(find);
      if (!this.#results.isAcceptedId(find.id)) this.ends.set(find.key, [find.label]);
    }
  }

  // Runs with one pair turned round, so many at most.
  async #runTurns(max) {
    let left = max;
    while (!this.#isEnough() && left > 0) {
      const runs = this.turns.begin(Math.min(this.#plan.jobs, left));
      if (runs.length === 0) return;
      left -= runs.length;
      const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
      for (const [i, run] of runs.entries()) {
        const outcome = outcomes[i];
        if (outcome.isCut) return;
        this.tried++;
        this.#orders.learn(outcome);
        if (await this.turns.learn(run, outcome)) await this.#judge(outcome, run.label);
        this.#report.progress(this, this.#plan.seeds, this.#found);
        if (this.#isEnough() && this.#found > 0) return;
      }
      this.#state.turnedSoFar(this.turns.tried);
    }
  }

  // Runs with at most this many unusual picks, unless there are too many in all.
  async #runAllOrders(depth) {
    const orders = this.#all;
    while (!this.#isEnough() && !orders.isOver && orders.depth <= depth && this.#isSmall()) {
      const outcome = await this.#runner.replay(orders.next(), true);
      if (outcome.isCut) return;
      orders.learn(outcome);
      this.#orders.learn({ ...outcome, record: undefined }); // picks cannot be steered by a rank
      this.tried++;
      outcome.record = unusual(outcome.record);
      await this.#judge(outcome, `order-${orders.runs}`);
    }
    if (orders.isOver) this.exhausted = orders.runs;
  }

  // Orders are those of the first process: the tests of a suite usually run in others.
  #isSmall() {
    if (this.#plan.shard !== undefined && this.#plan.shard.index > 1) return false; // the first part has them
    return this.#plan.exhaust || (this.suite === undefined && this.#all.known <= kSmallOrders);
  }

  // Decides what to run next.
  #begin() {
    const kind = kCycle[this.tried % kCycle.length];
    const entries = kind === 'steered' ? this.#orders.next() : undefined;
    this.tried++;
    if (entries !== undefined) return { label: `steered-${this.tried}`, outcome: this.#runner.replay(entries, true) };
    const { strategy } = this.#plan;
    if (this.#runner.hasPairs && (strategy === 'pairs' || (strategy === undefined && kind === 'pairs'))) {
      const seed = this.#pairSeed;
      this.#pairSeed += this.#plan.shard?.of ?? 1;
      return { label: `pairs-${seed}`, outcome: this.#runner.pairsSeed(seed) };
    }
    const seed = this.#seeds.next().value;
    return { label: String(seed), seed, outcome: this.#runner.seed(seed) };
  }

  async #runSeeds() {
    const max = this.#plan.seeds - (this.#isSmall() ? this.#all.left : 0); // the orders that are left come after them
    while (!this.#isEnough() && this.tried < max) {
      const runs = [];
      while (runs.length < this.#plan.jobs && this.tried < max) runs.push(this.#begin());
      const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
      for (const [i, { label, seed }] of runs.entries()) {
        // The time was over before the run ended: its outcome is not known.
        if (outcomes[i].isCut) return;
        this.#orders.learn(outcomes[i]);
        await this.#judge(outcomes[i], label, seed);
        this.#state.tried(seed);
        this.#report.progress(this, this.#plan.seeds, this.#found);
        if (this.#isEnough() && this.#found > 0) return;
      }
    }
  }

  async #judge(outcome, label, seed) {
    if (outcome.key === this.#usual.key) return;
    if (this.suite !== undefined && outcome.tests !== undefined) {
      for (const test of this.suite.failedBy(outcome, label)) await this.#judgeTest(test, outcome, label, seed);
      if (this.suite.isTold(outcome)) return;
    }
    if (this.#state.isKnown(outcome.key) || this.#results.isAccepted(outcome, undefined, label)) return;
    this.#found++;
    if (this.ends.has(outcome.key)) {
      this.#results.again(outcome);
      this.ends.get(outcome.key).push(label);
      return;
    }
    this.ends.set(outcome.key, [label]);
    await this.#show(outcome, label, seed);
  }

  // A test that fails for the first time is examined; others are only counted.
  async #judgeTest(test, outcome, label, seed) {
    const key = `test ${test}`;
    const isKnown = this.#state.isKnown(key);
    if (!this.suite.isOwn(test) && this.#results.isAccepted(outcome, test, label)) return;
    if (!this.suite.isNew(test)) {
      this.#results.again(outcome, test);
      if (this.ends.has(key)) this.ends.get(key).push(label);
    } else if ((await this.suite.look(test, outcome, seed)) !== 'own' && !isKnown) {
      this.ends.set(key, [label]);
      if (this.ends.size <= kDifferent) await this.#show(outcome, label, seed, test);
      else this.#results.found({ outcome, test, label, isSteady: this.suite.isSteady(test) });
    }
    if (this.ends.has(key)) this.#found++;
  }

  // For a suite: the failing test, which must go on failing while decisions are left out.
  async #show(outcome, label, seed, test) {
    const plan = this.#plan,
      runner = this.#runner,
      report = this.#report;
    report.clear();
    report.different(this.#usual, outcome, label, (name) => this.suite?.isOwn(name) ?? false);
    const isSteady = test === undefined || this.suite.isSteady(test);
    if (!isSteady) report.unsteady(test);
    const isSame = ({ end, key, tests, isCut }) => {
      if (isCut) return false;
      if (test !== undefined) return tests?.failed.includes(test) ?? false;
      return end === outcome.end && key !== this.#usual.key;
    };
    let entries = outcome.record;
    if (!plan.noShrink && isSteady) {
      const { shrink } = require('internal/cli/fuzz/shrink');
      entries = await shrink(entries, async (fewer) => !runner.isOver() && isSame(await runner.replay(fewer)));
    }
    const file = runner.keep(label, entries);
    const { text: trace, entries: traced, lacksNames } = await runner.trace(entries, isSame);
    const decisions = explain(trace, traced);
    report.decisions(decisions, outcome.record.length, plan.noShrink, isSteady);
    if (!plan.noShrink && runner.isOver()) report.unfinished();
    const usual = { ...this.#usual, trace: (await runner.trace([])).text };
    const { storyOf } = require('internal/cli/fuzz/story');
    const story = lacksNames ? undefined : storyOf(usual, { ...outcome, trace });
    report.story(story, lacksNames && isSteady);
    report.commands(runner, seed, file);
    const page = this.#writePage(usual, { ...outcome, trace }, label, traced);
    if (page !== undefined) report.page(page);
    const before = outcome.record.length;
    this.#results.found({ outcome, test, label, decisions, before, story, record: file, page, isSteady });
    const key = test === undefined ? outcome.key : `test ${test}`;
    const id = this.#results.idOf(outcome, test);
    this.#state.add({ id, label, end: outcome.end, key, entries, test, hold: plan.hold });
    this.#state.save();
  }

  #writePage(usual, other, label, entries) {
    if (this.#plan.noPage) return undefined;
    const { writePage } = require('internal/cli/fuzz/page');
    const command = this.#runner.commandLine({ replay: this.#runner.keptFile(label) });
    return writePage(this.#runner.pageFile(label), { usual, other, entries, label, command });
  }
}

// What followed each of these decisions, as far as the trace shows it: names and positions of callbacks.
function explain(trace, entries) {
  const { keyOf, placesAfter, wordsOf } = require('internal/cli/fuzz/places');
  const places = placesAfter(trace);
  const words = wordsOf(trace, entries);
  return entries.map((entry, k) => ({ words: words[k], place: places.get(keyOf(entry.number, entry.words)) }));
}

module.exports = { Search };
