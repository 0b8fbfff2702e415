'use strict';

// stream/promises, as readable-stream has it, with our way of joining streams.

const { finished } = require('internal/deps/readable-stream/lib/internal/streams/end-of-stream');
const { pipeline } = require('internal/deps/readable-stream/lib/stream/promises');

module.exports = { finished, pipeline: require('internal/streams/chain').promisedBefore(pipeline) };
