'use strict';

// node:console: the Console class, and the global console, which writes to the process's own streams (asked for when
// first written to).

const { codes, isStackOverflowError } = require('internal/errors');
const { validateArray, validateObject, validateOneOf, validateInteger } = require('internal/validators');
const { inspect, formatWithOptions } = require('internal/util/inspect');
const types = require('internal/util/types');
const channels = require('internal/console_channels');

const kGroupIndent = Symbol('kGroupIndent');
const kGroupIndentationWidth = Symbol('kGroupIndentWidth');
const kColorMode = Symbol('kColorMode');
const kCounts = Symbol('counts');
const kTimers = Symbol('kTimers');
const kMaxGroupIndentation = 1000;
const noop = () => {};
const noColor = {};
const withColor = { colors: true };

const now = () => performance.now();
const optionsMap = new WeakMap();

function Console(options) {
  if (!new.target) return Reflect.construct(Console, arguments);
  if (!options || typeof options.write === 'function') {
    options = { stdout: options, stderr: arguments[1], ignoreErrors: arguments[2] };
  }
  const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation } = options;
  if (!stdout || typeof stdout.write !== 'function') throw new codes.ERR_CONSOLE_WRITABLE_STREAM('stdout');
  if (!stderr || typeof stderr.write !== 'function') throw new codes.ERR_CONSOLE_WRITABLE_STREAM('stderr');
  validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
  if (groupIndentation !== undefined) validateInteger(groupIndentation, 'groupIndentation', 0, kMaxGroupIndentation);
  if (inspectOptions !== undefined) {
    if (inspectOptions instanceof Map) {
      for (const each of inspectOptions.values()) checkColors(each, options);
    } else {
      validateObject(inspectOptions, 'options.inspectOptions');
      checkColors(inspectOptions, options);
    }
    optionsMap.set(this, inspectOptions);
  }
  bindMethods(this);
  initialize(this, ignoreErrors, colorMode, groupIndentation);
  Object.defineProperties(this, {
    _stdout: { __proto__: null, value: stdout, enumerable: false, configurable: true, writable: true },
    _stderr: { __proto__: null, value: stderr, enumerable: false, configurable: true, writable: true },
  });
}

function checkColors(inspectOptions, options) {
  if (inspectOptions.colors !== undefined && options.colorMode !== undefined) {
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('options.inspectOptions.color', 'colorMode');
  }
}

// Subclasses may override a method: only what is Console's own is bound.
function bindMethods(self) {
  for (const key of Object.keys(Console.prototype)) {
    if (typeof self[key] !== 'function') continue;
    self[key] = self[key].bind(self);
    Object.defineProperty(self[key], 'name', { __proto__: null, value: key });
  }
}

function initialize(self, ignoreErrors, colorMode, groupIndentation = 2) {
  const hidden = (value) => ({ __proto__: null, value, writable: true, enumerable: false, configurable: true });
  Object.defineProperties(self, {
    _stdoutErrorHandler: hidden(makeErrorHandler(self, 'stdout')),
    _stderrErrorHandler: hidden(makeErrorHandler(self, 'stderr')),
    _ignoreErrors: hidden(Boolean(ignoreErrors)),
    _times: hidden(new Map()),
    [kCounts]: hidden(new Map()),
    [kTimers]: hidden(new Map()),
    [kColorMode]: hidden(colorMode),
    [kGroupIndent]: hidden(''),
    [kGroupIndentationWidth]: hidden(groupIndentation),
    [Symbol.toStringTag]: { __proto__: null, writable: false, enumerable: false, configurable: true, value: 'console' },
  });
}

function makeErrorHandler(self, name) {
  return (err) => {
    // The stream's own listeners tell of it; without any, it stays quiet.
    if (err !== null && err !== undefined && !streamOf(self, name)._writableState?.errorEmitted) {
      const stream = streamOf(self, name);
      if (stream.listenerCount('error') === 0) stream.once('error', noop);
    }
  };
}

function streamOf(self, name) {
  return name === 'stdout' ? self._stdout : self._stderr;
}

function write(self, name, text) {
  const stream = streamOf(self, name);
  const indent = self[kGroupIndent];
  if (indent.length !== 0) {
    if (text.includes('\n')) text = text.replace(/\n/g, `\n${indent}`);
    text = indent + text;
  }
  text += '\n';
  if (self._ignoreErrors === false) {
    stream.write(text);
    return;
  }
  // An error of the stream must not end the program because it logged something.
  try {
    if (stream.listenerCount === undefined || stream.listenerCount('error') === 0) stream.once?.('error', noop);
    stream.write(text, name === 'stdout' ? self._stdoutErrorHandler : self._stderrErrorHandler);
  } catch (err) {
    if (isStackOverflowError(err)) throw err;
  } finally {
    stream.removeListener?.('error', noop);
  }
}

