'use strict';

// stream/promises: pipeline and finished as promises.

const { isIterable, isNodeStream, isWebStream } = require('internal/streams/utils');
const { pipelineImpl } = require('internal/streams/pipeline');
const { finished } = require('internal/streams/end_of_stream');

function pipeline(...streams) {
  return new Promise((resolve, reject) => {
    let signal;
    let end;
    const last = streams[streams.length - 1];
    if (last && typeof last === 'object' && !isNodeStream(last) && !isIterable(last) && !isWebStream(last)) {
      const options = streams.pop();
      signal = options.signal;
      end = options.end;
    }
    pipelineImpl(streams, (err, value) => {
      if (err) reject(err);
      else resolve(value);
    }, { signal, end });
  });
}

module.exports = { finished, pipeline };
