'use strict';

// How operations of the Web Cryptography API fail: with exceptions of the web that have one of a few names.

function exception(name, message, cause) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, cause === undefined ? { name } : { name, cause });
}

const unsupported = (message) => exception('NotSupportedError', message);
const badData = (message, cause) => exception('DataError', message, cause);
const badAccess = (message) => exception('InvalidAccessError', message);
const badUsage = (message) => exception('SyntaxError', message);
const badOperation = (message) => exception('OperationError', message);

// A failure of the library is shown with this message only; the reason is the cause.
const operationFailed = (cause) =>
  exception('OperationError', 'The operation failed for an operation-specific reason', cause);

module.exports = { unsupported, badData, badAccess, badUsage, badOperation, operationFailed };
