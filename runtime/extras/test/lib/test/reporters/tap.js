'use strict';

// The Test Anything Protocol, version 13, with a block of YAML below each result.

const { inspect } = require('internal/util/inspect');
const { withoutOurFrames, generator } = require('internal/test/reporters/text');

const indented = (nesting) => '    '.repeat(nesting);
const controls = {
  '\\': '\\\\',
  '#': '\\#',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};
const escaped = (text) => String(text).replace(/[\\#\b\f\n\r\t\v]/g, (each) => controls[each]);

function directive(data) {
  for (const [name, word] of [
    ['skip', 'SKIP'],
    ['todo', 'TODO'],
    ['expectFailure', 'EXPECTED FAILURE'],
  ]) {
    if (data[name] !== undefined)
      return ` # ${word}${typeof data[name] === 'string' && data[name] !== '' ? ` ${escaped(data[name])}` : ''}`;
  }
  return '';
}

// One property, and what is below it.
function property(indent, name, value, seen = new Set()) {
  if (value === undefined) return '';
  if (value === null) return `${indent}${name}: ~\n`;
  if (typeof value === 'string') {
    if (!/[\r\n]/.test(value)) return `${indent}${name}: ${inspect(value)}\n`;
    return `${indent}${name}: |-\n${value
      .split(/\r\n|\r|\n/)
      .map((each) => `${indent}  ${each}\n`)
      .join('')}`;
  }
  if (typeof value !== 'object' || value instanceof Date || value instanceof RegExp)
    return `${indent}${name}: ${inspect(value)}\n`;
  if (seen.has(value)) return `${indent}${name}: <Circular>\n`;
  const below = new Set(seen).add(value);
  return `${indent}${name}:\n${Object.keys(value)
    .map((key) => property(`${indent}  `, key, value[key], below))
    .join('')}`;
}

function frames(error) {
  if (typeof error?.stack !== 'string') return undefined;
  const lines = withoutOurFrames(error)
    .stack.split('\n')
    .filter((each) => /^\s+at /.test(each))
    .map((each) => each.trim().slice(3));
  return lines.length > 0 ? lines.join('\n') : undefined;
}

function problem(indent, error) {
  const { cause, code, failureType, exitCode, signal } = error;
  const thrown = cause instanceof Error ? cause : undefined;
  const rows = [['failureType', failureType]];
  if (exitCode !== undefined || signal !== undefined)
    rows.push(['exitCode', exitCode ?? null], ['signal', signal ?? null]);
  rows.push(
    ['error', thrown !== undefined ? thrown.message : typeof cause === 'string' ? cause : inspect(cause)],
    ['code', thrown?.code ?? code],
  );
  if (thrown !== undefined && thrown.name !== 'Error') rows.push(['name', thrown.name]);
  if (thrown?.code === 'ERR_ASSERTION')
    rows.push(['expected', thrown.expected], ['actual', thrown.actual], ['operator', thrown.operator]);
  const stack = frames(thrown ?? (/callback|started/.test(error.message) ? error : undefined));
  const trace =
    stack === undefined
      ? ''
      : `${indent}stack: |-\n${stack
          .split('\n')
          .map((each) => `${indent}  ${each}\n`)
          .join('')}`;
  return `${rows.map(([name, value]) => property(indent, name, value)).join('')}${trace}`;
}

class Tap {
  #begun = false;

  take(type, data) {
    const text = this.#text(type, data);
    if (this.#begun || text === '') return text;
    this.#begun = true;
    return `TAP version 13\n${text}`;
  }

  #text(type, data) {
    switch (type) {
      case 'test:start':
        return `${indented(data.nesting)}# Subtest: ${escaped(data.name)}\n`;
      case 'test:pass':
        return this.#result(data, true);
      case 'test:fail':
        return this.#result(data, false);
      case 'test:plan':
        return `${indented(data.nesting)}1..${data.count}\n`;
      case 'test:interrupted':
        return data.tests
          .map(
            ({ name, file, line, column }) =>
              `# Interrupted while running: ${escaped(name)} at ${escaped(`${file}:${line}:${column}`)}\n`,
          )
          .join('');
      case 'test:log':
      case 'test:diagnostic':
        return `${indented(data.nesting)}# ${escaped(data.message)}\n`;
      case 'test:stdout':
      case 'test:stderr':
        return data.message
          .split(/\r\n|\r|\n/)
          .filter((each, i, all) => i < all.length - 1 || each !== '')
          .map((each) => `# ${escaped(each)}\n`)
          .join('');
    }
    return '';
  }

  #result(data, passed) {
    const outer = indented(data.nesting);
    const indent = `${outer}  `;
    const { duration_ms: duration, type, error } = data.details;
    const head = `${outer}${passed ? 'ok' : 'not ok'} ${data.testNumber} - ${escaped(data.name)}${directive(data)}\n`;
    const where =
      !passed && data.file !== undefined
        ? property(indent, 'location', `${data.file}:${data.line}:${data.column}`)
        : '';
    return (
      `${head}${indent}---\n${indent}duration_ms: ${duration}\n${property(indent, 'type', type)}${where}` +
      `${error === undefined ? '' : problem(indent, error)}${indent}...\n`
    );
  }

  end() {
    return this.#begun ? '' : 'TAP version 13\n';
  }
}

module.exports = generator(() => new Tap());
