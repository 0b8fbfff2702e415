'use strict';

// console.table's drawing: columns as wide as their widest cell, with lines around.

const { getStringWidth } = require('internal/util/inspect');

function renderRow(row, widths) {
  let out = '│ ';
  for (let i = 0; i < row.length; i++) {
    const cell = row[i] ?? '';
    out += `${cell}${' '.repeat(widths[i] - getStringWidth(cell) - 2)}`;
    out += i !== row.length - 1 ? ' │ ' : ' ';
  }
  return `${out}│`;
}

function table(head, columns) {
  const rows = [];
  const widths = head.map((each) => getStringWidth(each));
  const longest = Math.max(...columns.map((column) => column.length), 0);
  for (let i = 0; i < head.length; i++) {
    const column = columns[i];
    for (let j = 0; j < longest; j++) {
      rows[j] ??= [];
      const value = rows[j][i] = Object.hasOwn(column, j) ? column[j] : '';
      widths[i] = Math.max(widths[i] || 0, getStringWidth(value));
    }
  }
  const padded = widths.map((width) => width + 2);
  const divider = padded.map((width) => '─'.repeat(width));
  let result = `┌${divider.join('┬')}┐\n${renderRow(head, padded)}\n├${divider.join('┼')}┤\n`;
  for (const row of rows) result += `${renderRow(row, padded)}\n`;
  return `${result}└${divider.join('┴')}┘`;
}

module.exports = table;
