'use strict';

// All orders of a small program, one after the other. A run in which each step picks one of the possible next
// operations records all its picks, and the number of alternatives. Each run leads to others: the same picks up to a
// step after its last unusual one, another pick there, and the usual ones from then on. So each order comes once, and
// those with few unusual picks come first.

// No pick is unusual; what differs from an undisturbed run is that only one operation comes in each poll phase.
const kFirst = {
  decision: '0 0 pick 0',
  number: '0',
  words: 'of all that is ready, one comes in each poll phase, the first',
};

const isPick = ({ decision }) => decision.split(' ')[2] === 'pick';
const choicesOf = ({ words }) => Number(/, of (\d+)$/.exec(words)[1]);

class AllOrders {
  runs = 0;
  #waiting = [{ entries: [kFirst], fixed: 0, unusual: 0 }];

  get isOver() {
    return this.#waiting.length === 0;
  }

  // The number of orders is at least this.
  get known() {
    return this.runs + this.#waiting.length;
  }

  // How many picks of the next run are not the usual ones.
  get depth() {
    return this.#waiting[0].unusual;
  }

  get left() {
    return this.#waiting.length;
  }

  // Decisions for the next run, of which learn() must be told.
  next() {
    return this.#waiting[0].entries;
  }

  learn(outcome) {
    const { fixed, unusual: before } = this.#waiting.shift();
    this.runs++;
    const picks = outcome.record.filter(isPick);
    for (let i = fixed; i < picks.length; i++) {
      const [loop, number] = picks[i].decision.split(' ');
      for (let other = 1; other < choicesOf(picks[i]); other++) {
        const entries = [...picks.slice(0, i), { decision: `${loop} ${number} pick ${other}`, number, words: '' }];
        this.#waiting.push({ entries, fixed: i + 1, unusual: before + 1 });
      }
    }
  }
}

// The unusual picks: these have to be given to the program. At least one is given, since it says that picks are meant.
function unusual(record) {
  const entries = record.filter((entry) => !isPick(entry) || !entry.decision.endsWith(' 0'));
  return entries.some(isPick) ? entries : [kFirst, ...entries];
}

module.exports = { AllOrders, unusual };
