'use strict';

// Pairs of operations whose order could be either, and the orders that were seen. The record of a run that is ordered
// by ranks has a line for each operation that ran (#>), for each that could have run and did not (#<), and for the end
// of such a step (#.). An operation is identified by its words, and by how many of the same words came before it in its
// run. If a pair was seen in one order only, a run can be steered to the other: by the record of a run in which it was
// seen, with the first operation moved behind.

const kPairsMax = 5000;
const kLastRank = 65535;

// Names of temporary folders differ from run to run.
const plain = (words) => words.replace(/-[A-Za-z0-9]{6}(?=\/|$|\s)/g, '-*');

class Orders {
  #pairs = new Map(); // both names -> { ways, run, before: [loop, number] }

  learn(outcome) {
    const loops = new Map();
    for (const line of outcome.orders) {
      const [, mark, loop, number, words] = /^#([<>.]) (\d+)(?: (\d+) (.*))?$/.exec(line) ?? [];
      if (mark === undefined) continue;
      if (!loops.has(loop)) loops.set(loop, { names: new Map(), counts: new Map(), came: [], waited: [] });
      const state = loops.get(loop);
      if (mark === '.') {
        this.#learnStep(state, outcome.record);
        state.came = [];
        state.waited = [];
      } else {
        const operation = { name: nameOf(state, loop, number, plain(words)), place: `${loop} ${number}`, words };
        (mark === '>' ? state.came : state.waited).push(operation);
      }
    }
  }

  #learnStep({ came, waited }, run) {
    for (const [i, first] of came.entries())
      for (const second of [...came.slice(i + 1), ...waited]) this.#learnPair(first, second, run);
  }

  #learnPair(first, second, run) {
    if (first.name === second.name) return;
    const isUp = first.name < second.name;
    const key = isUp ? `${first.name}\n${second.name}` : `${second.name}\n${first.name}`;
    const pair = this.#pairs.get(key);
    if (pair !== undefined) {
      pair.ways |= isUp ? 1 : 2;
      if (pair.run === undefined) Object.assign(pair, { run, first });
    } else if (this.#pairs.size < kPairsMax) this.#pairs.set(key, { ways: isUp ? 1 : 2, run, first, isTried: false });
  }

  // Decisions for a run with an order of a pair that was not seen yet; undefined: all known ones were tried.
  next() {
    for (const pair of this.#pairs.values()) {
      if (pair.ways === 3 || pair.isTried || pair.run === undefined) continue;
      pair.isTried = true;
      const decision = `${pair.first.place} rank ${kLastRank}`;
      const others = pair.run.filter((entry) => !entry.decision.startsWith(`${pair.first.place} rank `));
      return [
        { decision, number: pair.first.place.split(' ')[1], words: `${pair.first.words} is put behind all others` },
        ...others,
      ];
    }
    return undefined;
  }

  get count() {
    return this.#pairs.size;
  }

  get bothWays() {
    let count = 0;
    for (const { ways } of this.#pairs.values()) if (ways === 3) count++;
    return count;
  }
}

function nameOf({ names, counts }, loop, number, words) {
  const known = names.get(number);
  if (known !== undefined) return known;
  const count = (counts.get(words) ?? 0) + 1;
  counts.set(words, count);
  const name = `${loop} ${words} (${count})`;
  names.set(number, name);
  return name;
}

module.exports = { Orders };
