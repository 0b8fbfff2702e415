'use strict';

// AssertionError and its message: what was expected, and where the actual value differs, line by line.

const { inspect, kWithoutStacks } = require('internal/util/inspect');
const { validateObject } = require('internal/validators');
const { myersDiff } = require('internal/util/diff');

const headlines = {
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  partialDeepStrictEqual: 'Expected values to be partially and strictly deep-equal:',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
  deepEqual: 'Expected values to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notIdentical: 'Values identical but not reference-equal:',
  notIdenticalObject: 'Values have same structure but are not reference-equal:',
};

const kMaxShortLength = 12;
const kMaxLongStringLength = 512;
const kLinesToCollapse = 5;
const kMaxDiffLines = 50;

function inspectValue(value) {
  return inspect(value, {
    compact: false,
    customInspect: false,
    depth: 1000,
    maxArrayLength: Infinity,
    showHidden: false,
    showProxy: false,
    sorted: true,
    getters: true,
    [kWithoutStacks]: true,
  });
}

function colors() {
  const { shouldColorize } = require('internal/util/colors');
  if (process.stderr && shouldColorize(process.stderr)) {
    return { green: '\u001b[32m', red: '\u001b[31m', white: '\u001b[39m', gray: '\u001b[90m' };
  }
  return { green: '', red: '', white: '', gray: '' };
}

function isPrimitive(value) {
  return typeof value !== 'object' || value === null;
}

// Where two one-line strings begin to differ.
function caretLine(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    if (a[i] !== b[i]) return i > 2 ? `\n${' '.repeat(i + 2)}^` : '';
  }
  return '';
}

function printDiff(diff, isPartial) {
  const { green, red, white, gray } = colors();
  let text = '';
  let skipped = false;
  let kept = 0;
  for (let i = diff.length - 1; i >= 0; i--) {
    const [operation, value] = diff[i];
    const before = i < diff.length - 1 ? diff[i + 1] : undefined;
    if (before !== undefined && before[0] === 0 && operation !== 0) {
      // The end of unchanged lines: what was left out is shown if it is short, else its last line.
      if (kept === kLinesToCollapse + 1) {
        text += `${white}  ${before[1]}\n`;
      } else if (kept === kLinesToCollapse + 2) {
        text += `${white}  ${diff[i + 2][1]}\n`;
        text += `${white}  ${before[1]}\n`;
      } else if (kept >= kLinesToCollapse + 3) {
        text += `${gray}...${white}\n`;
        text += `${white}  ${before[1]}\n`;
        skipped = true;
      }
      kept = 0;
    }
    if (operation === 1) {
      text += isPartial ? `${gray}+ ${value}${white}\n` : `${green}+${white} ${value}\n`;
    } else if (operation === -1) {
      text += `${red}-${white} ${value}\n`;
    } else {
      if (kept < kLinesToCollapse) text += `${white}  ${value}\n`;
      kept++;
    }
  }
  return { text: `\n${text}`, skipped };
}

function createErrDiff(actual, expected, operator, customMessage, diffMode = 'simple') {
  const { green, red, white } = colors();
  let chosen = operator;
  const inspectedActual = inspectValue(actual);
  const inspectedExpected = inspectValue(expected);
  const actualLines = inspectedActual.split('\n');
  const expectedLines = inspectedExpected.split('\n');
  let text = '';
  let skipped = false;
  let header = `${green}+ actual${white} ${red}- expected${white}`;

  if (operator === 'strictEqual' &&
      ((typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) ||
       (typeof actual === 'function' && typeof expected === 'function'))) {
    chosen = 'strictEqualObject';
  }
  const bothOneLine = actualLines.length === 1 && expectedLines.length === 1;
  if (bothOneLine && (isPrimitive(actual) || isPrimitive(expected)) && actualLines[0] !== expectedLines[0]) {
    const isStrings = typeof actual === 'string' && typeof expected === 'string';
    let length = inspectedActual.length + inspectedExpected.length;
    if (typeof actual === 'string') length -= 2;
    if (typeof expected === 'string') length -= 2;
    if (length <= kMaxShortLength && (actual !== 0 || expected !== 0)) {
      text = `\n${inspectedActual} !== ${inspectedExpected}\n`;
      header = '';
    } else {
      text = `\n${green}+${white} ${inspectedActual}\n${red}-${white} ${inspectedExpected}`;
      if (isStrings) {
        const columns = process.stderr?.isTTY ? process.stderr.columns ?? 80 : 80;
        if (length < columns) text += caretLine(inspectedActual, inspectedExpected);
      }
      text += '\n';
    }
  } else if (inspectedActual === inspectedExpected) {
    chosen = bothOneLine && isPrimitive(actual) ? 'notIdentical' : 'notIdenticalObject';
    let lines = actualLines;
    if (lines.length > kMaxDiffLines) {
      lines = lines.slice(0, kMaxDiffLines - 3);
      lines.push('...');
      skipped = true;
    }
    text = `\n${lines.join('\n')}\n`;
    header = '';
    skipped = false;
  } else {
    const checkComma = actual != null && typeof actual === 'object';
    const diff = myersDiff(actualLines, expectedLines, checkComma);
    if (diffMode === 'full') {
      text = '\n';
      for (let i = diff.length - 1; i >= 0; i--) {
        const [operation, value] = diff[i];
        text += operation === 1 ? `${green}+${white} ${value}\n` : operation === -1 ? `${red}-${white} ${value}\n` : `${white}  ${value}\n`;
      }
    } else {
      ({ text, skipped } = printDiff(diff, operator === 'partialDeepStrictEqual' && green !== ''));
    }
  }
  const headline = customMessage || headlines[chosen];
  const skippedNote = skipped ? '\n... Skipped lines' : '';
  return `${headline}${header === '' ? '' : `\n${header}`}${skippedNote}\n${text}`;
}

