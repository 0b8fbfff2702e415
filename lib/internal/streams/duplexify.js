'use strict';

// Duplex.from: anything that can be read from, written to, or both, as a Duplex.

const { codes, AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');
const from = require('internal/streams/from');
const { destroyer } = require('internal/streams/destroy');
const { eos } = require('internal/streams/end_of_stream');
const {
  isReadable, isWritable, isIterable, isNodeStream, isReadableNodeStream, isWritableNodeStream, isDuplexNodeStream, isReadableStream, isWritableStream,
} = require('internal/streams/utils');
const { isBlob } = require('internal/blob');

class Duplexify extends Duplex {
  constructor(options) {
    super(options);
    if (options?.readable === false) {
      this._readableState.readable = false;
      this._readableState.ended = true;
      this._readableState.endEmitted = true;
    }
    if (options?.writable === false) {
      this._writableState.writable = false;
      this._writableState.ending = true;
      this._writableState.ended = true;
      this._writableState.finished = true;
    }
  }
}

module.exports = function duplexify(body, name) {
  if (isDuplexNodeStream(body)) return body;
  if (isReadableNodeStream(body)) return pair({ readable: body });
  if (isWritableNodeStream(body)) return pair({ writable: body });
  if (isNodeStream(body)) return pair({ writable: false, readable: false });
  if (isReadableStream(body)) return pair({ readable: Readable.fromWeb(body) });
  if (isWritableStream(body)) return pair({ writable: Writable.fromWeb(body) });
  if (typeof body === 'function') {
    const { value, write, final, destroy } = fromAsyncGenerator(body);
    if (isDuplexNodeStream(value)) return value;
    if (isIterable(value)) return from(Duplexify, value, { objectMode: true, write, final, destroy });
    const then = value?.then;
    if (typeof then === 'function') {
      let d;
      const promise = then.call(value, (val) => {
        if (val != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', val);
      }, (err) => {
        destroyer(d, err);
      });
      d = new Duplexify({
        objectMode: true,
        readable: false,
        write,
        final(callback) {
          final(async () => {
            try {
              await promise;
              process.nextTick(callback, null);
            } catch (err) {
              process.nextTick(callback, err);
            }
          });
        },
        destroy,
      });
      return d;
    }
    throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
  }
  if (isBlob(body)) return duplexify(body.arrayBuffer());
  if (isIterable(body)) return from(Duplexify, body, { objectMode: true, writable: false });
  if (isReadableStream(body?.readable) && isWritableStream(body?.writable)) return Duplexify.fromWeb(body);
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const readable = body?.readable ? (isReadableNodeStream(body.readable) ? body.readable : duplexify(body.readable)) : undefined;
    const writable = body?.writable ? (isWritableNodeStream(body.writable) ? body.writable : duplexify(body.writable)) : undefined;
    return pair({ readable, writable });
  }
  const then = body?.then;
  if (typeof then === 'function') {
    const d = new Duplexify({ objectMode: true, writable: false, read() {} });
    then.call(body, (val) => {
      if (val != null) d.push(val);
      d.push(null);
    }, (err) => {
      destroyer(d, err);
    });
    return d;
  }
  throw new codes.ERR_INVALID_ARG_TYPE(
    name, ['Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function', '{ readable, writable } pair', 'Promise'], body);
};

// The function reads what is written through an asynchronous iterator.
function fromAsyncGenerator(fn) {
  let { promise, resolve } = Promise.withResolvers();
  const { AbortController } = require('internal/abort_controller');
  const ac = new AbortController();
  const { signal } = ac;
  const value = fn((async function* () {
    for (;;) {
      const pending = promise;
      promise = null;
      const { chunk, done, callback } = await pending;
      if (callback !== undefined) process.nextTick(callback);
      if (done) return;
      if (signal.aborted) throw new AbortError(undefined, { cause: signal.reason });
      ({ promise, resolve } = Promise.withResolvers());
      yield chunk;
    }
  })(), { signal });
  return {
    value,
    write(chunk, encoding, callback) {
      const done = resolve;
      resolve = null;
      done({ chunk, done: false, callback });
    },
    final(callback) {
      const done = resolve;
      resolve = null;
      done({ done: true, callback });
    },
    destroy(err, callback) {
      ac.abort();
      // The generator may wait for a chunk that will never come.
      if (resolve !== null) {
        const wake = resolve;
        resolve = null;
        wake({ done: false, callback: undefined });
      }
      callback(err);
    },
  };
}

function pair({ readable: source, writable: target }) {
  const r = source && typeof source.read !== 'function' ? Readable.wrap(source) : source;
  const w = target;
  let readable = !!isReadable(r);
  let writable = !!isWritable(w);
  let ondrain;
  let onfinish;
  let onreadable;
  let onclose;
  let d;
  function onfinished(err) {
    const callback = onclose;
    onclose = null;
    if (callback) callback(err);
    else if (err) d.destroy(err);
  }
  d = new Duplexify({
    readableObjectMode: !!r?.readableObjectMode,
    writableObjectMode: !!w?.writableObjectMode,
    readable,
    writable,
  });
  if (writable) {
    eos(w, (err) => {
      writable = false;
      if (err) destroyer(r, err);
      onfinished(err);
    });
    d._write = function (chunk, encoding, callback) {
      if (w.write(chunk, encoding)) callback();
      else ondrain = callback;
    };
    d._final = function (callback) {
      w.end();
      onfinish = callback;
    };
    w.on('drain', () => {
      if (ondrain) {
        const callback = ondrain;
        ondrain = null;
        callback();
      }
    });
    w.on('finish', () => {
      if (onfinish) {
        const callback = onfinish;
        onfinish = null;
        callback();
      }
    });
  }
  if (readable) {
    eos(r, (err) => {
      readable = false;
      if (err) destroyer(w, err);
      onfinished(err);
    });
    r.on('readable', () => {
      if (onreadable) {
        const callback = onreadable;
        onreadable = null;
        callback();
      }
    });
    r.on('end', () => {
      d.push(null);
    });
    d._read = function () {
      for (;;) {
        const chunk = r.read();
        if (chunk === null) {
          onreadable = d._read;
          return;
        }
        if (!d.push(chunk)) return;
      }
    };
  }
  d._destroy = function (err, callback) {
    if (!err && onclose !== null) err = new AbortError();
    onreadable = null;
    ondrain = null;
    onfinish = null;
    if (onclose === null) {
      callback(err);
    } else {
      onclose = callback;
      destroyer(w, err);
      destroyer(r, err);
    }
  };
  return d;
}
