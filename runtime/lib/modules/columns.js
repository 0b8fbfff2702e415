'use strict';

// Maps positions in an edited text to the original text. Edits keep line breaks, so only columns change.

// -> (line, column) -> the column in the original text
function columnsBefore(record) {
  let starts;
  return (line, column) => {
    const { text, edits } = record;
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    const begin = starts[line - 1];
    if (begin === undefined) return column;
    const end = starts[line] ?? text.length + 1;
    let at = begin; // in the text as it was
    let left = column - 1; // of what was written instead
    for (const edit of edits) {
      if (edit.end < begin || (edit.end === begin && edit.start < begin)) continue;
      if (edit.start >= end) break;
      if (edit.start < begin) {
        // began on an earlier line
        at = edit.end;
        continue;
      }
      const kept = edit.start - at;
      if (left < kept) break;
      left -= kept;
      const written = edit.replacement.indexOf('\n') === -1 ? edit.replacement.length : edit.replacement.indexOf('\n');
      if (left < written) return edit.start - begin + 1;
      left -= written;
      at = edit.end;
    }
    return at + left - begin + 1;
  };
}

// The edits of a file, in their order: { start, end, replacement }, offsets in `text`. They may be given as a function
// that makes them: few programs need them.
class EditedFile {
  #edits;
  text;

  constructor(text, edits) {
    this.text = text;
    this.#edits = edits;
  }

  get edits() {
    if (typeof this.#edits === 'function') this.#edits = this.#edits();
    return this.#edits;
  }
}

// file -> EditedFile, for callers that need more than columns (internal/process/function_text)
const editedFiles = new Map();

function noteEdits(file, text, edits) {
  const record = new EditedFile(text, edits);
  editedFiles.set(file, record);
  require('internal/errors/frames').registerColumns(file, columnsBefore(record));
}

module.exports = { editedFiles, noteEdits };
