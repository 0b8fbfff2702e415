'use strict';

// Lines that were entered before, the newest first, and the current position. Going up searches for lines that begin as
// the current line does.

class History {
  entries;
  index = -1;
  #prefix = null;
  #draft = '';

  constructor(entries, { size, unique }) {
    this.entries = entries;
    this.size = size;
    this.unique = unique;
  }

  // Gives true when the line was taken.
  add(line) {
    this.index = -1;
    this.#prefix = null;
    if (this.size === 0 || line.trim().length === 0 || this.entries[0] === line) return false;
    if (this.unique) {
      const at = this.entries.indexOf(line);
      if (at !== -1) this.entries.splice(at, 1);
    }
    this.entries.unshift(line);
    if (this.entries.length > this.size) this.entries.pop();
    return true;
  }

  forget() {
    this.#prefix = null;
  }

  // The entry one step from the current one, or undefined.
  step(direction, text, cursor) {
    if (this.#prefix === null) {
      this.#prefix = this.index === -1 ? text.slice(0, cursor) : '';
      if (this.index === -1) this.#draft = text;
    }
    const prefix = this.#prefix;
    const start = this.index;
    let at = start + direction;
    const fits = (entry) =>
      entry.startsWith(prefix) && (start === -1 || entry !== this.entries[start] || direction < 0);
    while (at >= 0 && at < this.entries.length && !fits(this.entries[at])) at += direction;
    if (at >= this.entries.length) return undefined;
    if (at < 0) {
      if (start === -1) return undefined;
      this.index = -1;
      const draft = this.#draft;
      this.#prefix = null;
      return prefix === '' ? draft : draft.startsWith(prefix) ? draft : prefix;
    }
    this.index = at;
    return this.entries[at];
  }
}

module.exports = { History };
