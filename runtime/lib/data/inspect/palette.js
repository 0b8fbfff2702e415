'use strict';

// The colours of util.inspect: inspect.colors (a name's two codes, to switch on and off) and inspect.styles (which
// colour a kind of value has). A program may change both, so nothing is copied from them.

const colors = { __proto__: null };

// [name, on, off, further names]. Further names are accessors, so that a change of one is a change of all.
const modifiers = [
  ['reset', 0, 0],
  ['bold', 1, 22],
  ['dim', 2, 22, 'faint'],
  ['italic', 3, 23],
  ['underline', 4, 24],
  ['blink', 5, 25],
  ['inverse', 7, 27, 'swapcolors', 'swapColors'],
  ['hidden', 8, 28, 'conceal'],
  ['strikethrough', 9, 29, 'strikeThrough', 'crossedout', 'crossedOut'],
  ['doubleunderline', 21, 24, 'doubleUnderline'],
];
const hues = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const afterHues = [
  ['framed', 51, 54],
  ['overlined', 53, 55],
];

function add([name, on, off, ...others]) {
  colors[name] = [on, off];
  for (const other of others) {
    Object.defineProperty(colors, other, {
      __proto__: null,
      get() {
        return this[name];
      },
      set(value) {
        this[name] = value;
      },
      configurable: true,
      enumerable: false,
    });
  }
}

const ground = (hue) => `bg${hue[0].toUpperCase()}${hue.slice(1)}`;
for (const row of modifiers) add(row);
hues.forEach((hue, i) => add([hue, 30 + i, 39]));
hues.forEach((hue, i) => add([ground(hue), 40 + i, 49]));
for (const row of afterHues) add(row);
hues.forEach((hue, i) => add(i === 0 ? ['gray', 90, 39, 'grey', 'blackBright'] : [`${hue}Bright`, 90 + i, 39]));
hues.forEach((hue, i) =>
  add(i === 0 ? ['bgGray', 100, 49, 'bgGrey', 'bgBlackBright'] : [`${ground(hue)}Bright`, 100 + i, 49]),
);

const styles = Object.assign(
  { __proto__: null },
  {
    special: 'cyan',
    number: 'yellow',
    bigint: 'yellow',
    boolean: 'yellow',
    undefined: 'grey',
    null: 'bold',
    string: 'green',
    symbol: 'green',
    date: 'magenta',
    regexp: (text) => require('internal/inspect/regexp_colours')(text, colors, styles.regexp.colors),
    module: 'underline',
  },
);
// In the order of the documentation; the program may set other ones.
styles.regexp.colors = ['green', 'red', 'yellow', 'cyan', 'magenta'];

function painted(text, kind) {
  const style = styles[kind];
  if (style === undefined) return text;
  if (typeof style === 'function') return style(text);
  const pair = colors[style];
  return pair === undefined ? text : `\u001b[${pair[0]}m${text}\u001b[${pair[1]}m`;
}

const unpainted = (text) => text;

const codes = /\u001b\[\d\d?m/g;
const withoutColours = (text) => (text.includes('\u001b') ? text.replace(codes, '') : text);

module.exports = { colors, styles, painted, unpainted, withoutColours };