function getInspectOptions(self, stream) {
  let color = self[kColorMode];
  if (color === 'auto') {
    color = require('internal/util/colors').shouldColorize(stream);
  }
  const options = optionsMap.get(self);
  if (options instanceof Map) {
    const own = options.get(stream);
    if (own !== undefined) return own.colors === undefined ? { ...own, colors: color } : own;
  } else if (options) {
    if (options.colors === undefined) options.colors = color;
    return options;
  }
  return color ? withColor : noColor;
}

function formatFor(self, name, args) {
  if (args.length === 1 && typeof args[0] === 'string') return args[0];
  return formatWithOptions(getInspectOptions(self, streamOf(self, name)), ...args);
}

function pad(value) {
  return `${value}`.padStart(2, '0');
}

function formatTime(ms) {
  let hours = 0;
  let minutes = 0;
  let seconds = 0;
  if (ms >= 1000) {
    if (ms >= 60000) {
      if (ms >= 3600000) {
        hours = Math.floor(ms / 3600000);
        ms %= 3600000;
      }
      minutes = Math.floor(ms / 60000);
      ms %= 60000;
    }
    seconds = ms / 1000;
  }
  if (hours !== 0 || minutes !== 0) {
    const [whole, part] = seconds.toFixed(3).split('.');
    const text = hours !== 0 ? `${hours}:${pad(minutes)}` : minutes;
    return `${text}:${pad(whole)}.${part} (${hours !== 0 ? 'h:m' : ''}m:ss.mmm)`;
  }
  if (seconds !== 0) return `${seconds.toFixed(3)}s`;
  return `${Number(ms.toFixed(3))}ms`;
}

function timeLog(self, method, label, data) {
  label = `${label}`;
  const start = self[kTimers].get(label);
  if (start === undefined) {
    process.emitWarning(`No such label '${label}' for console.${method}()`);
    return false;
  }
  const text = formatTime(now() - start);
  if (data === undefined) self.log('%s: %s', label, text);
  else self.log('%s: %s', label, text, ...data);
  return true;
}

const isArray = (value) => Array.isArray(value) || types.isTypedArray(value);
const indexColumn = '(index)';
const keyColumn = 'Key';
const valuesColumn = 'Values';
const iterationColumn = '(iteration index)';

