'use strict';

// What `run()` returns and what reporters read: each event of a run is a chunk `{ type, data }`, and an event of the
// stream by its own name.

const { Readable } = require('stream');

class TestsStream extends Readable {
  constructor() {
    super({ objectMode: true, highWaterMark: Number.MAX_SAFE_INTEGER, read() {} });
  }

  tell(type, data) {
    this.emit(type, data);
    this.push({ __proto__: null, type, data });
  }

  finish() {
    this.push(null);
  }
}

module.exports = { TestsStream };
