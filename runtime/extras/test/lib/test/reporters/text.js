'use strict';

// Common parts of the reporters: marks, colours, and the text of an error.

const { inspect } = require('internal/util/inspect');

const marks = { pass: '\u2714', fail: '\u2716', skip: '\ufe63', todo: '\u26a0', info: '\u2139', open: '\u25b6' };
const codes = { pass: 32, fail: 31, skip: 90, todo: 33, info: 34, grey: 90, warn: 33, error: 31 };

function hasColours() {
  const { FORCE_COLOR, NO_COLOR, NODE_DISABLE_COLORS } = process.env;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return !NO_COLOR && !NODE_DISABLE_COLORS && process.stdout.isTTY === true;
}

let coloured;
const paint = (kind, text) => ((coloured ??= hasColours()) ? `\x1b[${codes[kind]}m${text}\x1b[39m` : text);

const kindOf = (data, passed) =>
  data.skip !== undefined ? 'skip' : !passed && data.todo !== undefined ? 'todo' : passed ? 'pass' : 'fail';

// ` # why`, for entries that are skipped, todo or expected to fail.
function note(data) {
  for (const [name, word] of [
    ['skip', 'SKIP'],
    ['todo', 'TODO'],
    ['expectFailure', 'EXPECTED FAILURE'],
  ]) {
    if (data[name] !== undefined) return ` # ${typeof data[name] === 'string' ? data[name] : word}`;
  }
  return '';
}

// The line of a result.
function line(data, passed) {
  const kind = kindOf(data, passed);
  const time = data.details.duration_ms > 0 ? ` ${paint('grey', `(${data.details.duration_ms}ms)`)}` : '';
  return `${paint(kind, `${marks[kind]} ${data.name}`)}${time}${note(data)}`;
}

// The thrown value, as the console would show it.
function problem(error, indent) {
  const shown = error.code === 'ERR_TEST_FAILURE' && 'cause' in error ? error.cause : error;
  const text = inspect(withoutOurFrames(shown), { colors: coloured === true });
  return text
    .split('\n')
    .map((each) => `${indent}${each}`)
    .join('\n');
}

const isOurs = (frame) =>
  /^\s+at .*\bnode:internal\/(test|async|streams|process\/task_queues)\b/.test(frame) ||
  /^\s+at .*\bnode:(async_hooks|test)\b/.test(frame);

// The frames of the test runner are of no use to the author of a test.
function withoutOurFrames(error) {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return error;
  const kept = error.stack
    .split('\n')
    .filter((each) => !isOurs(each))
    .join('\n');
  if (kept !== error.stack) {
    try {
      Object.defineProperty(error, 'stack', {
        __proto__: null,
        value: kept,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    } catch {
      // A frozen error is shown as it is.
    }
  }
  return error;
}

// A reporter that makes text from each event, and perhaps from the end.
const generator = (make) =>
  async function* (source) {
    const reporter = make();
    for await (const { type, data } of source) {
      const text = reporter.take(type, data);
      if (text) yield text;
    }
    const rest = reporter.end?.();
    if (rest) yield rest;
  };

module.exports = { marks, paint, line, problem, withoutOurFrames, generator };
