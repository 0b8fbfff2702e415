'use strict';

// The module `console`: the class Console, and the global console, which gets the process's streams
// when it first writes.

const { codes } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateInteger } = require('internal/validators');
const { inspect } = require('internal/util/inspect');
const { formatDuration, Printer, requireWritable } = require('internal/console/printer');
const { consoleChannels: channels } = require('internal/state');

const kPrinter = Symbol('printer');
const kWidestGroup = 1000;

const hidden = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true });

function checkOptions({ colorMode, inspectOptions, groupIndentation }) {
  if (colorMode !== undefined) validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) validateInteger(groupIndentation, 'groupIndentation', 0, kWidestGroup);
  if (inspectOptions === undefined) return;
  if (!(inspectOptions instanceof Map)) validateObject(inspectOptions, 'options.inspectOptions');
  const all = inspectOptions instanceof Map ? [...inspectOptions.values()] : [inspectOptions];
  if (colorMode !== undefined && all.some((each) => each.colors !== undefined)) {
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
  }
}

// new Console({ stdout, stderr, ... }), or new Console(stdout, stderr, ignoreErrors)
function Console(...args) {
  if (new.target === undefined) return Reflect.construct(Console, args);
  const [first, second, third] = args;
  const isOptions = first && typeof first.write !== 'function';
  const options = isOptions ? first : { stdout: first, stderr: second, ignoreErrors: third };
  const { stdout, stderr = stdout } = options;
  requireWritable(stdout, 'stdout');
  requireWritable(stderr, 'stderr');
  checkOptions(options);
  for (const name of Object.keys(Console.prototype)) bindMethod(this, name, this[name]);
  Object.defineProperties(this, { _stdout: hidden(stdout), _stderr: hidden(stderr) });
  furnish(this, options);
}

// Methods can be called without their console.
function bindMethod(console, name, method) {
  if (typeof method !== 'function') return;
  const bound = method.bind(console);
  Object.defineProperty(bound, 'name', { __proto__: null, value: name });
  console[name] = bound;
}

function furnish(console, options) {
  // The streams are read when they are used: a program may replace them.
  const printer = new Printer(
    {
      get stdout() {
        return console._stdout;
      },
      get stderr() {
        return console._stderr;
      },
    },
    options,
  );
  Object.defineProperties(console, {
    [kPrinter]: hidden(printer),
    _ignoreErrors: {
      __proto__: null,
      get: () => printer.ignoresErrors,
      set: (value) => {
        printer.ignoresErrors = value;
      },
      enumerable: false,
      configurable: true,
    },
    _times: hidden(printer.started),
    [Symbol.toStringTag]: { __proto__: null, value: 'console', writable: false, enumerable: false, configurable: true },
  });
}

// ---- methods ----

// Prints a line, and publishes it to subscribers.
function printing(name, stream) {
  return {
    [name](...args) {
      if (channels.any) channels[name]?.publish(args);
      const printer = this[kPrinter];
      printer.print(stream, printer.format(stream, args));
    },
  }[name];
}

// Labels that are unknown, or in use already, cause a warning.
function tellTime(console, method, label, data) {
  const start = console[kPrinter].started.get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for console.${method}()`);
    return;
  }
  const text = formatDuration(performance.now() - start);
  console.log('%s: %s', label, text, ...data);
}

const log = printing('log', 'stdout');

function group(...data) {
  if (data.length > 0) this.log(...data);
  this[kPrinter].openGroup();
}

Object.assign(Console.prototype, {
  log,
  warn: printing('warn', 'stderr'),

  dir(object, options) {
    const printer = this[kPrinter];
    printer.print('stdout', inspect(object, { customInspect: false, ...printer.optionsFor('stdout'), ...options }));
  },

  time(label = 'default') {
    const { started } = this[kPrinter];
    const key = `${label}`;
    if (started.has(key)) process.emitWarning(`Label '${key}' already exists for console.time()`);
    else started.set(key, performance.now());
  },

  timeEnd(label = 'default') {
    tellTime(this, 'timeEnd', `${label}`, []);
    this[kPrinter].started.delete(`${label}`);
  },

  timeLog(label = 'default', ...data) {
    tellTime(this, 'timeLog', `${label}`, data);
  },

  trace: function trace(...args) {
    const holder = { name: 'Trace', message: this[kPrinter].format('stderr', args) };
    Error.captureStackTrace(holder, trace);
    this.error(holder.stack);
  },

  assert(condition, ...args) {
    if (condition) return;
    const [first, ...rest] = args;
    if (typeof first === 'string') this.warn(`Assertion failed: ${first}`, ...rest);
    else this.warn('Assertion failed', ...args);
  },

  clear() {
    const { stdout } = this[kPrinter].streams;
    // to the corner, and all below
    if (stdout.isTTY && process.env.TERM !== 'dumb') stdout.write('\u001b[1;1H\u001b[0J');
  },

  count(label = 'default') {
    const { counts } = this[kPrinter];
    const key = `${label}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    this.log(`${key}: ${counts.get(key)}`);
  },

  countReset(label = 'default') {
    if (!this[kPrinter].counts.delete(`${label}`)) process.emitWarning(`Count for '${label}' does not exist`);
  },

  group,

  groupEnd() {
    this[kPrinter].closeGroup();
  },

  table(data, properties) {
    if (typeof data !== 'object' || data === null) {
      this.log(data);
      return;
    }
    if (properties !== undefined) validateArray(properties, 'properties');
    this.log(require('internal/console/table')(data, properties, this[kPrinter].optionsFor('stdout')));
  },

  debug: printing('debug', 'stdout'),
  info: printing('info', 'stdout'),
  dirxml: log,
  error: printing('error', 'stderr'),
  groupCollapsed: group,
});

Object.defineProperty(Console, Symbol.hasInstance, {
  __proto__: null,
  value: (instance) => typeof instance === 'object' && instance !== null && instance[kPrinter] !== undefined,
});

// ---- the global console ----

const globalConsole = Object.create({});
for (const name of Object.keys(Console.prototype)) bindMethod(globalConsole, name, Console.prototype[name]);
for (const name of ['stdout', 'stderr']) {
  let other;
  Object.defineProperty(globalConsole, `_${name}`, {
    get: () => other ?? process[name],
    set: (stream) => {
      other = stream;
    },
    enumerable: false,
    configurable: true,
  });
}
furnish(globalConsole, {});
Object.defineProperty(globalConsole, 'Console', {
  __proto__: null,
  value: Console,
  writable: true,
  enumerable: true,
  configurable: true,
});
// For inspectors; there is none.
for (const name of ['profile', 'profileEnd', 'timeStamp', 'context', 'createTask'])
  globalConsole[name] = { [name]() {} }[name];

module.exports = globalConsole;
