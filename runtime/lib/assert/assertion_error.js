'use strict';

// AssertionError, its message, and the comparison of two values in it.
//
// Compares two texts line by line: lines that only one of them has are marked, and runs of equal lines are shortened.

const { myersDiff } = require('internal/util/diff');
const { inspect, kWithoutStacks } = require('internal/util/inspect');
const { isNativeError } = require('internal/util/types');
const { validateObject } = require('internal/validators');
const { hidden, putCodeIntoStack } = require('internal/errors/system');

const kShown = 5; // unchanged lines at the beginning of a run
const kAdded = 1;
const kMissing = -1;

function palette() {
  const isColoured = process.stderr && require('internal/tty').shouldColorize(process.stderr);
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

// The message of an AssertionError, by the operator that failed.

const kShortPair = 12; // characters: then both values stand on one line
const kMostLines = 50;
const kLongest = 512;

const show = (value, withoutStacks = false) =>
  inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
    [kWithoutStacks]: withoutStacks,
  });

const isObject = (value) => typeof value === 'object' && value !== null;
// Two errors are shown without their stacks, which differ anyway.
function shownPair(actual, expected) {
  const areErrors = isNativeError(actual) && isNativeError(expected);
  return [show(actual, areErrors), show(expected, areErrors)];
}

const isReference = (value) => isObject(value) || typeof value === 'function';

const sentences = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
};
const ofReferences = {
  strictEqual: 'Expected "actual" to be reference-equal to "expected":',
  notStrictEqual: 'Expected "actual" not to be reference-equal to "expected":',
};

const cut = (text, length) => (text.length > length ? `${text.slice(0, length - 3)}...` : text);

// The beginning of a long text, unless the whole text was asked for.
function firstLines(lines, count, diff) {
  return lines.length > kMostLines && diff !== 'full' ? [...lines.slice(0, count), '...'] : lines;
}

// Points at the first character that differs, if there is something before it.
function pointer(left, right) {
  let i = 0;
  while (i < left.length && i < right.length && left[i] === right[i]) i++;
  return i > 2 && i < left.length && i < right.length ? `\n${' '.repeat(i + 2)}^` : '';
}

// Two values of a line each, at least one of them primitive.
function besideEachOther(actual, expected, left, right) {
  const quotes = (value) => (typeof value === 'string' ? 2 : 0);
  const length = left.length + right.length - quotes(actual) - quotes(expected);
  if (length <= kShortPair && !(actual === 0 && expected === 0))
    return { header: '', text: `\n${left} !== ${right}\n` };
  const { green, red, plain } = palette();
  const columns = process.stderr?.isTTY ? (process.stderr.columns ?? 80) : 80;
  const hint =
    typeof actual === 'string' && typeof expected === 'string' && length < columns ? pointer(left, right) : '';
  return { text: `\n${green}+${plain} ${left}\n${red}-${plain} ${right}${hint}\n` };
}

// The values, and where they differ. `sentence` is the program's, if it gave one.
function compared(operator, actual, expected, sentence, diff) {
  const { green, red, plain } = palette();
  const [left, right] = shownPair(actual, expected);
  const leftLines = left.split('\n');
  const rightLines = right.split('\n');
  const isShort = leftLines.length === 1 && rightLines.length === 1;
  const areReferences =
    (isObject(actual) && isObject(expected)) || (typeof actual === 'function' && typeof expected === 'function');
  let head = (areReferences && ofReferences[operator]) || sentences[operator];
  let result;
  if (left === right && !(isShort && !isObject(actual))) {
    head = 'Values have same structure but are not reference-equal:';
    result = { header: '', text: `\n${firstLines(leftLines, kMostLines - 3, diff).join('\n')}\n` };
  } else if (isShort && (!isObject(actual) || !isObject(expected))) {
    result = besideEachOther(actual, expected, left, right);
  } else {
    const isPartial = operator === 'partialDeepStrictEqual';
    result = difference(leftLines, rightLines, { ignoreCommas: isObject(actual), isFull: diff === 'full', isPartial });
  }
  const header = result.header ?? `\n${green}+ actual${plain} ${red}- expected${plain}`;
  return `${sentence ?? head}${header}${result.isShort ? '\n... Skipped lines' : ''}\n${result.text}`;
}

function unwanted(operator, actual, expected, sentence, diff) {
  const head = (isReference(actual) && ofReferences[operator]) || sentences[operator];
  const lines = firstLines(shownPair(actual, expected)[0].split('\n'), kMostLines - 4, diff);
  if (lines.length > 1) return `${head}\n\n${lines.join('\n')}\n`;
  return `${head}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
}

// The loose relations, and operators that we do not know.
function related(operator, actual, expected, sentence, diff) {
  const [left, right] = shownPair(actual, expected);
  const head = sentences[operator];
  if (operator === 'notDeepEqual' && left === right) return cut(`${head}\n\n${left}`, 1024);
  const most = diff === 'full' ? Infinity : kLongest;
  const sides = [cut(left, most), cut(right, most)];
  if (head === undefined) return sides.join(` ${operator} `);
  return `${head}\n\n${sides.join(`\n\nshould ${operator === 'deepEqual' ? '' : 'not '}loosely deep-equal\n\n`)}`;
}

const writers = {
  __proto__: null,
  deepStrictEqual: compared,
  strictEqual: compared,
  partialDeepStrictEqual: compared,
  notDeepStrictEqual: unwanted,
  notStrictEqual: unwanted,
};

// Where values are compared, `sentence` replaces the first line; elsewhere it is the whole message.
function messageFor({ operator, actual, expected, sentence, diff }) {
  const write = writers[operator];
  if (sentence !== undefined && write !== compared) return sentence;
  return (write ?? related)(operator, actual, expected, sentence, diff);
}

// Long values are in the message already: in the properties below it they are cut.
function shortened(value) {
  if (typeof value !== 'string') return value;
  const lines = value.split('\n');
  if (lines.length > 10) return `${lines.slice(0, 10).join('\n')}\n...`;
  return value.length > kLongest ? `${value.slice(0, -kLongest)}...` : value;
}

// AssertionError: what was asserted, and the message that tells how it failed.

// Internal option: the message is a sentence of the program, and the comparison follows below it.
const kSentence = Symbol('sentence');

const kCode = 'ERR_ASSERTION';

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, actual, expected, details, diff = 'simple' } = options;
    const isGiven = message != null;
    super(
      isGiven && !options[kSentence]
        ? String(message)
        : messageFor({ operator, actual, expected, diff, sentence: isGiven ? String(message) : undefined }),
    );
    Object.defineProperty(this, 'name', hidden('AssertionError'));
    putCodeIntoStack(this, kCode, options.stackStartFn ?? options.stackStartFunction);
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', hidden('AssertionError'));
    this.code = kCode;
    Object.assign(this, details ? flat(details) : { actual, expected, operator });
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](depth, options) {
    const { actual, expected } = this;
    this.actual = shortened(actual);
    this.expected = shortened(expected);
    try {
      return inspect(this, { ...options, customInspect: false, depth: 0 });
    } finally {
      this.actual = actual;
      this.expected = expected;
    }
  }
}

// If there are several failures: each property with the number of its failure.
function flat(details) {
  const properties = { actual: undefined, expected: undefined, operator: undefined };
  details.forEach((detail, i) => {
    for (const name of ['message', 'actual', 'expected', 'operator']) properties[`${name} ${i}`] = detail[name];
    properties[`stack trace ${i}`] = detail.stack;
  });
  return properties;
}

module.exports = { AssertionError, kSentence };
