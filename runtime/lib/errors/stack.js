'use strict';

// The code in the first line of a stack. That line is made when the stack is first read: for this moment the code is
// part of the error's name.

const hidden = (value) => ({ __proto__: null, value, enumerable: false, writable: true, configurable: true });

function putCodeIntoStack(error, code, caller) {
  Object.defineProperty(error, 'name', hidden(`${error.name} [${code}]`));
  Error.captureStackTrace(error, caller);
  void error.stack;
  delete error.name;
}

module.exports = { hidden, putCodeIntoStack };
