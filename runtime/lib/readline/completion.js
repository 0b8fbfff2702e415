'use strict';

// What Tab does: it inserts the common beginning of all candidates; a second Tab lists them in columns.

const { getStringWidth } = require('internal/util/inspect');

function commonStart(words) {
  if (words.length === 0) return '';
  let [first] = words;
  for (const word of words) {
    let at = 0;
    while (at < first.length && first[at] === word[at]) at++;
    first = first.slice(0, at);
  }
  return first;
}

// Candidates in columns as wide as the widest; an empty candidate begins a new group.
function columnsOf(candidates, width) {
  let out = '\r\n';
  let group = [];
  const flush = () => {
    if (group.length === 0) return;
    const widest = Math.max(...group.map((word) => getStringWidth(word))) + 2;
    const perRow = !Number.isFinite(width) || widest > width ? 1 : Math.floor(width / widest) || 1;
    group.forEach((word, i) => {
      const last = (i + 1) % perRow === 0 || i === group.length - 1;
      out += last ? `${word}\r\n` : word + ' '.repeat(widest - getStringWidth(word));
    });
    group = [];
  };
  for (const candidate of candidates) {
    if (candidate === '') {
      flush();
      out += '\r\n';
    } else {
      group.push(candidate);
    }
  }
  flush();
  return `${out}\r\n`;
}

module.exports = { commonStart, columnsOf };
