'use strict';

// The prompt and the line on a terminal: computes where text is displayed, and repaints it with the cursor in its
// position.

const { getStringWidth, stripVTControlCharacters } = require('internal/util/inspect');
const { sequences, moveText, placeText } = require('internal/readline/cursor');

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
  travel(from, to) {
    const text = moveText(to.cols - from.cols, to.rows - from.rows);
    if (text !== '') this.#write(text);
    this.rows = to.rows;
  }
}

module.exports = { Screen };
