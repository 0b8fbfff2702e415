'use strict';

// The errors of node:sqlite. They are plain errors with a code; those of SQLite itself have its extended code and its
// name for that. C does not make them: it calls `make` here, with the kind (sqlite_error in runtime/shared.table).

const { isPromise } = require('internal/util/types');

const coded = (Kind, code, message) => Object.assign(new Kind(message), { code });

const wrongType = (message) => coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
const wrongValue = (message) => coded(TypeError, 'ERR_INVALID_ARG_VALUE', message);
const outOfRange = (message) => coded(RangeError, 'ERR_OUT_OF_RANGE', message);
const wrongState = (message) => coded(Error, 'ERR_INVALID_STATE', message);
const argument = (name, wanted) => wrongType(`The "${name}" argument must be ${wanted}.`);

const { sqliteError: kind } = require('internal/shared');
const makers = {
  [kind.kFailed]: (message, errcode, errstr) =>
    Object.assign(coded(Error, 'ERR_SQLITE_ERROR', message), { errcode, errstr }),
  [kind.kTooLarge]: (digits) => outOfRange(`Value is too large to be represented as a JavaScript number: ${digits}`),
  [kind.kNoValue]: (index) => wrongType(`Provided value cannot be bound to SQLite parameter ${index}.`),
  [kind.kWideBigint]: () => wrongValue('BigInt value is too large to bind.'),
  [kind.kUnsuitable]: (value) =>
    isPromise(value)
      ? 'Asynchronous user-defined functions are not supported'
      : 'Returned JavaScript value cannot be converted to a SQLite value',
};

internalBinding('sqlite').setErrorMaker((number, a, b, c) => makers[number](a, b, c));

module.exports = { argument, coded, outOfRange, wrongState, wrongType, wrongValue };
