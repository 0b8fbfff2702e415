'use strict';

// node:wasi: WebAssembly programs that need a system. Preview 1, implemented here; a guest can use only what the
// program gives it, and paths cannot lead out of the given directories.

const { codes } = require('internal/errors');
const { describeReceived } = require('internal/errors/message_parts');
const {
  validateArray,
  validateBoolean,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUndefined,
} = require('internal/validators');
const { getSystemErrorName } = require('util');
const { openRoot } = internalBinding('wasi');
const permission = require('internal/process/permission');
const { makeImports } = require('internal/wasi/preview1');
const { Memory } = require('internal/wasi/memory');
const { Table } = require('internal/wasi/table');

process.emitWarning('WASI is an experimental feature and might change at any time', 'ExperimentalWarning');

const namespaces = { __proto__: null, unstable: 'wasi_unstable', preview1: 'wasi_snapshot_preview1' };
const isMemory = (value) => Object.prototype.toString.call(value) === '[object WebAssembly.Memory]';

// An optional option, checked.
function option(options, name, otherwise, validate, ...limits) {
  const value = options[name];
  if (value === undefined) return otherwise;
  validate(value, `options.${name}`, ...limits);
  return value;
}

// How a guest ends that calls proc_exit.
class Exit {
  constructor(code) {
    this.code = code;
  }
}

function openDirectory(path) {
  const fd = openRoot(path);
  if (fd < 0) throw Object.assign(new Error('uvwasi_init'), { code: `UVWASI_${getSystemErrorName(fd)}` });
  return fd;
}

class WASI {
  #call = { memory: undefined, table: new Table() };
  #namespace;
  #isStarted = false;

  constructor(options = {}) {
    validateObject(options, 'options');
    const { version } = options;
    validateString(version, 'options.version');
    this.#namespace = namespaces[version];
    if (this.#namespace === undefined)
      throw new codes.ERR_INVALID_ARG_VALUE('options.version', version, 'unsupported WASI version');
    const args = option(options, 'args', [], validateArray).map(String);
    const given = option(options, 'env', {}, validateObject);
    const env = Object.keys(given)
      .filter((name) => given[name] !== undefined)
      .map((name) => `${name}=${given[name]}`);
    const preopens = option(options, 'preopens', {}, validateObject);
    const standard = ['stdin', 'stdout', 'stderr'].map((name, fd) => option(options, name, fd, validateInt32, 0));
    const returns = option(options, 'returnOnExit', true, validateBoolean);

    permission.check(permission.kWasi);
    const { table } = this.#call;
    for (const fd of standard) table.addStandard(fd);
    for (const [name, path] of Object.entries(preopens)) table.addDirectory(openDirectory(String(path)), name);
    const exit = (code) => {
      if (!returns) process.exit(code);
      throw new Exit(code);
    };
    this.wasiImport = makeImports(this.#call, { args, env, exit });
  }

  finalizeBindings(instance, { memory = instance?.exports?.memory } = {}) {
    if (this.#isStarted) throw new codes.ERR_WASI_ALREADY_STARTED();
    validateObject(instance, 'instance');
    validateObject(instance.exports, 'instance.exports');
    if (!isMemory(memory)) {
      const received = describeReceived(memory);
      throw Object.assign(
        new TypeError(`The "instance.exports.memory" property must be a WebAssembly.Memory object. ${received}`),
        { code: 'ERR_INVALID_ARG_TYPE' },
      );
    }
    this.#isStarted = true;
    this.#call.memory = new Memory(memory);
  }

  // A command has one entry point, a reactor may have the other; no module has both.
  #entry(instance, name, other) {
    this.finalizeBindings(instance);
    const { [name]: entry, [other]: wrong } = instance.exports;
    if (entry !== undefined || name === '_start') validateFunction(entry, `instance.exports.${name}`);
    validateUndefined(wrong, `instance.exports.${other}`);
    return entry;
  }

  start(instance) {
    const main = this.#entry(instance, '_start', '_initialize');
    let code = 0;
    try {
      main();
    } catch (thrown) {
      if (!(thrown instanceof Exit)) throw thrown;
      ({ code } = thrown);
    }
    return code;
  }

  initialize(instance) {
    this.#entry(instance, '_initialize', '_start')?.();
  }

  getImportObject() {
    return { [this.#namespace]: this.wasiImport };
  }
}

module.exports = { WASI };
