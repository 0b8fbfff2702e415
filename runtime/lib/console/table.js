'use strict';

// console.table: values become a grid of columns, and the grid is drawn.

const types = require('internal/util/types');
const { inspect, getStringWidth } = require('internal/util/inspect');
const { remainingOf } = require('internal/inspect/collections');

const isObject = (value) => typeof value === 'function' || (typeof value === 'object' && value !== null);

const kNumber = /^(?:0|[1-9]\d{0,8})$/;

// Column heads in the order in which they were met, and the cells of each by row.
class Grid {
  columns = new Map();
  rows = 0;

  put(name, row, text) {
    const head = String(name);
    let cells = this.columns.get(head);
    if (cells === undefined) this.columns.set(head, (cells = []));
    cells[row] = text;
    this.rows = Math.max(this.rows, row + 1);
  }

  // The first is the index; numbers come before names, as among the keys of an object.
  heads() {
    const [index, ...others] = this.columns.keys();
    const numbers = others.filter((head) => kNumber.test(head)).sort((a, b) => a - b);
    return numbers.length === 0
      ? [index, ...others]
      : [index, ...numbers, ...others.filter((head) => !kNumber.test(head))];
  }

  draw() {
    const heads = this.heads();
    const widths = heads.map((head) => {
      const texts = [head, ...this.columns.get(head)];
      return Math.max(...texts.map((text) => (text === undefined ? 0 : getStringWidth(text))));
    });
    const rule = (left, middle, right) => left + widths.map((width) => '─'.repeat(width + 2)).join(middle) + right;
    const line = (texts) => {
      const cells = texts.map((text = '', i) => ` ${text}${' '.repeat(widths[i] - getStringWidth(text))} `);
      return `│${cells.join('│')}│`;
    };
    const lines = [rule('┌', '┬', '┐'), line(heads), rule('├', '┼', '┤')];
    for (let row = 0; row < this.rows; row++) lines.push(line(heads.map((head) => this.columns.get(head)[row])));
    lines.push(rule('└', '┴', '┘'));
    return lines.join('\n');
  }
}

const kIteration = '(iteration index)';

// Maps, sets and their iterators: [values, whether they come in pairs], or undefined.
function sequenceOf(data) {
  if (types.isMap(data)) return [[...data].flat(1), true];
  if (types.isSet(data)) return [[...data], false];
  if (types.isMapIterator(data) || types.isSetIterator(data)) return remainingOf(data);
  return undefined;
}

function fromSequence([values, inPairs], write) {
  const grid = new Grid();
  const step = inPairs ? 2 : 1;
  grid.columns.set(kIteration, []);
  if (inPairs) grid.columns.set('Key', []);
  grid.columns.set('Values', []);
  for (let i = 0; i < values.length; i += step) {
    const row = i / step;
    grid.put(kIteration, row, write(row));
    if (inPairs) grid.put('Key', row, write(values[i]));
    grid.put('Values', row, write(values[i + step - 1]));
  }
  return grid;
}

function fromObject(data, properties, write) {
  const grid = new Grid();
  const primitives = [];
  grid.columns.set('(index)', []);
  Object.keys(data).forEach((index, row) => {
    const item = data[index];
    grid.put('(index)', row, index);
    if (!isObject(item)) {
      primitives[row] = write(item);
      for (const name of properties ?? []) grid.put(name, row, '');
      return;
    }
    for (const name of properties ?? Object.keys(item))
      grid.put(name, row, Object.hasOwn(item, name) ? write(item[name]) : '');
  });
  if (primitives.length > 0 && properties === undefined) grid.columns.set('Values', primitives);
  return grid;
}

module.exports = function table(data, properties, options) {
  // An object with many properties is shown by its name only.
  const isLarge = (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !types.isTypedArray(value) &&
    Object.keys(value).length > 2;
  const write = (value) =>
    inspect(value, { maxArrayLength: 3, breakLength: Infinity, ...options, depth: isLarge(value) ? -1 : 0 });
  const sequence = sequenceOf(data);
  return (sequence === undefined ? fromObject(data, properties, write) : fromSequence(sequence, write)).draw();
};
