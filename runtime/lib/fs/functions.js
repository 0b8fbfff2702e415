'use strict';

// From an operation of the table to the functions that programs call: with a callback, synchronous, or with a promise.
// They have Node's names and lengths, and check their arguments in Node's order.

const { checkCallback } = require('internal/fs/arguments');

function named(form, name, length) {
  Object.defineProperty(form, 'name', { value: name, configurable: true });
  Object.defineProperty(form, 'length', { value: length, configurable: true });
  return form;
}

const nothing = () => undefined;

function syncForm(operation) {
  const { name, readers, restFirst, lastFirst, lengths } = operation;
  const [first, second = nothing, third = nothing] = readers;
  return named(
    function (a, b, c) {
      const early = lastFirst ? third(c) : undefined;
      if (restFirst) {
        const y = second(b);
        const z = third(c);
        return operation.now(first(a), y, z);
      }
      return operation.now(first(a), second(b), lastFirst ? early : third(c));
    },
    `${name}Sync`,
    lengths[1] ?? readers.length,
  );
}

function callbackForm(operation) {
  const { name, readers, optional, callbackFirst, restFirst, lastFirst, lengths } = operation;
  const begin = operation.throwsRefusals ? 'demand' : 'later';
  const [first, second = nothing, third = nothing] = readers;
  const count = readers.length;
  return named(
    function (a, b, c, d) {
      let callback = count === 1 ? b : count === 2 ? c : d;
      // If an argument is left out, the callback is in its place.
      if (optional === 1 && count > 1 && typeof b === 'function') {
        callback = b;
        b = undefined;
        c = undefined;
      } else if (optional <= 2 && count > 2 && typeof c === 'function') {
        callback = c;
        c = undefined;
      }
      const z = lastFirst ? third(c) : undefined;
      if (callbackFirst) checkCallback(callback);
      if (restFirst) {
        const y = second(b);
        const last = third(c);
        if (!callbackFirst) checkCallback(callback);
        operation[begin](callback, first(a), y, last);
        return;
      }
      const x = first(a);
      const y = second(b);
      const last = lastFirst ? z : third(c);
      if (!callbackFirst) checkCallback(callback);
      operation[begin](callback, x, y, last);
    },
    name,
    lengths[0] ?? count + 1,
  );
}

function promiseForm(operation) {
  const { name, readers, restFirst, lastFirst, lengths } = operation;
  const [first, second = nothing, third = nothing] = readers;
  return named(
    async function (a, b, c) {
      const early = lastFirst ? third(c) : undefined;
      if (restFirst) {
        const y = second(b);
        const z = third(c);
        return operation.promise(first(a), y, z);
      }
      return operation.promise(first(a), second(b), lastFirst ? early : third(c));
    },
    name,
    lengths[2] ?? readers.length,
  );
}

module.exports = { callbackForm, promiseForm, syncForm };
