'use strict';

// A file as a Blob. Its bytes are taken when it is made: what happens to the file later does not reach it.

function createFileBlob(path, type) {
  const { Blob } = require('buffer');
  return new Blob([require('fs').readFileSync(path)], { type });
}

module.exports = { createFileBlob };
