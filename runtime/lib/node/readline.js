'use strict';

// node:readline.

const base = require('internal/readline/interface');
const cursor = require('internal/readline/screen');
const { answerOf } = require('internal/readline/commands');
const { emitKeypressEvents } = require('internal/readline/keys');

// `Interface(...)` without `new` makes an instance as well.
const Interface = new Proxy(base.Interface, {
  apply: (Class, _, settings) => Reflect.construct(Class, settings, Interface),
});
Interface.prototype.constructor = Interface;

// util.promisify(question) gives this function.
Interface.prototype.question[Symbol.for('nodejs.util.promisify.custom')] = function question(query, options) {
  return answerOf(
    options?.signal,
    (take) => this._question(query, take),
    () => this._abandonQuestion(),
  ).promise;
};

const { clearLine, clearScreenDown, cursorTo, moveCursor } = cursor;

module.exports = {
  Interface,
  emitKeypressEvents,
  clearLine,
  clearScreenDown,
  cursorTo,
  moveCursor,
  createInterface: (...settings) => new Interface(...settings),
  get promises() {
    return require('readline/promises');
  },
};
Object.defineProperty(module.exports.createInterface, 'name', {
  __proto__: null,
  value: 'createInterface',
  configurable: true,
});
