'use strict';

// Pairs of operations that are turned round, each in a run of its own: the undisturbed run with one decision. Of each
// it is known afterwards whether it is
//
//   harmful      the program ends otherwise, and does so when the decision is replayed
//   harmless     the order was the other one, and the program ended as it does undisturbed
//   not reached  the order could not be turned: the second comes of the first, or did not come at all
//   unsteady     the program ended otherwise, and not when the decision was replayed: no find

const { candidatesFor, leadsTo, listOf, turned, turnsPairs } = require('internal/cli/fuzz/pairs');

class Turns {
  #runner;
  #usual;
  #unreached = new Map(); // operation -> those that come of it
  candidates;
  tried = 0; // the first of the candidates that were settled
  results = { harmful: 0, harmless: 0, 'not reached': 0, unsteady: 0 };

  // `done`: how many an earlier search has settled.
  constructor(plan, runner, usual, done = 0) {
    this.#runner = runner;
    this.#usual = usual;
    const { shard = { index: 1, of: 1 } } = plan;
    const all = candidatesFor(plan, usual.notes);
    this.candidates = all.filter((pair, i) => i % shard.of === shard.index - 1);
    if (turnsPairs(plan)) runner.usePairs(listOf(all));
    if (plan.strategy === 'pairs') done = Infinity; // only its seeds
    this.tried = Math.min(done, this.candidates.length);
  }

  // Begins so many runs; fewer if there are no more pairs.
  begin(count) {
    const runs = [];
    while (runs.length < count && this.tried < this.candidates.length) {
      const pair = this.candidates[this.tried++];
      if (this.#isHopeless(pair)) this.results['not reached']++;
      else runs.push({ label: `pair-${this.tried}`, pair, outcome: this.#runner.replay([pair.entry], true) });
    }
    return runs;
  }

  // What waited for an operation that did not come then waits for what comes of that in vain, too.
  #isHopeless({ first, second }) {
    return (this.#unreached.get(first) ?? []).some((other) => leadsTo(other, second));
  }

  // Returns whether it is a find.
  async learn({ pair }, outcome) {
    const how = turned(pair, outcome.notes);
    pair.why = how;
    if (outcome.key !== this.#usual.key && outcome.record.length > 0) {
      const again = await this.#runner.replay(outcome.record);
      pair.result = again.key === this.#usual.key ? 'unsteady' : 'harmful';
    } else pair.result = how === true ? 'harmless' : 'not reached';
    this.results[pair.result]++;
    if (how !== true) {
      if (!this.#unreached.has(pair.first)) this.#unreached.set(pair.first, []);
      this.#unreached.get(pair.first).push(pair.second);
    }
    return pair.result === 'harmful';
  }
}

module.exports = { Turns };
