'use strict';

// module.SourceMap: maps positions of generated code to positions of its sources (ECMA-426). The text of the mappings
// is decoded with the first look-up, into one array of numbers, six for each mapping and in the order of the generated
// code: most maps that are loaded are never used.

const { validateObject } = require('internal/validators');

// The numbers of a mapping: position in the generated code, source, position there, name. -1 if there is none.
const kWidth = 6;
const kLine = 0;
const kColumn = 1;
const kSource = 2;
const kOriginalLine = 3;
const kOriginalColumn = 4;
const kName = 5;

const digits = new Int8Array(128).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].forEach((letter, value) => {
  digits[letter.charCodeAt(0)] = value;
});

const kSemicolon = 59;
const kComma = 44;

// Collects the mappings of one map, or of all sections of an index.
class Decoder {
  mappings = [];
  sources = [];
  names = [];

  // `line` and `column`: where the section begins in the generated code.
  add({ sources = [], names = [], mappings = '' }, line, column) {
    // column, source, line, column, name: each is given as a difference to the one before
    const fields = new Int32Array(5);
    const firstSource = this.sources.length;
    const firstName = this.names.length;
    this.sources.push(...sources);
    this.names.push(...names);
    let known = 0; // fields of the segment read so far
    let value = 0;
    let shift = 0;
    let shiftColumn = column;
    const finish = () => {
      if (known > 0) {
        const from = known >= 4;
        this.mappings.push(
          line,
          fields[0] + shiftColumn,
          from ? firstSource + fields[1] : -1,
          from ? fields[2] : -1,
          from ? fields[3] : -1,
          known >= 5 ? firstName + fields[4] : -1,
        );
      }
      known = value = shift = 0;
    };
    for (let i = 0; i < mappings.length; i++) {
      const code = mappings.charCodeAt(i);
      if (code === kComma || code === kSemicolon) {
        finish();
        if (code === kSemicolon) {
          line++;
          fields[0] = shiftColumn = 0;
        }
        continue;
      }
      const digit = code < 128 ? digits[code] : -1;
      if (digit < 0) continue;
      value |= (digit & 31) << shift;
      shift += 5;
      if ((digit & 32) !== 0) continue;
      // The lowest bit is the sign; a negative zero stands for the smallest number.
      const size = value >>> 1;
      if (known < 5) fields[known] += (value & 1) === 0 ? size : size === 0 ? -2147483648 : -size;
      known++;
      value = shift = 0;
    }
    finish();
  }

  // An index may give its sections in any order, and a map its segments.
  finish() {
    const { mappings } = this;
    const count = mappings.length / kWidth;
    const order = Uint32Array.from({ length: count }, (_, i) => i * kWidth);
    const compare = (a, b) =>
      mappings[a + kLine] - mappings[b + kLine] || mappings[a + kColumn] - mappings[b + kColumn] || a - b;
    for (let i = 1; i < count; i++) {
      if (compare(order[i - 1], order[i]) <= 0) continue;
      order.sort(compare);
      break;
    }
    const sorted = new Int32Array(mappings.length);
    order.forEach((from, i) => {
      for (let field = 0; field < kWidth; field++) sorted[i * kWidth + field] = mappings[from + field];
    });
    this.mappings = sorted;
    return this;
  }
}

function frozenCopy(value) {
  if (value === null || typeof value !== 'object') return value;
  return Object.freeze(
    Array.isArray(value)
      ? value.map(frozenCopy)
      : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)])),
  );
}

class SourceMap {
  #payload;
  #lineLengths;
  #decoded;

  constructor(payload, { lineLengths } = { __proto__: null }) {
    validateObject(payload, 'payload');
    this.#payload = frozenCopy(payload);
    this.#lineLengths = Array.isArray(lineLengths) ? Object.freeze([...lineLengths]) : undefined;
  }

  get payload() {
    return this.#payload;
  }

  get lineLengths() {
    return this.#lineLengths;
  }

  #decode() {
    const decoder = new Decoder();
    const { sections } = this.#payload;
    if (Array.isArray(sections)) for (const { map, offset } of sections) decoder.add(map, offset.line, offset.column);
    else decoder.add(this.#payload, 0, 0);
    return decoder.finish();
  }

  // The last mapping that does not begin after the position.
  findEntry(lineOffset, columnOffset) {
    const { mappings, sources, names } = (this.#decoded ??= this.#decode());
    let low = 0;
    let high = mappings.length / kWidth;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * kWidth;
      const isBehind =
        mappings[at + kLine] > lineOffset ||
        (mappings[at + kLine] === lineOffset && mappings[at + kColumn] > columnOffset);
      if (isBehind) high = middle;
      else low = middle + 1;
    }
    if (low === 0) return {};
    const at = (low - 1) * kWidth;
    const found = mappings[at + kSource] >= 0;
    return {
      generatedLine: mappings[at + kLine],
      generatedColumn: mappings[at + kColumn],
      originalSource: found ? sources[mappings[at + kSource]] : undefined,
      originalLine: found ? mappings[at + kOriginalLine] : undefined,
      originalColumn: found ? mappings[at + kOriginalColumn] : undefined,
      name: names[mappings[at + kName]],
    };
  }

  // The same for a position in a stack, counted from one; the distance from the mapping's beginning is kept.
  findOrigin(lineNumber, columnNumber) {
    const { originalSource, originalLine, originalColumn, generatedLine, generatedColumn, name } = this.findEntry(
      lineNumber - 1,
      columnNumber - 1,
    );
    if (originalSource === undefined) return {};
    return {
      name,
      fileName: originalSource,
      lineNumber: originalLine + lineNumber - generatedLine,
      columnNumber: originalColumn + columnNumber - generatedColumn,
    };
  }
}

module.exports = { SourceMap };
