'use strict';

// Text and layout of inspected values: quoting, and breaking lists into lines.
//
// Strings as they would be written in a program: quoted with the mark that needs the fewest escapes, and with every
// character that a terminal would not show written as an escape.

const { getStringWidth } = require('internal/inspect/width');
const { withoutColours } = require('internal/inspect/palette');

// Controls, the backslash, and halves of surrogate pairs that stand alone.
const unseen = '\\x00-\\x1f\\\\\\x7f-\\x9f';
const halves = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const suspicious = /[^\x20-\x26\x28-\x5b\x5d-\x7e]/; // anything beyond plain characters that need no escape
const between = new RegExp(`[${unseen}]|${halves}`, 'g');
const betweenSingle = new RegExp(`['${unseen}]|${halves}`, 'g');

const named = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

function escapeOf(character) {
  const short = named.get(character);
  if (short !== undefined) return short;
  const hex = character.charCodeAt(0).toString(16);
  return hex.length > 2 ? `\\u${hex}` : `\\x${hex.toUpperCase().padStart(2, '0')}`;
}

function quote(text) {
  if (!suspicious.test(text)) return `'${text}'`;
  if (!text.includes("'")) return `'${text.replace(between, escapeOf)}'`;
  if (!text.includes('"')) return `"${text.replace(between, escapeOf)}"`;
  if (!text.includes('`') && !text.includes('${')) return `\`${text.replace(between, escapeOf)}\``;
  return `'${text.replace(betweenSingle, escapeOf)}'`;
}

const symbolToString = Symbol.prototype.toString;
function symbolText(symbol) {
  const text = symbolToString.call(symbol);
  return suspicious.test(text) ? text.replace(betweenSingle, escapeOf) : text;
}

const groupsFromRight = /\B(?=(?:\d{3})+$)/g;
const groupsFromLeft = /(\d{3})(?=\d)/g;

function bigintText(value, separated) {
  const digits = `${value}`;
  return separated ? `${digits.replace(groupsFromRight, '_')}n` : `${digits}n`;
}

function numberText(value, separated) {
  if (value === 0) return 1 / value < 0 ? '-0' : '0';
  const text = `${value}`;
  if (!separated || text.includes('e') || !Number.isFinite(value)) return text;
  const point = text.indexOf('.');
  if (point === -1) return text.replace(groupsFromRight, '_');
  const fraction = text.slice(point + 1).replace(groupsFromLeft, '$1_');
  return `${text.slice(0, point).replace(groupsFromRight, '_')}.${fraction}`;
}

function plural(count, noun) {
  return `${count} ${noun}${count > 1 ? 's' : ''}`;
}

// The second stage: a described value becomes text. A part is a string, or an object with `render(indent, view)`, where
// `indent` is the indentation of its line and `view` holds the settings. Only the layout knows how much room a part
// has, so it decides what goes on one line, on several lines or into columns.

const kStep = 2; // the indentation of nested values
const kOneLineReserve = 10; // room that a line should leave for what may stand before and behind it
const kFewest = 6; // so many elements of an array stand below each other; more get columns
const kGap = 2; // a comma and a space
const kMostColumns = 15;
const kCopied = 4096; // characters: a longer text is neither searched nor copied
const kHeightPerWidth = 2.5; // of a character: makes the columns of short elements about square

function show(part, indent, view) {
  return typeof part === 'string' ? part : part.render(indent, view);
}

// Long texts are concatenated without copying: every level above would copy them again.
function joined(texts, separator) {
  let length = 0;
  for (const text of texts) length += text.length;
  if (length < kCopied) return texts.join(separator);
  let whole = texts[0];
  for (let i = 1; i < texts.length; i++) whole += separator + texts[i];
  return whole;
}

const visibleLength = (text, view) => (view.colors ? withoutColours(text).length : text.length);

// A text of several lines that is indented as a whole.
class Lines {
  constructor(text) {
    this.text = text;
  }

  render(indent) {
    return indent === 0 ? this.text : this.text.replaceAll('\n', `\n${' '.repeat(indent)}`);
  }
}

// A part between two texts.
class Wrapped {
  constructor(before, part, after) {
    this.before = before;
    this.part = part;
    this.after = after;
  }

  render(indent, view) {
    return `${this.before}${show(this.part, indent, view)}${this.after}`;
  }
}

// A long string, which is split after its line feeds if it does not fit.
class LongString {
  constructor(pieces, length, paint, rest) {
    this.pieces = pieces; // quoted
    this.length = length;
    this.paint = paint;
    this.rest = rest; // "... 3 more characters"
  }

  render(indent, view) {
    const { pieces, paint } = this;
    if (this.length > view.breakLength - indent - 4) {
      return pieces.map((piece) => paint(piece.cut, 'string')).join(` +\n${' '.repeat(indent + kStep)}`) + this.rest;
    }
    return paint(pieces.whole, 'string') + this.rest;
  }
}

// name: value. With `compact: true` a value that is too wide begins on the next line.
class Member {
  constructor(label, part, mayDrop) {
    this.label = label;
    this.part = part;
    this.mayDrop = mayDrop;
  }

  render(indent, view) {
    if (!this.mayDrop) return `${this.label}: ${show(this.part, indent, view)}`;
    const text = show(this.part, indent + 1, view);
    const isWide =
      text.length > kCopied ? view.breakLength < text.length : view.breakLength < getStringWidth(text, view.colors);
    const between = isWide ? `\n${' '.repeat(indent + 1)}` : ' ';
    return `${this.label}:${between}${text}`;
  }
}

