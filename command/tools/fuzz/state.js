'use strict';

// The state between searches (--state=directory): which seeds were tried, and what was found. A later search continues
// with the next seed, runs earlier finds again, and reports which are still there and which are gone.

const fs = require('fs');
const path = require('path');
const { writeOwn } = require('internal/cli/own_file');
const { Refusal } = require('internal/cli/refusal');

const kSavedEveryMs = 1000;

class State {
  #file;
  #folder;
  #savedAt = 0; // milliseconds
  next = undefined; // the first seed that was not tried
  turned = 0; // how many pairs were turned round alone
  finds = []; // { label, end, key, schedule }

  constructor(folder, name) {
    this.#folder = folder;
    if (folder === undefined) return;
    this.#file = path.join(folder, `${name}.json`);
    if (!fs.existsSync(this.#file)) return;
    const { next, turned = 0, finds } = read(this.#file);
    this.next = next;
    this.turned = turned;
    this.finds = finds;
  }

  isKnown(key) {
    return this.finds.some((find) => find.key === key);
  }

  add(find) {
    this.finds.push(find);
  }

  // This seed and all before it are done with; undefined: it was none.
  tried(seed) {
    if (seed === undefined) return;
    this.next = seed + 1;
    this.#saveNowAndThen();
  }

  // So many pairs are done with.
  turnedSoFar(count) {
    this.turned = count;
    this.#saveNowAndThen();
  }

  // A search that is killed loses a second.
  #saveNowAndThen() {
    const now = performance.now();
    if (now - this.#savedAt < kSavedEveryMs) return;
    this.#savedAt = now;
    this.save();
  }

  // By renaming: a search that is killed leaves the old state or the new one.
  save() {
    if (this.#folder === undefined) return;
    fs.mkdirSync(this.#folder, { recursive: true });
    writeOwn(
      `${this.#file}.new`,
      `${JSON.stringify({ next: this.next, turned: this.turned, finds: this.finds }, null, 2)}\n`,
    );
    fs.renameSync(`${this.#file}.new`, this.#file);
  }
}

function read(file) {
  let state;
  try {
    state = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (Array.isArray(state?.finds)) return state;
  throw new Refusal(`${file} is not a state that rota fuzz wrote: remove it, or name another directory with --state`);
}

module.exports = { State };
