'use strict';

// The reporter for people: a tree of names with marks, then the totals, then each failure with its error.

const { Transform } = require('stream');
const { marks, paint, line, problem, generator } = require('internal/test/reporters/text');

const interrupted = ({ name, file, line: row, column }) =>
  `${marks.todo} ${name} (${require('path').relative(process.cwd(), file)}:${row}:${column})\n`;

class Spec {
  #open = []; // announced, and not yet over; `shown` once something stands below it
  #failed = [];

  take(type, data) {
    switch (type) {
      case 'test:start':
        this.#open.push({ data, shown: false });
        return '';
      case 'test:pass':
        return this.#result(data, true);
      case 'test:fail':
        if (data.details?.error?.failureType !== 'subtestsFailed') this.#failed.push(data);
        return this.#result(data, false);
      case 'test:log':
      case 'test:diagnostic':
        return `${'  '.repeat(data.nesting)}${paint(data.level ?? 'info', `${marks.info} ${data.message}`)}\n`;
      case 'test:stdout':
      case 'test:stderr':
        return data.message;
      case 'test:interrupted':
        return `\n${paint('warn', 'Interrupted while running:')}\n\n${data.tests.map(interrupted).join('')}`;
      case 'test:summary':
        return data.file === undefined ? this.#failures() : '';
    }
    return '';
  }

  #result(data, passed) {
    const own = this.#open.pop();
    let text = '';
    for (const each of this.#open) {
      if (each.shown) continue;
      each.shown = true;
      text += `${'  '.repeat(each.data.nesting)}${marks.open} ${each.data.name}\n`;
    }
    return `${text}${'  '.repeat(own?.data.nesting ?? data.nesting)}${line(data, passed)}\n`;
  }

  #failures() {
    if (this.#failed.length === 0) return '';
    const { relative } = require('path');
    const parts = this.#failed.map((data) => {
      const where =
        data.file === undefined ? '' : `test at ${relative(process.cwd(), data.file)}:${data.line}:${data.column}\n`;
      return `\n${where}${line(data, false)}\n${problem(data.details.error, '  ')}\n`;
    });
    return `\n${paint('fail', `${marks.fail} failing tests:`)}\n${parts.join('')}`;
  }
}

// `new spec()` is a stream to pipe through, `spec` a function for compose().
class SpecStream extends Transform {
  #spec = new Spec();

  constructor() {
    super({ writableObjectMode: true });
  }

  _transform({ type, data }, encoding, callback) {
    callback(null, this.#spec.take(type, data));
  }
}

const generate = generator(() => new Spec());

module.exports = function spec(source) {
  return new.target === undefined && source !== undefined ? generate(source) : new SpecStream();
};
