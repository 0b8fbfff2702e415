'use strict';

// A character for each test, and the failures at the end.

const { line, problem, generator } = require('internal/test/reporters/text');

class Dots {
  #column = 0;
  #failed = [];

  take(type, data) {
    if (type !== 'test:pass' && type !== 'test:fail') return '';
    const passed = type === 'test:pass';
    if (!passed) this.#failed.push(data);
    const width = Math.max(process.stdout.columns ?? 20, 20);
    this.#column = (this.#column + 1) % width;
    return `${passed ? '.' : 'X'}${this.#column === 0 ? '\n' : ''}`;
  }

  end() {
    const parts = this.#failed.map((data) => `${line(data, false)}\n${problem(data.details.error, '  ')}\n`);
    return `\n${parts.length > 0 ? `\nFailed tests:\n\n${parts.join('')}` : ''}`;
  }
}

module.exports = generator(() => new Dots());
