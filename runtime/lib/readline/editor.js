'use strict';

// The line that is edited, and the history of lines.
//
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

// A line being edited: its text, cursor, kill ring and undo history. It knows nothing of terminals.

const segmenter = new Intl.Segmenter();
const kUndoLimit = 2048;
const kKillLimit = 32;

// Words: runs of letters and digits, or runs of other characters; white space separates them.
function kind(character) {
  return /\s/.test(character) ? 0 : /\w/.test(character) ? 1 : 2;
}

class Editor {
  text = '';
  cursor = 0;
  #undo = [];
  #redo = [];
  #kills = [];
  #killAt = 0;
  #yanked = 0; // how much of the text the last yank put in; 0 when the last command was none

  set(text, cursor = text.length) {
    this.text = text;
    this.cursor = cursor;
  }

  reset() {
    this.set('');
    this.#undo = [];
    this.#redo = [];
  }

  // Every change of the line is made by this function.
  #change(from, to, insert) {
    this.#undo.push([this.text, this.cursor]);
    if (this.#undo.length > kUndoLimit) this.#undo.shift();
    this.#redo = [];
    this.#yanked = 0;
    this.text = this.text.slice(0, from) + insert + this.text.slice(to);
    this.cursor = from + insert.length;
    return true;
  }

  insert(text) {
    return this.#change(this.cursor, this.cursor, text);
  }

  undo() {
    return this.#swap(this.#undo, this.#redo);
  }

  redo() {
    return this.#swap(this.#redo, this.#undo);
  }

  #swap(from, to) {
    const state = from.pop();
    if (state === undefined) return false;
    to.push([this.text, this.cursor]);
    [this.text, this.cursor] = state;
    return true;
  }

  // ---- places ----

  charLeft() {
    if (this.cursor === 0) return 0;
    const before = this.text.slice(0, this.cursor);
    let last = 0;
    // This many characters back are enough: no grapheme that people type is longer.
    const from = Math.max(0, before.length - 64);
    for (const { index } of segmenter.segment(before.slice(from))) last = from + index;
    return last;
  }

  charRight() {
    if (this.cursor >= this.text.length) return this.text.length;
    const [first] = segmenter.segment(this.text.slice(this.cursor, this.cursor + 64));
    return this.cursor + first.segment.length;
  }

  wordLeft() {
    let at = this.cursor;
    while (at > 0 && kind(this.text[at - 1]) === 0) at--;
    if (at === 0) return 0;
    const same = kind(this.text[at - 1]);
    while (at > 0 && kind(this.text[at - 1]) === same) at--;
    return at;
  }

  wordRight() {
    let at = this.cursor;
    if (at === this.text.length) return at;
    const same = kind(this.text[at]);
    while (at < this.text.length && kind(this.text[at]) === same) at++;
    while (at < this.text.length && kind(this.text[at]) === 0) at++;
    return at;
  }

  move(to) {
    this.#yanked = 0;
    const moved = to !== this.cursor;
    this.cursor = Math.max(0, Math.min(this.text.length, to));
    return moved;
  }

  // ---- taking away ----

  erase(to) {
    const from = Math.min(this.cursor, to);
    const end = Math.max(this.cursor, to);
    return from === end ? false : this.#change(from, end, '');
  }

  kill(to) {
    const from = Math.min(this.cursor, to);
    const end = Math.max(this.cursor, to);
    if (from !== end) {
      const taken = this.text.slice(from, end);
      if (this.#kills[0] !== taken) {
        this.#kills.unshift(taken);
        if (this.#kills.length > kKillLimit) this.#kills.pop();
      }
      this.#killAt = 0;
    }
    return this.erase(to);
  }

  yank() {
    if (this.#kills.length === 0) return false;
    const text = this.#kills[this.#killAt];
    this.insert(text);
    this.#yanked = text.length;
    return true;
  }

  // Replaces the text that was just yanked by an older one.
  yankPop() {
    if (this.#yanked === 0 || this.#kills.length < 2) return false;
    this.#killAt = (this.#killAt + 1) % this.#kills.length;
    const text = this.#kills[this.#killAt];
    this.#change(this.cursor - this.#yanked, this.cursor, text);
    this.#yanked = text.length;
    return true;
  }

  transpose() {
    if (this.cursor === 0 || this.text.length < 2) return false;
    const at = this.cursor === this.text.length ? this.cursor - 1 : this.cursor;
    return this.#change(at - 1, at + 1, this.text[at] + this.text[at - 1]);
  }
}

module.exports = { History, Editor };
