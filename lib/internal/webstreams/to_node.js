'use strict';

// Readable.fromWeb, Writable.fromWeb and Duplex.fromWeb: a Node stream over the reader, or the writer, of a web stream, which it
// holds locked. What promises tell is told on in a tick of its own: what a listener throws must not become a rejection.

const { Readable, Writable, Duplex } = require('stream');
const { codes } = require('internal/errors');
const { validateBoolean, validateObject } = require('internal/validators');

const later = process.nextTick;

// The reading end: asks for one chunk at a time.
class Inlet {
  #stream;
  #reader;
  #closed = false;

  constructor(web) {
    this.#reader = web.getReader();
  }

  serve(stream) {
    this.#stream = stream;
    this.#reader.closed.then(() => (this.#closed = true), (error) => {
      this.#closed = true;
      later(() => stream.destroy(error));
    });
  }

  ask() {
    const stream = this.#stream;
    this.#reader.read().then(({ done, value }) => {
      if (done) stream.push(null);
      else stream.push(value);
    }, (error) => stream.destroy(error));
  }

  // Resolves when the source has been told that nobody reads on.
  cancel(error) {
    return this.#closed ? Promise.resolve() : this.#reader.cancel(error);
  }
}

// The writing end.
class Outlet {
  #writer;
  #closed = false;

  constructor(web) {
    this.#writer = web.getWriter();
  }

  serve(stream) {
    this.#writer.closed.then(() => {
      this.#closed = true;
      // It may be closed only by us.
      if (!stream.writableEnded) stream.destroy(new codes.ERR_STREAM_PREMATURE_CLOSE());
    }, (error) => {
      this.#closed = true;
      later(() => stream.destroy(error));
    });
  }

  async #writeAll(chunks) {
    await this.#writer.ready;
    await Promise.all(chunks.map((chunk) => this.#writer.write(chunk)));
  }

  write(chunks, done) {
    this.#writeAll(chunks).then(() => later(done), (error) => later(done, error));
  }

  close(done) {
    if (this.#closed) later(done);
    else this.#writer.close().then(() => later(done), (error) => later(done, error));
  }

  // Resolves when the sink was told: of the error, or of the end.
  drop(error) {
    if (this.#closed) return Promise.resolve();
    return error ? this.#writer.abort(error) : this.#writer.close();
  }
}

// The error is the stream's own, whatever the other side has to say about it.
function destroyAfter(told, error, done) {
  const finish = () => later(done, error);
  told.then(finish, finish);
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
    destroyAfter(this.#inlet.cancel(error), error, done);
  }
}

class WebWritable extends Writable {
  #outlet;

  constructor(outlet, options) {
    super(options);
    this.#outlet = outlet;
    outlet.serve(this);
  }

  _write(chunk, encoding, done) {
    this.#outlet.write([chunk], done);
  }

  _writev(entries, done) {
    this.#outlet.write(entries.map(({ chunk }) => chunk), done);
  }

  _final(done) {
    this.#outlet.close(done);
  }

  _destroy(error, done) {
    destroyAfter(this.#outlet.drop(error), error, done);
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

  _write(chunk, encoding, done) {
    this.#outlet.write([chunk], done);
  }

  _writev(entries, done) {
    this.#outlet.write(entries.map(({ chunk }) => chunk), done);
  }

  _final(done) {
    this.#outlet.close(done);
  }

  _destroy(error, done) {
    destroyAfter(Promise.all([this.#outlet.drop(error), this.#inlet.cancel(error)]), error, done);
  }
}

const canRead = (value) => typeof value?.getReader === 'function' && typeof value.pipeThrough === 'function';
const canWrite = (value) => typeof value?.getWriter === 'function' && typeof value.abort === 'function';

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
    allowHalfOpen, objectMode, encoding, decodeStrings, highWaterMark, signal,
  });
}

module.exports = { readableFromWeb, writableFromWeb, duplexFromWeb };
