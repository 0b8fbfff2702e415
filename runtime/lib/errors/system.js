'use strict';

// Errors of the system, and codes in the first line of a stack.
//
// The code in the first line of a stack. That line is made when the stack is first read: for this moment the code is
// part of the error's name.

const hidden = (value) => ({ __proto__: null, value, enumerable: false, writable: true, configurable: true });

function putCodeIntoStack(error, code, caller) {
  Object.defineProperty(error, 'name', hidden(`${error.name} [${code}]`));
  Error.captureStackTrace(error, caller);
  void error.stack;
  delete error.name;
}

// System errors: the system call, the code, and the path or address.

let names;
function describeErrno(errno) {
  names ??= internalBinding('uv').getErrorMap();
  return names.get(errno) ?? ['UNKNOWN', 'unknown error'];
}

const codeOf = (errno) => describeErrno(errno)[0];
const hostAndPort = (host, port) => (port > 0 ? ` ${host}:${port}` : host ? ` ${host}` : '');

// Properties without a value are left out, except those that are always there.
function assign(error, always, others) {
  Object.assign(error, always);
  for (const name of Object.keys(others)) {
    if (others[name]) error[name] = others[name];
  }
  // The name is Error, whichever class makes them.
  Object.defineProperty(error, 'constructor', {
    __proto__: null,
    value: Error,
    enumerable: false,
    configurable: true,
    writable: true,
  });
}

class ErrnoException extends Error {
  constructor(errno, syscall, original) {
    const code = codeOf(errno);
    super([syscall, code, original].filter(Boolean).join(' '));
    assign(this, { errno, code, syscall }, {});
  }
}

class UVExceptionWithHostPort extends Error {
  constructor(errno, syscall, address, port) {
    const [code, text] = describeErrno(errno);
    super(`${syscall} ${code}: ${text}${hostAndPort(address, port)}`);
    assign(this, { code, errno, syscall, address }, { port });
  }
}

class ExceptionWithHostPort extends Error {
  constructor(errno, syscall, address, port, local) {
    const isError = typeof errno === 'object'; // the operation that was not permitted
    const code = isError ? errno.code : codeOf(errno);
    const details = isError
      ? ` ${errno.message}`
      : `${hostAndPort(address, port)}${local ? ` - Local (${local})` : ''}`;
    super(`${syscall} ${code}${details}`);
    assign(this, { errno, code, syscall, address }, { port });
  }
}

const notFound = new Set([-3007, -3008]); // no such name, no address for it

class DNSException extends Error {
  constructor(reason, syscall, hostname) {
    const errno = typeof reason === 'number' ? reason : undefined;
    const code = errno === undefined ? reason : notFound.has(errno) ? 'ENOTFOUND' : codeOf(errno);
    super(`${syscall} ${code}${hostname ? ` ${hostname}` : ''}`);
    assign(this, { errno, code, syscall }, { hostname });
  }
}

// Made from a context { errno, syscall, path, dest, ... }, whose members become properties of the error.
function uvException(context) {
  const { errno, syscall, path, dest, message: given, ...others } = context;
  const [code, text] = given && context.code ? [context.code, given] : describeErrno(errno);
  const places = { path: path?.toString(), dest: dest?.toString() };
  let message = `${code}: ${given || text}, ${syscall}`;
  if (places.path) message += ` '${places.path}'`;
  if (places.dest) message += ` -> '${places.dest}'`;
  const error = new Error(message);
  Object.assign(error, { errno, code, syscall }, others, { code });
  for (const name of ['path', 'dest']) {
    if (places[name]) error[name] = places[name];
  }
  return error;
}

// An error whose details are in the property `info`.
class SystemError extends Error {
  constructor(code, sentence, context) {
    const { path, dest, syscall, errno } = context;
    const places = `${path === undefined ? '' : ` ${path}`}${dest === undefined ? '' : ` => ${dest}`}`;
    super(`${sentence}: ${syscall} returned ${context.code} (${context.message})${places}`);
    putCodeIntoStack(this, code, new.target);
    this.code = code;
    Object.defineProperty(this, 'info', {
      __proto__: null,
      value: context,
      enumerable: true,
      configurable: true,
      writable: false,
    });
    Object.assign(this, { errno, syscall });
    if (path !== undefined) this.path = path;
    if (dest !== undefined) this.dest = dest;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}
SystemError.prototype.name = 'SystemError';

module.exports = {
  hidden,
  putCodeIntoStack,
  describeErrno,
  uvException,
  ErrnoException,
  UVExceptionWithHostPort,
  ExceptionWithHostPort,
  DNSException,
  SystemError,
};
