'use strict';

// stream/promises, from readable-stream, with our pipeline.

const { finished } = require('internal/deps/readable-stream/lib/internal/streams/end-of-stream');
const { pipeline } = require('internal/deps/readable-stream/lib/stream/promises');

module.exports = { finished, pipeline: require('internal/streams/chain').promisedBefore(pipeline) };