const consoleMethods = {
  log(...args) {
    if (channels.any) channels.log?.publish(args);
    write(this, 'stdout', formatFor(this, 'stdout', args));
  },

  warn(...args) {
    if (channels.any) channels.warn?.publish(args);
    write(this, 'stderr', formatFor(this, 'stderr', args));
  },

  error(...args) {
    if (channels.any) channels.error?.publish(args);
    write(this, 'stderr', formatFor(this, 'stderr', args));
  },

  dir(object, options) {
    write(this, 'stdout', inspect(object, { customInspect: false, ...getInspectOptions(this, this._stdout), ...options }));
  },

  time(label = 'default') {
    label = `${label}`;
    if (this[kTimers].has(label)) {
      process.emitWarning(`Label '${label}' already exists for console.time()`);
      return;
    }
    this[kTimers].set(label, now());
  },

  timeEnd(label = 'default') {
    if (timeLog(this, 'timeEnd', label, undefined)) this[kTimers].delete(`${label}`);
  },

  timeLog(label = 'default', ...data) {
    timeLog(this, 'timeLog', label, data);
  },

  trace: function trace(...args) {
    const err = { name: 'Trace', message: formatFor(this, 'stderr', args) };
    Error.captureStackTrace?.(err, trace);
    this.error(err.stack ?? `Trace: ${err.message}`);
  },

  assert(expression, ...args) {
    if (expression) return;
    if (typeof args[0] === 'string') {
      args[0] = `Assertion failed: ${args[0]}`;
      this.warn(...args);
    } else {
      this.warn('Assertion failed', ...args);
    }
  },

  clear() {
    // Only a terminal can be cleared.
    if (this._stdout.isTTY && process.env.TERM !== 'dumb') this._stdout.write('\u001b[1;1H\u001b[0J');
  },

  count(label = 'default') {
    label = `${label}`;
    const count = (this[kCounts].get(label) ?? 0) + 1;
    this[kCounts].set(label, count);
    this.log(`${label}: ${count}`);
  },

  countReset(label = 'default') {
    label = `${label}`;
    if (!this[kCounts].has(label)) {
      process.emitWarning(`Count for '${label}' does not exist`);
      return;
    }
    this[kCounts].delete(label);
  },

  group(...data) {
    if (data.length > 0) Reflect.apply(this.log, this, data);
    let indent = this[kGroupIndent];
    indent += ' '.repeat(this[kGroupIndentationWidth]);
    this[kGroupIndent] = indent;
  },

  groupEnd() {
    const indent = this[kGroupIndent];
    this[kGroupIndent] = indent.slice(0, indent.length - this[kGroupIndentationWidth]);
  },

  table(tabularData, properties) {
    if (tabularData === null || typeof tabularData !== 'object') return this.log(tabularData);
    if (properties !== undefined) validateArray(properties, 'properties');
    const final = (keys, columns) => this.log(require('internal/console_table')(keys, columns));
    const show = (value) => {
      const depth = value !== null && typeof value === 'object' && !isArray(value) && Object.keys(value).length > 2 ? -1 : 0;
      return inspect(value, { maxArrayLength: 3, breakLength: Infinity, ...getInspectOptions(this, this._stdout), depth });
    };
    const indexOf = (rows) => Array.from({ length: rows }, (_, i) => show(i));

    const mapIterator = types.isMapIterator(tabularData);
    let isKeyValue = false;
    let i = 0;
    if (mapIterator) {
      const preview = internalBinding('util').previewEntries?.(tabularData, true) ?? [[], false];
      tabularData = preview[0];
      isKeyValue = preview[1];
    }
    if (isKeyValue || types.isMap(tabularData)) {
      const keys = [];
      const values = [];
      let length = 0;
      if (mapIterator) {
        for (; i < tabularData.length / 2; ++i) {
          keys.push(show(tabularData[i * 2]));
          values.push(show(tabularData[i * 2 + 1]));
          length++;
        }
      } else {
        for (const [key, value] of tabularData) {
          keys.push(show(key));
          values.push(show(value));
          length++;
        }
      }
      return final([iterationColumn, keyColumn, valuesColumn], [indexOf(length), keys, values]);
    }
    const setIterator = types.isSetIterator(tabularData);
    if (setIterator) tabularData = internalBinding('util').previewEntries?.(tabularData) ?? [];
    if (setIterator || mapIterator || types.isSet(tabularData)) {
      const values = [];
      let length = 0;
      for (const value of tabularData) {
        values.push(show(value));
        length++;
      }
      return final([iterationColumn, valuesColumn], [indexOf(length), values]);
    }

    const map = { __proto__: null };
    let hasPrimitives = false;
    const valuesKeyArray = [];
    const indexKeyArray = Object.keys(tabularData);
    for (; i < indexKeyArray.length; i++) {
      const item = tabularData[indexKeyArray[i]];
      const primitive = item === null || (typeof item !== 'function' && typeof item !== 'object');
      if (primitive) {
        hasPrimitives = true;
        valuesKeyArray[i] = show(item);
      } else {
        for (const key of properties ?? Object.keys(item)) {
          map[key] ??= [];
          if ((primitive && properties) || !Object.hasOwn(item, key)) map[key][i] = '';
          else map[key][i] = show(item[key]);
        }
      }
    }
    const keys = Object.keys(map);
    const columns = Object.values(map);
    if (hasPrimitives) {
      keys.push(valuesColumn);
      columns.push(valuesKeyArray);
    }
    keys.unshift(indexColumn);
    columns.unshift(indexKeyArray);
    return final(keys, columns);
  },
};
consoleMethods.debug = function debug(...args) {
  if (channels.any) channels.debug?.publish(args);
  write(this, 'stdout', formatFor(this, 'stdout', args));
};
consoleMethods.info = function info(...args) {
  if (channels.any) channels.info?.publish(args);
  write(this, 'stdout', formatFor(this, 'stdout', args));
};
consoleMethods.dirxml = consoleMethods.log;
consoleMethods.groupCollapsed = consoleMethods.group;

for (const name of [
  'log', 'warn', 'dir', 'time', 'timeEnd', 'timeLog', 'trace', 'assert', 'clear', 'count', 'countReset', 'group', 'groupEnd', 'table', 'debug', 'info',
  'dirxml', 'error', 'groupCollapsed',
]) {
  Console.prototype[name] = consoleMethods[name];
}

// ---------------------------------------------------------------- the global console

const globalConsole = Object.create({});
for (const name of Reflect.ownKeys(Console.prototype)) {
  if (name === 'constructor') continue;
  const descriptor = Reflect.getOwnPropertyDescriptor(Console.prototype, name);
  if (typeof descriptor.value === 'function') {
    descriptor.value = descriptor.value.bind(globalConsole);
    Object.defineProperty(descriptor.value, 'name', { __proto__: null, value: name });
  }
  Reflect.defineProperty(globalConsole, name, descriptor);
}
initialize(globalConsole, true, 'auto');
for (const name of ['stdout', 'stderr']) {
  let stream;
  Object.defineProperty(globalConsole, `_${name}`, {
    __proto__: null,
    enumerable: false,
    configurable: true,
    get() {
      return stream ?? process[name];
    },
    set(value) {
      stream = value;
    },
  });
}
Object.defineProperty(globalConsole, 'Console', { __proto__: null, value: Console, writable: true, enumerable: true, configurable: true });
for (const name of ['profile', 'profileEnd', 'timeStamp', 'context', 'createTask']) {
  globalConsole[name] = { [name]() {} }[name];
}
Object.defineProperty(Console, Symbol.hasInstance, {
  __proto__: null,
  value(instance) {
    return instance !== null && typeof instance === 'object' && instance[kGroupIndent] !== undefined;
  },
});

module.exports = globalConsole;