function addEllipsis(text) {
  const lines = text.split('\n');
  if (lines.length > 10) return `${lines.slice(0, 10).join('\n')}\n...`;
  if (text.length > kMaxLongStringLength) return `${text.slice(0, kMaxLongStringLength)}...`;
  return text;
}

const withDiff = ['deepStrictEqual', 'strictEqual', 'partialDeepStrictEqual'];

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, details, stackStartFunction, diff = 'simple' } = options;
    const { actual, expected } = options;
    const limit = Error.stackTraceLimit;
    if (typeof limit === 'number') Error.stackTraceLimit = 0;
    const kind = operator === 'throws' || operator === 'rejects' ? 'deepStrictEqual' : operator;
    if (message != null) {
      if (withDiff.includes(operator) && options.kIsOwn === true) {
        super(createErrDiff(actual, expected, operator, String(message), diff));
      } else {
        super(String(message));
      }
    } else if (operator === 'deepStrictEqual' || operator === 'strictEqual' || operator === 'partialDeepStrictEqual') {
      super(createErrDiff(actual, expected, kind, undefined, diff));
    } else if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
      let base = headlines[operator];
      const lines = inspectValue(actual).split('\n');
      if (operator === 'notStrictEqual' && ((typeof actual === 'object' && actual !== null) || typeof actual === 'function')) {
        base = headlines.notStrictEqualObject;
      }
      if (lines.length > kMaxDiffLines) {
        lines[46] = '...';
        while (lines.length > 47) lines.pop();
      }
      if (lines.length === 1) super(`${base}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`);
      else super(`${base}\n\n${lines.join('\n')}\n`);
    } else {
      let left = inspectValue(actual);
      let right = inspectValue(expected);
      const headline = headlines[operator];
      if (operator === 'notDeepEqual' && left === right) {
        left = `${headline}\n\n${left}`;
        if (left.length > 1024) left = `${left.slice(0, 1021)}...`;
        super(left);
      } else {
        if (left.length > kMaxLongStringLength) left = `${left.slice(0, 509)}...`;
        if (right.length > kMaxLongStringLength) right = `${right.slice(0, 509)}...`;
        if (operator === 'deepEqual') {
          left = `${headline}\n\n${left}\n\nshould loosely deep-equal\n\n`;
        } else if (operator === 'notDeepEqual') {
          left = `${headline}\n\n${left}\n\nshould not loosely deep-equal\n\n`;
        } else {
          right = ` ${operator} ${right}`;
        }
        super(`${left}${right}`);
      }
    }
    if (typeof limit === 'number') Error.stackTraceLimit = limit;
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', {
      __proto__: null, value: 'AssertionError [ERR_ASSERTION]', enumerable: false, writable: true, configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    if (details) {
      this.actual = undefined;
      this.expected = undefined;
      this.operator = undefined;
      for (let i = 0; i < details.length; i++) {
        this[`message ${i}`] = details[i].message;
        this[`actual ${i}`] = details[i].actual;
        this[`expected ${i}`] = details[i].expected;
        this[`operator ${i}`] = details[i].operator;
        this[`stack trace ${i}`] = details[i].stack;
      }
    } else {
      this.actual = actual;
      this.expected = expected;
      this.operator = operator;
    }
    if (Error.captureStackTrace) Error.captureStackTrace(this, stackStartFn || stackStartFunction);
    // The first line of the stack has the code in it; the name does not.
    void this.stack;
    this.name = 'AssertionError';
    this.diff = diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](recurseTimes, ctx) {
    const { actual, expected } = this;
    // Long values are in the message already.
    if (typeof actual === 'string') this.actual = addEllipsis(actual);
    if (typeof expected === 'string') this.expected = addEllipsis(expected);
    const text = inspect(this, { ...ctx, customInspect: false, depth: 0 });
    if (typeof actual === 'string') this.actual = actual;
    if (typeof expected === 'string') this.expected = expected;
    return text;
  }
}

module.exports = { AssertionError, inspectValue };
