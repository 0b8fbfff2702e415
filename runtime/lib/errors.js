'use strict';

// Node's coded errors. `new codes.ERR_X(...)` has the plain name of its class, the code as a property and, in the
// first line of its stack, behind the name. A code's constructor is made when it is first asked for: most programs
// use few of them.

const system = require('internal/errors/system');
const { hidden, putCodeIntoStack } = system;
const { describeExpected } = require('internal/errors/message_parts');

// ---- what is known of a code: its classes and how its message is made ----

const known = new Map(); // code -> { classes, write }

const blank = /%[sdoj]/g;
function writerOf(sentence) {
  if (!sentence.includes('%')) return () => sentence;
  return (...args) => {
    let next = 0;
    if (args.length === 0) return sentence;
    return sentence.replace(blank, (mark) => (mark === '%j' ? JSON.stringify(args[next++]) : String(args[next++])));
  };
}

// The line of a code in the table, if there is one.
function readTable(code) {
  const table = require('internal/errors/table');
  const at = table.indexOf(`\n${code} `) + 1;
  if (at === 0) return undefined;
  const end = table.indexOf('\n', at);
  const line = table.slice(at, end === -1 ? undefined : end);
  const [, classes] = line.split(' ', 2);
  return { classes: classes.split(','), write: writerOf(line.slice(code.length + classes.length + 2)) };
}

function lookUp(code) {
  const found = known.get(code);
  if (found !== undefined || typeof code !== 'string') return found;
  let made = readTable(code);
  if (made === undefined) {
    const worded = require('internal/errors/message_texts')[code];
    if (worded !== undefined) made = { classes: worded[0].split(','), write: worded[1] };
  }
  if (made !== undefined) known.set(code, made);
  return made;
}

// A module may bring codes of its own.
function register(code, message, ...classes) {
  known.set(code, {
    classes: classes.map((each) => each.name),
    write: typeof message === 'function' ? message : writerOf(message),
  });
}

// ---- making errors ----

let hiddenCaller; // where stacks begin while a function made by hideStackFrames runs

function showWithCode() {
  return `${this.name} [${this.code}]: ${this.message}`;
}

function create(Base, code, write, args, caller) {
  const words = write(...args);
  const { message, ...fields } = typeof words === 'string' ? { message: words } : words;
  const error = new Base(message);
  if (message === '') Object.defineProperty(error, 'message', hidden(message));
  Object.defineProperty(error, 'toString', hidden(showWithCode));
  putCodeIntoStack(error, code, hiddenCaller ?? caller);
  error.code = code;
  for (const key of Object.keys(fields)) {
    Object.defineProperty(error, key, { value: fields[key], writable: true, enumerable: true, configurable: true });
  }
  return error;
}

function constructorFor(code, className, write) {
  if (className === 'SystemError') {
    return class extends system.SystemError {
      constructor(context) {
        super(code, write(context), context);
      }
    };
  }
  const Base = globalThis[className];
  const Coded = function (...args) {
    return create(Base, code, write, args, Coded);
  };
  Coded.prototype = Base.prototype;
  Object.defineProperty(Coded, 'name', { __proto__: null, value: className });
  return Coded;
}

function constructorsOf(code) {
  const found = lookUp(code);
  if (found === undefined) return undefined;
  const [usual, ...others] = found.classes;
  const Coded = constructorFor(code, usual, found.write);
  for (const other of others) Coded[other] = constructorFor(code, other, found.write);
  Object.defineProperty(codes, code, {
    __proto__: null,
    value: Coded,
    writable: true,
    configurable: true,
    enumerable: true,
  });
  return Coded;
}

const codes = Object.create(
  new Proxy(
    { __proto__: null },
    {
      get: (target, code) => constructorsOf(code),
      has: (target, code) => lookUp(code) !== undefined,
    },
  ),
);

// Errors that are made while `fn` runs begin their stack at its caller.
function hideStackFrames(fn) {
  const outer = {
    [fn.name](...args) {
      const before = hiddenCaller;
      hiddenCaller ??= outer;
      try {
        return fn.apply(this, args);
      } finally {
        hiddenCaller = before;
      }
    },
  }[fn.name];
  return outer;
}

function uvException(context) {
  const error = system.uvException(context);
  Error.captureStackTrace(error, hiddenCaller ?? uvException);
  return error;
}

// ---- errors without a code of their own ----

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object')
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    super(message, options);
    this.name = 'AbortError';
    this.code = 'ABORT_ERR';
  }
}

// Joins two errors of one operation into one error, which has the message of the second.
function aggregateTwoErrors(first, second) {
  if (!first || !second || first === second) return first || second;
  if (Array.isArray(second.errors)) {
    second.errors.push(first);
    return second;
  }
  return Object.assign(new AggregateError([second, first], second.message), { code: second.code });
}

const genericNodeError = (message, properties) => Object.assign(new Error(message), properties);

// The engine's message for a stack overflow is found out by causing one.
let overflow;
function isStackOverflowError(error) {
  if (overflow === undefined) {
    const fill = () => {
      fill();
    };
    try {
      fill();
    } catch (full) {
      overflow = { name: full.name, message: full.message };
    }
  }
  return error?.name === overflow.name && error.message === overflow.message;
}

module.exports = {
  codes,
  E: register,
  hideStackFrames,
  AbortError,
  aggregateTwoErrors,
  genericNodeError,
  isStackOverflowError,
  uvException,
  uvErrmap: system.describeErrno,
  ErrnoException: system.ErrnoException,
  UVExceptionWithHostPort: system.UVExceptionWithHostPort,
  ExceptionWithHostPort: system.ExceptionWithHostPort,
  DNSException: system.DNSException,
  SystemError: system.SystemError,
  describeExpected,
};
