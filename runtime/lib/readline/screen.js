'use strict';

// What readline writes to a terminal: cursor movements, the prompt and the line.
//
// The cursor and what is cleared around it: ANSI sequences, written to a stream.

const { codes, E } = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { getStringWidth, stripVTControlCharacters } = require('internal/util/inspect');

E('ERR_INVALID_CURSOR_POS', 'Cannot set cursor row without setting its column', TypeError);

const sequences = {
  left: (count) => `\x1b[${count}D`,
  right: (count) => `\x1b[${count}C`,
  up: (count) => `\x1b[${count}A`,
  down: (count) => `\x1b[${count}B`,
  column: (x) => `\x1b[${x + 1}G`,
  place: (x, y) => `\x1b[${y + 1};${x + 1}H`,
  clearBefore: '\x1b[1K',
  clearAfter: '\x1b[0K',
  clearLine: '\x1b[2K',
  clearDown: '\x1b[0J',
};

// If there is nothing to write, or no stream, the callback is called at once.
function send(stream, text, callback) {
  const heard = callback !== undefined;
  if (heard) validateFunction(callback, 'callback');
  if (stream != null && text !== '') return stream.write(text, callback);
  if (heard) process.nextTick(callback, null);
  return true;
}

function moveText(dx, dy) {
  const across = dx < 0 ? sequences.left(-dx) : dx > 0 ? sequences.right(dx) : '';
  const along = dy < 0 ? sequences.up(-dy) : dy > 0 ? sequences.down(dy) : '';
  return across + along;
}

function placeText(x, y) {
  for (const [name, value] of [
    ['x', x],
    ['y', y],
  ]) {
    if (Number.isNaN(value)) throw new codes.ERR_INVALID_ARG_VALUE(name, value);
  }
  const hasRow = typeof y === 'number';
  if (typeof x === 'number') return hasRow ? sequences.place(x, y) : sequences.column(x);
  if (hasRow) throw new codes.ERR_INVALID_CURSOR_POS();
  return '';
}

function clearText(direction) {
  return direction < 0 ? sequences.clearBefore : direction > 0 ? sequences.clearAfter : sequences.clearLine;
}

// The functions that the modules readline and tty offer.
const onStream = {
  cursorTo(stream, x, y, callback) {
    const rowLess = typeof y === 'function';
    if (!rowLess && callback !== undefined) validateFunction(callback, 'callback');
    return rowLess ? send(stream, placeText(x), y) : send(stream, placeText(x, y), callback);
  },
  moveCursor: (stream, dx, dy, callback) => send(stream, moveText(dx, dy), callback),
  clearLine: (stream, dir, callback) => send(stream, clearText(dir), callback),
  clearScreenDown: (stream, callback) => send(stream, sequences.clearDown, callback),
};

// The prompt and the line on a terminal: computes where text is displayed, and repaints it with the
// cursor in its position.

const kTab = 8;

class Screen {
  #write;
  #columns;
  rows = 0; // rows above the cursor, of the last painting

  // `columns()` is called each time: terminals change their size.
  constructor(write, columns) {
    this.#write = write;
    this.#columns = columns;
  }

  // Where the cursor stands after the text, counted from its beginning.
  place(text) {
    const width = this.#columns();
    let rows = 0;
    let column = 0;
    for (const character of stripVTControlCharacters(text)) {
      if (character === '\n') {
        rows += Math.ceil(column / width) || 1;
        column = 0;
        continue;
      }
      if (character === '\t') {
        column += kTab - (column % kTab);
        continue;
      }
      const size = getStringWidth(character, false);
      // A wide character is not split: it goes to the next row as a whole.
      if (size === 2 && (column + 1) % width === 0) column++;
      column += size;
    }
    return { rows: rows + Math.floor(column / width), cols: column % width };
  }

  paint(prompt, text, cursor) {
    const line = prompt + text;
    const end = this.place(line);
    const at = this.place(prompt + text.slice(0, cursor));
    if (this.rows > 0) this.#write(moveText(0, -this.rows));
    this.#write(placeText(0));
    this.#write(sequences.clearDown);
    this.#write(line);
    // A terminal begins the next row only when there is a character to put there.
    if (end.cols === 0) this.#write(' ');
    this.#write(placeText(at.cols));
    if (end.rows > at.rows) this.#write(moveText(0, at.rows - end.rows));
    this.rows = at.rows;
  }

  // From one place of the painted text to another.
  moveBy(from, to) {
    const text = moveText(to.cols - from.cols, to.rows - from.rows);
    if (text !== '') this.#write(text);
    this.rows = to.rows;
  }
}

module.exports = { ...onStream, sequences, moveText, placeText, clearText, Screen };
