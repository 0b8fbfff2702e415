'use strict';

// The text of the call that failed, for "The expression evaluated to a falsy value": read from the source file at the
// place that the stack names.

const cache = new Map();

function readSource(file) {
  let text = cache.get(file);
  if (text === undefined) {
    try {
      const path = file.startsWith('file:') ? require('internal/url/files').fileURLToPath(file) : file;
      text = require('fs').readFileSync(path, 'utf8');
    } catch {
      text = null;
    }
    cache.set(file, text);
  }
  return text;
}

// The end of the parenthesis that opens at `open`, with strings, templates and comments stepped over; -1
// if there is none.
function matchParenthesis(text, open) {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    const c = text[i];
    if (c === '(' || c === '[' || c === '{') {
      depth++;
    } else if (c === ')' || c === ']' || c === '}') {
      if (--depth === 0) return i;
    } else if (c === '"' || c === "'" || c === '`') {
      for (i++; i < text.length && text[i] !== c; i++) {
        if (text[i] === '\\') i++;
      }
    } else if (c === '/' && text[i + 1] === '/') {
      i = text.indexOf('\n', i);
      if (i === -1) return -1;
    } else if (c === '/' && text[i + 1] === '*') {
      i = text.indexOf('*/', i) + 1;
      if (i === 0) return -1;
    } else if (c === '/' && /[(,=:[!&|?{};\n]\s*$/.test(text.slice(Math.max(0, i - 20), i))) {
      // A regular expression.
      let inClass = false;
      for (i++; i < text.length && (text[i] !== '/' || inClass); i++) {
        if (text[i] === '\\') i++;
        else if (text[i] === '[') inClass = true;
        else if (text[i] === ']') inClass = false;
        else if (text[i] === '\n') return -1;
      }
    }
  }
  return -1;
}

function callText(source, line, column) {
  let start = 0;
  for (let n = 1; n < line; n++) {
    start = source.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
  }
  const lineEnd = source.indexOf('\n', start);
  let at = Math.min(start + column - 1, lineEnd === -1 ? source.length : lineEnd);
  const open = source.indexOf('(', at);
  if (open === -1) return undefined;
  // Back over the name: `assert.ok`, `a['ok']`.
  while (at > start && /[\p{ID_Continue}$.'"[\]]/u.test(source[at - 1])) at--;
  const close = matchParenthesis(source, open);
  if (close === -1) return undefined;
  // Of a call over several lines, the first line is shown.
  const text = source
    .slice(at, close + 1)
    .replace(/^\./, '')
    .split('\n', 1)[0];
  return text.replace(
    /[\x00-\x08\x0b-\x1f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function getExpressionMessage(fn) {
  const holder = {};
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 3; // a frame of `apply` or `call` may come first
  Error.captureStackTrace?.(holder, fn);
  Error.stackTraceLimit = limit;
  const line =
    String(holder.stack)
      .split('\n')
      .find((each) => /^\s+at .*:\d+:\d+\)?$/.test(each)) ?? '';
  const frame = /\(?([^()\s][^()]*?):(\d+):(\d+)\)?\s*$/m.exec(line);
  const unknown = 'The expression evaluated to a falsy value.\n';
  if (frame === null) return unknown;
  const file = frame[1].replace(/^at /, '');
  const source = readSource(file);
  if (typeof source !== 'string') return unknown;
  const text = callText(source, Number(frame[2]), Number(frame[3]));
  if (text === undefined) return unknown;
  return `The expression evaluated to a falsy value:\n\n  ${text}\n`;
}

module.exports = { getExpressionMessage };
