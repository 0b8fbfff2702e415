'use strict';

// DOMException: an Error of the web, with the old numeric codes.

const { codes } = require('internal/errors');

const codeOfName = new Map([
  ['IndexSizeError', 1],
  ['HierarchyRequestError', 3],
  ['WrongDocumentError', 4],
  ['InvalidCharacterError', 5],
  ['NoModificationAllowedError', 7],
  ['NotFoundError', 8],
  ['NotSupportedError', 9],
  ['InUseAttributeError', 10],
  ['InvalidStateError', 11],
  ['SyntaxError', 12],
  ['InvalidModificationError', 13],
  ['NamespaceError', 14],
  ['InvalidAccessError', 15],
  ['TypeMismatchError', 17],
  ['SecurityError', 18],
  ['NetworkError', 19],
  ['AbortError', 20],
  ['URLMismatchError', 21],
  ['QuotaExceededError', 22],
  ['TimeoutError', 23],
  ['InvalidNodeTypeError', 24],
  ['DataCloneError', 25],
]);
const constants = [
  'INDEX_SIZE_ERR',
  'DOMSTRING_SIZE_ERR',
  'HIERARCHY_REQUEST_ERR',
  'WRONG_DOCUMENT_ERR',
  'INVALID_CHARACTER_ERR',
  'NO_DATA_ALLOWED_ERR',
  'NO_MODIFICATION_ALLOWED_ERR',
  'NOT_FOUND_ERR',
  'NOT_SUPPORTED_ERR',
  'INUSE_ATTRIBUTE_ERR',
  'INVALID_STATE_ERR',
  'SYNTAX_ERR',
  'INVALID_MODIFICATION_ERR',
  'NAMESPACE_ERR',
  'INVALID_ACCESS_ERR',
  'VALIDATION_ERR',
  'TYPE_MISMATCH_ERR',
  'SECURITY_ERR',
  'NETWORK_ERR',
  'ABORT_ERR',
  'URL_MISMATCH_ERR',
  'QUOTA_EXCEEDED_ERR',
  'TIMEOUT_ERR',
  'INVALID_NODE_TYPE_ERR',
  'DATA_CLONE_ERR',
];

const details = new WeakMap();

function detailsOf(value) {
  const found = details.get(value);
  if (found === undefined) throw new codes.ERR_INVALID_THIS('DOMException');
  return found;
}

// The prototype chain has Error.prototype in it, and the instance is a true error of the engine (so that it has a stack
// and Error.isError knows it).
function DOMException(message = '', options = 'Error') {
  if (new.target === undefined) throw new TypeError("Class constructor DOMException cannot be invoked without 'new'");
  const self = Reflect.construct(Error, [], new.target);
  delete self.message;
  let name;
  if (options !== null && typeof options === 'object') {
    name = 'name' in options ? `${options.name}` : 'Error';
    if ('cause' in options) {
      Object.defineProperty(self, 'cause', {
        __proto__: null,
        value: options.cause,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    }
  } else {
    name = `${options}`;
  }
  details.set(self, { message: `${message}`, name, code: codeOfName.get(name) ?? 0 });
  Error.captureStackTrace?.(self, new.target);
  return self;
}
DOMException.prototype = Object.create(Error.prototype, {
  constructor: { __proto__: null, value: DOMException, writable: true, enumerable: false, configurable: true },
  [Symbol.toStringTag]: {
    __proto__: null,
    value: 'DOMException',
    writable: false,
    enumerable: false,
    configurable: true,
  },
  name: {
    __proto__: null,
    get() {
      return detailsOf(this).name;
    },
    set: undefined,
    enumerable: true,
    configurable: true,
  },
  message: {
    __proto__: null,
    get() {
      return detailsOf(this).message;
    },
    set: undefined,
    enumerable: true,
    configurable: true,
  },
  code: {
    __proto__: null,
    get() {
      return detailsOf(this).code;
    },
    set: undefined,
    enumerable: true,
    configurable: true,
  },
});
Object.defineProperty(DOMException, 'prototype', { __proto__: null, writable: false });
for (let i = 0; i < constants.length; i++) {
  const descriptor = { __proto__: null, value: i + 1, enumerable: true, configurable: false, writable: false };
  Object.defineProperty(DOMException, constants[i], descriptor);
  Object.defineProperty(DOMException.prototype, constants[i], descriptor);
}

module.exports = { DOMException, isDOMException: (value) => details.has(value) };
