'use strict';

// compose(): several streams or functions as one Duplex: written to the first, read from the last.

const { codes, AbortError } = require('internal/errors');
const { pipeline } = require('internal/streams/pipeline');
const Duplex = require('internal/streams/duplex');
const { destroyer } = require('internal/streams/destroy');
const { isNodeStream, isReadable, isWritable, isWebStream, isTransformStream, isWritableStream, isReadableStream } = require('internal/streams/utils');
const { eos } = require('internal/streams/end_of_stream');

module.exports = function compose(...streams) {
  if (streams.length === 0) throw new codes.ERR_MISSING_ARGS('streams');
  if (streams.length === 1) return Duplex.from(streams[0]);
  const orgStreams = [...streams];
  if (typeof streams[0] === 'function') streams[0] = Duplex.from(streams[0]);
  if (typeof streams[streams.length - 1] === 'function') {
    const last = streams.length - 1;
    streams[last] = Duplex.from(streams[last]);
  }
  for (let n = 0; n < streams.length; ++n) {
    if (!isNodeStream(streams[n]) && !isWebStream(streams[n])) continue;
    if (n < streams.length - 1 && !(isReadable(streams[n]) || isReadableStream(streams[n]) || isTransformStream(streams[n]))) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${n}]`, orgStreams[n], 'must be readable');
    }
    if (n > 0 && !(isWritable(streams[n]) || isWritableStream(streams[n]) || isTransformStream(streams[n]))) {
      throw new codes.ERR_INVALID_ARG_VALUE(`streams[${n}]`, orgStreams[n], 'must be writable');
    }
  }

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
    else if (!readable && !writable) d.destroy();
  }
  const head = streams[0];
  const tail = pipeline(streams, onfinished);
  const writable = !!(isWritable(head) || isWritableStream(head) || isTransformStream(head));
  const readable = !!(isReadable(tail) || isReadableStream(tail) || isTransformStream(tail));
  d = new Duplex({
    writableObjectMode: !!head?.writableObjectMode,
    readableObjectMode: !!tail?.readableObjectMode,
    writable,
    readable,
  });
  if (writable) {
    if (isNodeStream(head)) {
      d._write = function (chunk, encoding, callback) {
        if (head.write(chunk, encoding)) callback();
        else ondrain = callback;
      };
      d._final = function (callback) {
        head.end();
        onfinish = callback;
      };
      head.on('drain', () => {
        if (ondrain) {
          const callback = ondrain;
          ondrain = null;
          callback();
        }
      });
    } else {
      const w = isTransformStream(head) ? head.writable : head;
      const writer = w.getWriter();
      d._write = async function (chunk, encoding, callback) {
        try {
          await writer.ready;
          writer.write(chunk).catch(() => {});
          callback();
        } catch (err) {
          callback(err);
        }
      };
      d._final = async function (callback) {
        try {
          await writer.ready;
          writer.close().catch(() => {});
          onfinish = callback;
        } catch (err) {
          callback(err);
        }
      };
    }
    const toRead = isTransformStream(tail) ? tail.readable : tail;
    eos(toRead, () => {
      if (onfinish) {
        const callback = onfinish;
        onfinish = null;
        callback();
      }
    });
  }
  if (readable) {
    if (isNodeStream(tail)) {
      tail.on('readable', () => {
        if (onreadable) {
          const callback = onreadable;
          onreadable = null;
          callback();
        }
      });
      tail.on('end', () => {
        d.push(null);
      });
      d._read = function () {
        for (;;) {
          const chunk = tail.read();
          if (chunk === null) {
            onreadable = d._read;
            return;
          }
          if (!d.push(chunk)) return;
        }
      };
    } else {
      const r = isTransformStream(tail) ? tail.readable : tail;
      const reader = r.getReader();
      d._read = async function () {
        for (;;) {
          try {
            const { value, done } = await reader.read();
            if (!d.push(value)) return;
            if (done) {
              d.push(null);
              return;
            }
          } catch {
            return;
          }
        }
      };
    }
  }
  d._destroy = function (err, callback) {
    if (!err && onclose !== null) err = new AbortError();
    onreadable = null;
    ondrain = null;
    onfinish = null;
    if (isNodeStream(tail)) destroyer(tail, err);
    if (onclose === null) callback(err);
    else onclose = callback;
  };
  return d;
};
