'use strict';

// ErrorEvent: an event with an error and its position.

const { Event } = require('internal/event_target');
const { validateObject } = require('internal/validators');

class ErrorEvent extends Event {
  #given;

  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new TypeError('ErrorEvent constructor: 1 argument required, but 0 found.');
    if (options !== undefined) validateObject(options, 'options');
    super(type, options);
    const { message = '', filename = '', lineno = 0, colno = 0, error } = options ?? {};
    this.#given = {
      message: `${message}`,
      filename: `${filename}`,
      lineno: Number(lineno),
      colno: Number(colno),
      error,
    };
  }

  static get(event, name) {
    if (typeof event !== 'object' || event === null || !(#given in event))
      throw Object.assign(new TypeError('Illegal invocation'), { code: 'ERR_INVALID_THIS' });
    return event.#given[name];
  }
}

const read = ErrorEvent.get;
delete ErrorEvent.get;
for (const name of ['message', 'filename', 'lineno', 'colno', 'error']) {
  const { get } = Object.getOwnPropertyDescriptor(
    {
      get [name]() {
        return read(this, name);
      },
    },
    name,
  );
  Object.defineProperty(ErrorEvent.prototype, name, { __proto__: null, get, enumerable: true, configurable: true });
}
Object.defineProperty(ErrorEvent.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'ErrorEvent',
  configurable: true,
});
Object.defineProperty(ErrorEvent, 'length', { __proto__: null, value: 2, configurable: true });

module.exports = { ErrorEvent };
