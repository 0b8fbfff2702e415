'use strict';

// The colours of util.inspect: inspect.colors (a name's two codes, to switch on and off) and inspect.styles (which
// colour a kind of value has). A program may change both, so nothing is copied from them.

const colors = {
  __proto__: null,
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
  black: [30, 39],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  white: [37, 39],
  bgBlack: [40, 49],
  bgRed: [41, 49],
  bgGreen: [42, 49],
  bgYellow: [43, 49],
  bgBlue: [44, 49],
  bgMagenta: [45, 49],
  bgCyan: [46, 49],
  bgWhite: [47, 49],
  framed: [51, 54],
  overlined: [53, 55],
  gray: [90, 39],
  redBright: [91, 39],
  greenBright: [92, 39],
  yellowBright: [93, 39],
  blueBright: [94, 39],
  magentaBright: [95, 39],
  cyanBright: [96, 39],
  whiteBright: [97, 39],
  bgGray: [100, 49],
  bgRedBright: [101, 49],
  bgGreenBright: [102, 49],
  bgYellowBright: [103, 49],
  bgBlueBright: [104, 49],
  bgMagentaBright: [105, 49],
  bgCyanBright: [106, 49],
  bgWhiteBright: [107, 49],
};

// Further names are accessors, so that a change of one is a change of all.
const aliases = {
  faint: 'dim',
  swapcolors: 'inverse',
  swapColors: 'inverse',
  conceal: 'hidden',
  strikeThrough: 'strikethrough',
  crossedout: 'strikethrough',
  crossedOut: 'strikethrough',
  doubleUnderline: 'doubleunderline',
  grey: 'gray',
  blackBright: 'gray',
  bgGrey: 'bgGray',
  bgBlackBright: 'bgGray',
};
for (const other in aliases) {
  const name = aliases[other];
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
