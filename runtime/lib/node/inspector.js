'use strict';

// node:inspector, as far as this engine supports it: a session within the process that evaluates and lists globals.
// There is no port to connect to, no debugger and no profiler; a command for those gives an error that names it.

const EventEmitter = require('events');
const { codes, E } = require('internal/errors');
const permission = require('internal/process/permission');
const { validateFunction, validateObject, validateString } = require('internal/validators');

E('ERR_INSPECTOR_ALREADY_CONNECTED', '%s is already connected', Error);
E('ERR_INSPECTOR_CLOSED', 'Session was closed', Error);
E('ERR_INSPECTOR_COMMAND', 'Inspector error %d: %s', Error);
E('ERR_INSPECTOR_NOT_CONNECTED', 'Session is not connected', Error);
E('ERR_INSPECTOR_NOT_ACTIVE', 'Inspector is not active', Error);

function remote(value, byValue) {
  const type = typeof value;
  if (type === 'undefined') return { type };
  if (value === null) return { type: 'object', subtype: 'null', value };
  if (type === 'object' || type === 'function') {
    const description =
      type === 'function'
        ? String(value)
        : value instanceof Error
          ? value.stack
          : (value.constructor?.name ?? 'Object');
    return byValue ? { type, value } : { type, className: value.constructor?.name ?? 'Object', description };
  }
  return { type, value, description: String(value) };
}

const methods = {
  'Runtime.enable': () => ({}),
  'Runtime.disable': () => ({}),
  'Runtime.evaluate': ({ expression, returnByValue }) => {
    try {
      return { result: remote(require('vm').runInThisContext(expression), returnByValue) };
    } catch (error) {
      return { result: remote(error), exceptionDetails: { text: 'Uncaught', exception: remote(error) } };
    }
  },
  'Runtime.globalLexicalScopeNames': () => ({ names: [] }),
  'HeapProfiler.collectGarbage': () => {
    internalBinding('util').collect();
    return {};
  },
  'Schema.getDomains': () => ({
    domains: [
      { name: 'Runtime', version: '1.3' },
      { name: 'Schema', version: '1.3' },
    ],
  }),
};

class Session extends EventEmitter {
  #connected = false;

  connect() {
    if (this.#connected) throw new codes.ERR_INSPECTOR_ALREADY_CONNECTED('The inspector session');
    permission.check(permission.kInspector, 'Connect');
    this.#connected = true;
  }

  connectToMainThread() {
    this.connect();
  }

  disconnect() {
    this.#connected = false;
  }

  post(method, params, callback) {
    validateString(method, 'method');
    if (typeof params === 'function') [params, callback] = [undefined, params];
    if (params !== undefined && params !== null) validateObject(params, 'params');
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (!this.#connected) throw new codes.ERR_INSPECTOR_NOT_CONNECTED();
    const run = methods[method];
    if (run === undefined) callback?.(new codes.ERR_INSPECTOR_COMMAND(-32601, `'${method}' wasn't found`));
    else callback?.(null, run(params ?? {}));
  }
}

module.exports = {
  Session,
  open() {
    permission.check(permission.kInspector, 'StartIoThread');
    throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('inspector.open');
  },
  close() {},
  url() {},
  waitForDebugger() {
    throw new codes.ERR_INSPECTOR_NOT_ACTIVE();
  },
  console,
};
