'use strict';

// Compares two texts line by line: lines that only one of them has are marked, and runs of equal lines are shortened.

const { myersDiff } = require('internal/util/diff');

const kShown = 5; // unchanged lines at the beginning of a run
const kAdded = 1;
const kMissing = -1;

function palette() {
  const isColoured = process.stderr && require('internal/util/colors').shouldColorize(process.stderr);
  const code = (number) => (isColoured ? `\u001b[${number}m` : '');
  return { green: code(32), red: code(31), plain: code(39), grey: code(90), isColoured };
}

// Lines of one kind that follow each other, from the first to the last.
function runsOf(actual, expected, ignoreCommas) {
  const runs = [];
  for (const [kind, line] of myersDiff(actual, expected, ignoreCommas).reverse()) {
    if (runs.at(-1)?.kind !== kind) runs.push({ kind, lines: [] });
    runs.at(-1).lines.push(line);
  }
  return runs;
}

// Of a long run the beginning is shown, and the last line if something follows.
function shorten(lines, isLast) {
  if (lines.length <= kShown) return { lines, isShort: false };
  const first = lines.slice(0, kShown);
  if (isLast) return { lines: first, isShort: false };
  if (lines.length <= kShown + 2) return { lines, isShort: false };
  return { lines: first, last: lines.at(-1), isShort: true };
}

// { text, isShort }: `isShort` says that lines were left out.
function difference(actual, expected, { ignoreCommas, isFull, isPartial }) {
  const { green, red, plain, grey, isColoured } = palette();
  const added = (line) => (isPartial && isColoured ? `${grey}+ ${line}${plain}\n` : `${green}+${plain} ${line}\n`);
  const missing = (line) => `${red}-${plain} ${line}\n`;
  const same = (line) => `${plain}  ${line}\n`;
  const runs = runsOf(actual, expected, ignoreCommas);
  let isShort = false;
  let text = '\n';
  runs.forEach(({ kind, lines }, i) => {
    if (kind === kAdded) {
      text += lines.map(added).join('');
    } else if (kind === kMissing) {
      text += lines.map(missing).join('');
    } else {
      const shown = isFull ? { lines } : shorten(lines, i === runs.length - 1);
      text += shown.lines.map(same).join('');
      if (shown.isShort) {
        isShort = true;
        text += `${grey}...${plain}\n${same(shown.last)}`;
      }
    }
  });
  return { text, isShort };
}

module.exports = { difference, palette };
