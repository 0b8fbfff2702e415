'use strict';

// node:readline/promises: questions that give promises, and a batch of terminal commands.

const base = require('internal/readline/interface');
const { answerOf } = require('internal/readline/commands');
const { sequences, moveText, placeText, clearText } = require('internal/readline/screen');
const { codes, AbortError } = require('internal/errors');
const { validateBoolean, validateInteger } = require('internal/validators');

class Interface extends base.Interface {
  #open; // the question that waits

  question(query, options) {
    let outcome;
    try {
      outcome = answerOf(
        options?.signal,
        (take) => this._question(query, take),
        () => this._abandonQuestion(),
      );
    } catch (error) {
      return Promise.reject(error);
    }
    this.#open = outcome;
    return outcome.promise;
  }

  // As in Node, only a user who leaves (Ctrl+C, Ctrl+D) rejects the question; with close() it stays without an answer.
  _leave() {
    this.close();
    this.#open?.reject(new AbortError('Aborted with Ctrl+C'));
  }
}

function isWritable(stream) {
  return typeof stream?.write === 'function' && typeof stream.on === 'function' && stream.writable !== false;
}

// Commands are collected and written together, or each in its own tick.
class Readline {
  #stream;
  #collected = [];
  #atOnce = false;

  constructor(stream, options = undefined) {
    if (!isWritable(stream)) throw new codes.ERR_INVALID_ARG_TYPE('stream', 'Writable', stream);
    this.#stream = stream;
    const autoCommit = options?.autoCommit ?? false;
    validateBoolean(autoCommit, 'options.autoCommit');
    this.#atOnce = autoCommit;
  }

  // Codes by name, then the functions that write them.
  #command(numbers, text) {
    for (const name of Object.keys(numbers)) validateInteger(numbers[name], name);
    if (this.#atOnce) process.nextTick((each) => this.#stream.write(each), text());
    else this.#collected.push(text());
    return this;
  }

  cursorTo(x, y) {
    return this.#command(y === undefined ? { x } : { x, y }, () => placeText(x, y));
  }

  moveCursor(dx, dy) {
    return !dx && !dy ? this : this.#command({ dx, dy }, () => moveText(dx, dy));
  }

  clearLine(dir) {
    validateInteger(dir, 'dir', -1, 1);
    return this.#command({}, () => clearText(dir));
  }

  clearScreenDown() {
    return this.#command({}, () => sequences.clearDown);
  }

  commit() {
    const { promise, resolve } = Promise.withResolvers();
    this.#stream.write(this.#collected.splice(0).join(''), resolve);
    return promise;
  }

  rollback() {
    this.#collected.length = 0;
    return this;
  }
}

const createInterface = (...settings) => new Interface(...settings);
Object.defineProperty(createInterface, 'name', { __proto__: null, value: 'createInterface', configurable: true });

module.exports = { Interface, Readline, createInterface };
