'use strict';

// A trace as Chrome's JSON: what a compact one stands for. It may be larger than a text can be, so it is written in
// pieces.

const fs = require('fs');
const { openOwn } = require('internal/cli/own_file');

const kPiece = 1 << 20;

function exportJson(file, output, readLines) {
  const fd = openOwn(output);
  let text = '[';
  let isFirst = true;
  try {
    readLines(file, (line) => {
      const event = line.trim().replace(/^\[|,$/g, '');
      if (event === '' || event === ']') return;
      text += isFirst ? event : `,\n${event}`;
      isFirst = false;
      if (text.length < kPiece) return;
      fs.writeSync(fd, text);
      text = '';
    });
    fs.writeSync(fd, `${text}\n]\n`);
  } finally {
    fs.closeSync(fd);
  }
}

module.exports = { exportJson };
