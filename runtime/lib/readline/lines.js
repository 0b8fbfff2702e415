'use strict';

// Lines as an asynchronous iterator; the input is paused while many lines wait.

const kHigh = 1024;
const kLow = 1;

class LineIterator {
  #lines = [];
  #head = 0;
  #waiting = [];
  #ended = false;
  #error;
  #owner;
  #water;

  constructor(owner) {
    this.#owner = owner;
    const size = () => this.#lines.length - this.#head;
    this.#water = {
      get size() {
        return size();
      },
      get low() {
        return kLow;
      },
      get high() {
        return kHigh;
      },
      isPaused: false,
    };
    owner.on('line', (line) => this.#arrived(line));
    owner.on('error', (error) => this.#end(error));
    owner.once('close', () => this.#end());
    if (owner.closed) this.#end();
  }

  get [Symbol.for('nodejs.watermarkData')]() {
    return this.#water;
  }

  #arrived(line) {
    if (this.#waiting.length > 0) {
      this.#waiting.shift().resolve({ value: line, done: false });
      return;
    }
    this.#lines.push(line);
    if (!this.#water.isPaused && this.#water.size > kHigh) {
      this.#water.isPaused = true;
      this.#owner.pause();
    }
  }

  #end(error) {
    if (error !== undefined) this.#error ??= error;
    this.#ended = true;
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (this.#error !== undefined) {
        reject(this.#error);
        this.#error = undefined;
      } else {
        resolve({ value: undefined, done: true });
      }
    }
  }

  next() {
    if (this.#water.size > 0) {
      const value = this.#lines[this.#head++];
      if (this.#head === this.#lines.length || this.#head > kHigh) {
        this.#lines = this.#lines.slice(this.#head);
        this.#head = 0;
      }
      if (this.#water.isPaused && this.#water.size < kLow) {
        this.#water.isPaused = false;
        if (!this.#ended) this.#owner.resume();
      }
      return Promise.resolve({ value, done: false });
    }
    if (this.#error !== undefined) {
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error);
    }
    if (this.#ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  return(value) {
    this.#lines = [];
    this.#head = 0;
    this.#end();
    if (!this.#owner.closed) this.#owner.close();
    return Promise.resolve({ value, done: true });
  }

  throw(error) {
    this.#end();
    this.#owner.close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator]() {
    return this;
  }
}

module.exports = { LineIterator };