class Entry {
  constructor(key, value) {
    this.key = key;
    this.value = value;
  }

  render(indent, view) {
    return `${show(this.key, indent, view)} => ${show(this.value, indent, view)}`;
  }
}

// A value with brackets. `spread` is the number of levels between this one and the value that was described last.
class Block {
  head = ''; // the text before the brackets
  open = '{';
  close = '}';
  items = [];
  array; // the array whose elements these are: they may go into columns
  named = 0; // how many of the last items are members; these are sorted
  spread = 0;
  step = kStep;
  shift = 0;

  render(outer, view) {
    const indent = outer + this.shift;
    const head = this.head === '' ? '' : show(this.head, indent, view);
    let texts = this.items.map((item) => show(item, indent + this.step, view));
    if (view.sorted) texts = sorted(this, texts, view.sorted === true ? undefined : view.sorted);
    return view.compact === true ? dense(this, texts, head, indent, view) : airy(this, texts, head, indent, view);
  }
}

function sorted(block, texts, order) {
  if (block.array === undefined) return texts.sort(order);
  if (block.named < 2) return texts;
  const first = texts.length - block.named;
  return [...texts.slice(0, first), ...texts.slice(first).sort(order)];
}

// With a number as `compact`, or false.
function airy(block, texts, head, indent, view) {
  const { open, close, array } = block;
  const before = head === '' ? open : `${head} ${open}`;
  if (typeof view.compact === 'number' && view.compact >= 1) {
    const rows = array !== undefined && texts.length > kFewest ? intoColumns(texts, indent, array, view) : texts;
    if (rows === texts && block.spread < view.compact) {
      const used = texts.length + indent + open.length + head.length + kOneLineReserve;
      if (fits(texts, used, head, view)) {
        const line = texts.join(', ');
        if (!line.includes('\n')) return `${before} ${line} ${close}`;
      }
    }
    texts = rows;
  }
  const line = `\n${' '.repeat(indent)}`;
  return `${before}${line}  ${joined(texts, `,${line}  `)}${line}${close}`;
}

// With `compact: true`: brackets are on the same lines as their contents.
function dense(block, texts, head, indent, view) {
  const before = head === '' ? block.open : `${block.open} ${head}`;
  if (fits(texts, 0, head, view)) return `${before} ${texts.join(', ')} ${block.close}`;
  const line = `\n${' '.repeat(indent)}  `;
  return `${before}${before.length === 1 ? ' ' : line}${joined(texts, `,${line}`)} ${block.close}`;
}

// Whether the texts, separated by commas, fit on one line.
function fits(texts, used, head, view) {
  let length = used + texts.length;
  if (length + texts.length > view.breakLength) return false;
  for (const text of texts) {
    length += visibleLength(text, view);
    if (length > view.breakLength) return false;
  }
  return !head.includes('\n');
}

const isNumeric = (value) => typeof value === 'number' || typeof value === 'bigint';

// Gives rows, or the same texts when columns would not look better.
function intoColumns(texts, indent, array, view) {
  const tail = view.maxArrayLength < texts.length ? 1 : 0; // "... more items" is no element
  const count = texts.length - tail;
  const widths = new Array(count);
  let widest = 0;
  let total = kGap * count;
  let toRight = true;
  for (let i = 0; toRight && i < texts.length; i++) toRight = isNumeric(array[i]);
  const isPlain = toRight && !view.colors; // only digits: their width is their length
  for (let i = 0; i < count; i++) {
    const width = (widths[i] = isPlain ? texts[i].length : getStringWidth(texts[i], view.colors));
    total += width;
    if (width > widest) widest = width;
  }
  const cell = widest + kGap;
  const worthwhile = total / cell > 5 || widest <= 6;
  if (!worthwhile || 3 * cell + indent >= view.breakLength) return texts;

  // A few wide elements among many narrow ones must not decide the width alone.
  const typical = Math.max(cell - 3 - Math.sqrt(cell - total / texts.length), 1);
  const square = Math.round(Math.sqrt(kHeightPerWidth * typical * count) / typical);
  const room = Math.floor((view.breakLength - indent) / cell);
  const columns = Math.min(square, room, 4 * view.compact, kMostColumns);
  if (columns <= 1) return texts;

  const spans = new Array(columns).fill(0);
  widths.forEach((width, i) => {
    const column = i % columns;
    if (width > spans[column]) spans[column] = width;
  });

  const rows = [];
  for (let first = 0; first < count; first += columns) {
    const end = Math.min(first + columns, count);
    let row = '';
    for (let i = first; i < end; i++) {
      const space = ' '.repeat(spans[i - first] - widths[i]);
      const isLast = i === end - 1;
      if (toRight) row += isLast ? space + texts[i] : `${space}${texts[i]}, `;
      else row += isLast ? texts[i] : `${texts[i]}, ${space}`;
    }
    rows.push(row);
  }
  if (tail === 1) rows.push(texts[count]);
  return rows;
}

module.exports = {
  quote,
  symbolText,
  bigintText,
  numberText,
  plural,
  Block,
  Entry,
  Lines,
  LongString,
  Member,
  Wrapped,
  show,
};
