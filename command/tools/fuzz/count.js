'use strict';

// `--count`: in how many of the seeds the program ends otherwise than undisturbed. Nothing is searched for: each seed
// is run once, with the decisions that it gives by itself: how likely one seed is to show what there is.

const kLabels = 8; // of seeds that are named
const kBlind = 32; // each such seed knows nothing of the program; the others turn pairs of its operations round

const { candidatesFor, listOf, turnsPairs } = require('internal/cli/fuzz/pairs');

class Count {
  #plan;
  #runner;
  #report;
  #ends = new Map(); // end -> seeds
  #usual;
  #different = 0;
  #tried = 0;

  constructor(plan, runner, report) {
    this.#plan = plan;
    this.#runner = runner;
    this.#report = report;
  }

  async run(usual) {
    this.#usual = usual;
    if (turnsPairs(this.#plan)) {
      this.#runner.usePairs(listOf(candidatesFor(this.#plan, usual.notes)));
    }
    const seeds = seedsOf(this.#plan);
    const work = async () => {
      while (this.#tried < this.#plan.seeds && !this.#runner.isOver()) {
        this.#tried++;
        const seed = seeds.next().value;
        this.#add(seed, await (this.#turnsPairs(seed) ? this.#runner.pairsSeed(seed) : this.#runner.seed(seed)));
        this.#report.progress({ tried: this.#tried }, this.#plan.seeds, this.#different);
      }
    };
    await Promise.all(Array.from({ length: this.#plan.jobs }, work));
    this.#report.clear();
    this.#say();
    return this.#different > 0 ? 1 : 0;
  }

  #turnsPairs(seed) {
    return this.#runner.hasPairs && (this.#plan.strategy === 'pairs' || seed % kBlind !== 0);
  }

  #add(seed, outcome) {
    if (outcome.isCut) {
      this.#tried--; // the time was over before it ended
      return;
    }
    if (outcome.key !== this.#usual.key) this.#different++;
    const words =
      outcome.key === this.#usual.key || outcome.end !== this.#usual.end ? outcome.end : 'it prints something else';
    if (!this.#ends.has(words)) this.#ends.set(words, []);
    this.#ends.get(words).push(seed);
  }

  #say() {
    const all = `${this.#tried} seed${this.#tried === 1 ? '' : 's'}`;
    const lines = [`It ended otherwise in ${this.#different} of ${all}.`];
    for (const [end, seeds] of [...this.#ends].sort((a, b) => b[1].length - a[1].length)) {
      const named = seeds
        .sort((a, b) => a - b)
        .slice(0, kLabels)
        .join(', ');
      const isUsual = end === this.#usual.end;
      const which = isUsual ? '' : ` (${named}${seeds.length > kLabels ? ', ...' : ''})`;
      lines.push(`  ${end} in ${seeds.length} of ${all}${which}`);
    }
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}

const kStrategies = ['delay', 'mixed', 'depth', 'pairs'];
// Without a list of pairs, by the remainder of the seed (simulate/decide.c).
const kTurns = ['delay', 'delay', 'mixed', 'delay', 'delay', 'depth', 'delay', 'delay'];

// The seeds in their order; with --strategy those of this strategy, with --shard those of a part. Parts have the same
// share of each strategy: whole turns.
function* seedsOf({ from, strategy, shard }) {
  for (let seed = from; ; seed++) {
    if (strategy !== undefined && strategy !== 'pairs' && kTurns[seed % kTurns.length] !== strategy) continue;
    if (shard === undefined || Math.floor(seed / kTurns.length) % shard.of === shard.index - 1) yield seed;
  }
}

// Those of a search: one of each strategy, in turn.
function* blindSeedsOf(plan) {
  const used = kStrategies.map((name) => kTurns.indexOf(name));
  for (const seed of seedsOf(plan)) if (used.includes(seed % kTurns.length)) yield seed;
}

module.exports = { blindSeedsOf, Count, kStrategies, seedsOf };
