'use strict';

// First in, first out, without moving entries: read entries at the front are removed when they are the larger part.

class Queue {
  #items = [];
  #front = 0;

  get size() {
    return this.#items.length - this.#front;
  }

  push(item) {
    this.#items.push(item);
  }

  shift() {
    const item = this.#items[this.#front];
    this.#items[this.#front++] = undefined;
    if (this.#front === this.#items.length || (this.#front > 1024 && this.#front * 2 > this.#items.length)) {
      this.#items.splice(0, this.#front);
      this.#front = 0;
    }
    return item;
  }
}

module.exports = { Queue };
