'use strict';

// Replaces readable-stream's file by ours.

module.exports = require('internal/streams/readable');
