'use strict';

// Readable.fromWeb, Writable.fromWeb and Duplex.fromWeb: a Node stream over the reader, or the writer, of a web stream,
// which it locks. An exception of a callback must not become a rejection: it is thrown again in a tick of its own.

const { Readable, Writable, Duplex } = require('stream');
const { codes } = require('internal/errors');
const { validateBoolean, validateObject } = require('internal/validators');

function call(callback, error) {
  try {
    callback(error);
  } catch (thrown) {
    process.nextTick(() => {
      throw thrown;
    });
  }
}

function settle(promise, callback) {
  promise.then(
    () => call(callback),
    (error) => call(callback, error),
  );
}

// A function of the implementation: reads with steps of ours in place of a promise.
const { ReadableStream, WritableStream, readWith } = require('internal/deps/web-streams');

// The readable side: reads one chunk at a time. A chunk comes in a job, the end and an error at once.
const settled = Promise.resolve();
class Inlet {
  #stream;
  #reader;
  #isClosed = false;

  constructor(web) {
    this.#reader = web.getReader();
  }

  serve(stream) {
    this.#stream = stream;
    this.#reader.closed.then(
      () => (this.#isClosed = true),
      (error) => this.#fail(error),
    );
  }

  #fail(error) {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stream.destroy(error);
  }

  ask() {
    const stream = this.#stream;
    readWith(this.#reader, {
      _chunkSteps: (chunk) => settled.then(() => stream.push(chunk)),
      _closeSteps: () => stream.push(null),
      _errorSteps: (error) => this.#fail(error),
    });
  }

  // Tells the source that reading has stopped.
  cancel(reason, done) {
    if (this.#isClosed) done();
    else settle(this.#reader.cancel(reason), done);
  }
}

// The writable side.
class Outlet {
  #writer;
  #isClosed = false;

  constructor(web) {
    this.#writer = web.getWriter();
  }

  serve(stream) {
    this.#writer.closed.then(
      () => {
        this.#isClosed = true;
        // Only this stream may close it.
        if (!stream.writableEnded) stream.destroy(new codes.ERR_STREAM_PREMATURE_CLOSE());
      },
      (error) => {
        this.#isClosed = true;
        stream.destroy(error);
      },
    );
  }

  write(chunks, done) {
    const failed = (error) => call(done, error);
    this.#writer.ready.then(() => {
      const writes = chunks.map((chunk) => this.#writer.write(chunk));
      settle(writes.length === 1 ? writes[0] : Promise.all(writes), done);
    }, failed);
  }

  close(done) {
    if (this.#isClosed) done();
    else settle(this.#writer.close(), done);
  }

  // Tells the sink about the error, or the end.
  drop(reason, done) {
    if (this.#isClosed) done();
    else settle(reason ? this.#writer.abort(reason) : this.#writer.close(), done);
  }
}

class WebReadable extends Readable {
  #inlet;

  constructor(inlet, options) {
    super(options);
    this.#inlet = inlet;
    inlet.serve(this);
  }

  _read() {
    this.#inlet.ask();
  }

  _destroy(error, done) {
    // The stream's own error is reported, whatever the other side reports.
    this.#inlet.cancel(error, () => done(error));
  }
}

// The methods with which a stream writes to its outlet.
function writesTo(prototype, outletOf) {
  const methods = {
    _write(chunk, encoding, done) {
      outletOf(this).write([chunk], done);
    },
    _writev(entries, done) {
      outletOf(this).write(
        entries.map(({ chunk }) => chunk),
        done,
      );
    },
    _final(done) {
      outletOf(this).close(done);
    },
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(prototype, name, { __proto__: null, value, writable: true, configurable: true });
  }
}

class WebWritable extends Writable {
  #outlet;

  constructor(outlet, options) {
    super(options);
    this.#outlet = outlet;
    outlet.serve(this);
  }

  static {
    writesTo(this.prototype, (stream) => stream.#outlet);
  }

  _destroy(error, done) {
    this.#outlet.drop(error, () => done(error));
  }
}

class WebDuplex extends Duplex {
  #inlet;
  #outlet;

  constructor(inlet, outlet, options) {
    super(options);
    this.#inlet = inlet;
    this.#outlet = outlet;
    inlet.serve(this);
    outlet.serve(this);
  }

  _read() {
    this.#inlet.ask();
  }

  static {
    writesTo(this.prototype, (stream) => stream.#outlet);
  }

  _destroy(error, done) {
    let left = 2;
    const told = () => {
      if (--left === 0) done(error);
    };
    this.#outlet.drop(error, told);
    this.#inlet.cancel(error, told);
  }
}

// As in Node, what a program gets is a plain stream.
for (const [made, known] of [
  [WebReadable, Readable],
  [WebWritable, Writable],
  [WebDuplex, Duplex],
])
  Object.defineProperty(made.prototype, 'constructor', { __proto__: null, value: known });

const canRead = (value) => value?._readableStreamController !== undefined && value instanceof ReadableStream;
const canWrite = (value) => value?._writableStreamController !== undefined && value instanceof WritableStream;

function checkOptions(options, booleans) {
  validateObject(options, 'options');
  if (options.encoding !== undefined && !Buffer.isEncoding(options.encoding)) {
    throw new codes.ERR_INVALID_ARG_VALUE('options.encoding', options.encoding);
  }
  for (const name of booleans) if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
}

function readableFromWeb(web, options = {}) {
  if (!canRead(web)) throw new codes.ERR_INVALID_ARG_TYPE('readableStream', 'ReadableStream', web);
  checkOptions(options, ['objectMode']);
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  return new WebReadable(new Inlet(web), { highWaterMark, encoding, objectMode, signal });
}

function writableFromWeb(web, options = {}) {
  if (!canWrite(web)) throw new codes.ERR_INVALID_ARG_TYPE('writableStream', 'WritableStream', web);
  checkOptions(options, ['objectMode', 'decodeStrings']);
  const { highWaterMark, decodeStrings = true, objectMode = false, signal } = options;
  return new WebWritable(new Outlet(web), { highWaterMark, decodeStrings, objectMode, signal });
}

function duplexFromWeb(pair, options = {}) {
  validateObject(pair, 'pair');
  const { readable, writable } = pair;
  if (!canRead(readable)) throw new codes.ERR_INVALID_ARG_TYPE('pair.readable', 'ReadableStream', readable);
  if (!canWrite(writable)) throw new codes.ERR_INVALID_ARG_TYPE('pair.writable', 'WritableStream', writable);
  checkOptions(options, ['objectMode', 'decodeStrings']);
  const { allowHalfOpen = false, objectMode = false, encoding, decodeStrings = true, highWaterMark, signal } = options;
  return new WebDuplex(new Inlet(readable), new Outlet(writable), {
    allowHalfOpen,
    objectMode,
    encoding,
    decodeStrings,
    highWaterMark,
    signal,
  });
}

module.exports = { readableFromWeb, writableFromWeb, duplexFromWeb };
