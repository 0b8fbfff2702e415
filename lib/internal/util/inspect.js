'use strict';

// util.inspect: a value as text, in Node's look. An object becomes a list of entries between two braces; the list is
// put on one line when it is short enough (`compact`, `breakLength`), and arrays with many entries are set in columns.
// `ctx` carries the options, the objects being shown (for circles) and the indentation.

const { isStackOverflowError } = require('internal/errors');
const { validateObject, validateString, kValidateObjectAllowArray } = require('internal/validators');
const types = require('internal/util/types');

const binding = internalBinding('util');
const customInspect = Symbol.for('nodejs.util.inspect.custom');

const hasOwn = Object.prototype.hasOwnProperty;
const isEnumerable = Object.prototype.propertyIsEnumerable;
const getOwnPropertyDescriptor = Object.getOwnPropertyDescriptor;
const functionToString = Function.prototype.toString;
const mapEntries = Map.prototype.entries;
const setValues = Set.prototype.values;
const mapSize = getOwnPropertyDescriptor(Map.prototype, 'size').get;
const setSize = getOwnPropertyDescriptor(Set.prototype, 'size').get;
const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const typedLength = getOwnPropertyDescriptor(typedArrayPrototype, 'length').get;
const typedTag = getOwnPropertyDescriptor(typedArrayPrototype, Symbol.toStringTag).get;
const setIteratorNext = Object.getPrototypeOf(new Set().values()).next;
const mapIteratorNext = Object.getPrototypeOf(new Map().entries()).next;

// What an entry of a list is: a property, an element of an array, a further property of an array.
const kObjectType = 0;
const kArrayType = 1;
const kArrayExtrasType = 2;
const kMinLineWidth = 16;
const kLargeOutput = 2 ** 27;

// An option for assert: errors are shown by name and message alone.
const kWithoutStacks = Symbol('kWithoutStacks');

const builtinNames = new Set(Object.getOwnPropertyNames(globalThis).filter((name) => /^[A-Z][a-zA-Z0-9]+$/.test(name)));

const defaultOptions = Object.seal({
  showHidden: false,
  depth: 2,
  colors: false,
  customInspect: true,
  showProxy: false,
  maxArrayLength: 100,
  maxStringLength: 10000,
  breakLength: 80,
  compact: 3,
  sorted: false,
  getters: false,
  numericSeparator: false,
});

function getOwnNonIndexProperties(object, onlyEnumerable) {
  if (binding.getOwnNonIndexProperties !== undefined) return binding.getOwnNonIndexProperties(object, onlyEnumerable ? 2 : 0);
  const result = [];
  const all = onlyEnumerable ? Object.keys(object) : Object.getOwnPropertyNames(object);
  const { length } = object;
  // Indices come first: where none is missing, they need no look.
  const dense = all.length >= length && (length === 0 || all[length - 1] === `${length - 1}`);
  for (const key of dense ? all.slice(length) : all) {
    const index = key >>> 0;
    if (String(index) === key && index !== 4294967295) continue;
    result.push(key);
  }
  for (const symbol of Object.getOwnPropertySymbols(object)) {
    if (!onlyEnumerable || isEnumerable.call(object, symbol)) result.push(symbol);
  }
  return result;
}

// The target and the handler of a proxy, or undefined for all else.
function proxyDetails(value, showProxy) {
  if (binding.getProxyDetails === undefined) return undefined;
  return binding.getProxyDetails(value, showProxy);
}

// [entries, isKeyValue] of a map's or set's iterator, without moving it.
function previewEntries(value, isIterator) {
  if (binding.previewEntries !== undefined) return binding.previewEntries(value, isIterator);
  return isIterator ? [[], false] : [];
}

function internalClassName(value) {
  if (binding.getConstructorName !== undefined) return binding.getConstructorName(value);
  if (typeof value === 'function') return 'Function';
  if (Array.isArray(value)) return 'Array';
  for (const [check, name] of [
    ['isMap', 'Map'], ['isSet', 'Set'], ['isRegExp', 'RegExp'], ['isDate', 'Date'], ['isNativeError', 'Error'], ['isPromise', 'Promise'],
    ['isWeakMap', 'WeakMap'], ['isWeakSet', 'WeakSet'], ['isArrayBuffer', 'ArrayBuffer'],
  ]) {
    if (types[check](value)) return name;
  }
  const tag = typedTag.call(value);
  return tag ?? 'Object';
}

function inspect(value, opts) {
  const ctx = {
    budget: {},
    indentationLvl: 0,
    seen: [],
    currentDepth: 0,
    stylize: stylizeNoColor,
    showHidden: defaultOptions.showHidden,
    depth: defaultOptions.depth,
    colors: defaultOptions.colors,
    customInspect: defaultOptions.customInspect,
    showProxy: defaultOptions.showProxy,
    maxArrayLength: defaultOptions.maxArrayLength,
    maxStringLength: defaultOptions.maxStringLength,
    breakLength: defaultOptions.breakLength,
    compact: defaultOptions.compact,
    sorted: defaultOptions.sorted,
    getters: defaultOptions.getters,
    numericSeparator: defaultOptions.numericSeparator,
    userOptions: undefined,
    circular: undefined,
    noStacks: false,
  };
  if (arguments.length > 1) {
    if (arguments.length > 2) {
      if (arguments[2] !== undefined) ctx.depth = arguments[2];
      if (arguments.length > 3 && arguments[3] !== undefined) ctx.colors = arguments[3];
    }
    if (typeof opts === 'boolean') {
      ctx.showHidden = opts;
    } else if (opts) {
      for (const key of Object.keys(opts)) {
        if (hasOwn.call(defaultOptions, key) || key === 'stylize') ctx[key] = opts[key];
        else if (ctx.userOptions === undefined) ctx.userOptions = opts;
      }
      // A custom function's own options come back to it.
      ctx.userOptions = opts;
    }
  }
  if (opts?.[kWithoutStacks]) ctx.noStacks = true;
  if (ctx.colors) ctx.stylize = stylizeWithColor;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}
inspect.custom = customInspect;

Object.defineProperty(inspect, 'defaultOptions', {
  __proto__: null,
  get() {
    return defaultOptions;
  },
  set(options) {
    validateObject(options, 'options');
    Object.assign(defaultOptions, options);
  },
});

const defaultForeground = 39;
const defaultBackground = 49;
inspect.colors = {
  __proto__: null,
  reset: [0, 0],
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  blink: [5, 25],
  inverse: [7, 27],
  hidden: [8, 28],
  strikethrough: [9, 29],
  doubleunderline: [21, 24],
};
function addColors(names, first, reset) {
  names.forEach((name, i) => {
    inspect.colors[name] = [first + i, reset];
  });
}
const plainColors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const capitalized = (name) => name[0].toUpperCase() + name.slice(1);
addColors(plainColors, 30, defaultForeground);
addColors(plainColors.map((name) => `bg${capitalized(name)}`), 40, defaultBackground);
inspect.colors.framed = [51, 54];
inspect.colors.overlined = [53, 55];
addColors(['gray', ...plainColors.slice(1).map((name) => `${name}Bright`)], 90, defaultForeground);
addColors(['bgGray', ...plainColors.slice(1).map((name) => `bg${capitalized(name)}Bright`)], 100, defaultBackground);
function alias(target, name) {
  Object.defineProperty(inspect.colors, name, {
    __proto__: null,
    get() {
      return this[target];
    },
    set(value) {
      this[target] = value;
    },
    configurable: true,
    enumerable: false,
  });
}
alias('gray', 'grey');
alias('gray', 'blackBright');
alias('bgGray', 'bgGrey');
alias('bgGray', 'bgBlackBright');
alias('dim', 'faint');
alias('strikethrough', 'crossedout');
alias('strikethrough', 'strikeThrough');
alias('strikethrough', 'crossedOut');
alias('hidden', 'conceal');
alias('inverse', 'swapColors');
alias('inverse', 'swapcolors');
alias('doubleunderline', 'doubleUnderline');

inspect.styles = Object.assign({ __proto__: null }, {
  special: 'cyan',
  number: 'yellow',
  bigint: 'yellow',
  boolean: 'yellow',
  undefined: 'grey',
  null: 'bold',
  string: 'green',
  symbol: 'green',
  date: 'magenta',
  regexp: highlightRegExp,
  module: 'underline',
});

function stylizeWithColor(text, styleType) {
  const style = inspect.styles[styleType];
  if (style === undefined) return text;
  if (typeof style === 'function') return style(text);
  const color = inspect.colors[style];
  if (color === undefined) return text;
  return `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
}

function stylizeNoColor(text) {
  return text;
}

highlightRegExp.colors = ['green', 'red', 'yellow', 'cyan', 'magenta'];

// A regular expression in colours: each group is one colour further than what is around it.
function highlightRegExp(source) {
  let palette = Array.isArray(highlightRegExp.colors) ? highlightRegExp.colors : [];
  palette = palette.map((name) => inspect.colors[name]).filter(Boolean);
  if (palette.length === 0) palette = ['green', 'red', 'yellow', 'cyan', 'magenta'].map((name) => inspect.colors[name]);
  const paint = (text, level) => {
    const color = palette[level % palette.length];
    return `\u001b[${color[0]}m${text}\u001b[${color[1]}m`;
  };
  const flagsAt = source.lastIndexOf('/');
  const end = flagsAt <= 0 ? source.length : flagsAt;
  let out = paint('/', 0);
  let depth = 1;
  let i = 1;
  let inClass = false;
  const take = (text, level) => {
    out += paint(text, level);
    i += text.length;
  };
  while (i < end) {
    const c = source[i];
    const rest = source.slice(i, end);
    let m;
    if (c === '\\') {
      if ((m = /^\\[pP]\{/.exec(rest))) {
        const close = rest.indexOf('}');
        const inner = rest.slice(m[0].length, close === -1 ? undefined : close);
        take(m[0], depth);
        const equals = inner.indexOf('=');
        if (equals === -1) {
          take(inner, depth + 1);
        } else {
          take(inner.slice(0, equals), depth + 1);
          take('=', depth);
          take(inner.slice(equals + 1), depth + 2);
        }
        if (close !== -1) take('}', depth);
      } else if ((m = /^\\k<([^>]*)>/.exec(rest))) {
        take('\\k<', depth - 1);
        take(m[1], depth);
        take('>', depth - 1);
      } else if ((m = /^\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[0-9]+|[^])/.exec(rest))) {
        take(m[0], depth + 1);
      } else {
        take(c, depth + 1);
      }
    } else if (inClass) {
      if (c === ']') {
        depth--;
        inClass = false;
        take(']', depth);
      } else if (c === '-' && source[i - 1] !== '[' && source[i + 1] !== ']') {
        take('-', depth - 1);
      } else {
        take(c, depth);
      }
    } else if (c === '[') {
      take(source[i + 1] === '^' ? '[^' : '[', depth);
      depth++;
      inClass = true;
    } else if (c === '(') {
      if ((m = /^\((\?<)(?![=!])([^>]*)>/.exec(rest))) {
        take('(', depth);
        take('?<', depth);
        take(m[2], depth + 1);
        take('>', depth);
      } else if ((m = /^\(\?(?:[:=!]|<[=!]|[a-z]*(?:-[a-z]+)?:)/.exec(rest))) {
        take('(', depth);
        take(m[0].slice(1), depth);
      } else {
        take('(', depth);
      }
      depth += 2;
    } else if (c === ')') {
      depth = Math.max(1, depth - 2);
      take(')', depth);
    } else if (c === '{' && (m = /^\{(\d+)(?:(,)(\d*))?\}/.exec(rest))) {
      take('{', depth);
      take(m[1], depth + 2);
      if (m[2]) take(',', depth + 1);
      if (m[3]) take(m[3], depth + 2);
      take('}', depth);
    } else if ('*+?|^$'.includes(c)) {
      take(c, depth + 3);
    } else if (c === '.') {
      take(c, depth + 2);
    } else {
      take(c, depth + 1);
    }
  }
  out += paint('/', 0);
  if (flagsAt > 0 && flagsAt + 1 < source.length) out += paint(source.slice(flagsAt + 1), 1);
  return out;
}

// ---------------------------------------------------------------- values

function formatValue(ctx, value, recurseTimes, typedArray) {
  if (typeof value !== 'object' && typeof value !== 'function' && !isUndetectable(value)) {
    return formatPrimitive(ctx.stylize, value, ctx);
  }
  if (value === null) return ctx.stylize('null', 'null');
  const context = value;
  let proxy = proxyDetails(value, !!ctx.showProxy);
  let layers = 0;
  if (proxy !== undefined) {
    if (proxy === null || proxy[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
    if (ctx.showProxy) return formatProxy(ctx, proxy, recurseTimes);
    do {
      layers++;
      value = proxy;
      proxy = proxyDetails(value, false);
      if (proxy === null) return ctx.stylize('<Revoked Proxy>', 'special');
    } while (proxy !== undefined);
    proxy = value;
  }
  if (ctx.customInspect) {
    const maybeCustom = value[customInspect];
    if (typeof maybeCustom === 'function' && maybeCustom !== inspect) {
      // The object itself may be the constructor's prototype: its custom function is meant for instances.
      const own = getOwnPropertyDescriptor(value, 'constructor');
      const isPrototype = own !== undefined && own.value?.prototype === value;
      if (!isPrototype) {
        const depth = ctx.depth === null ? null : ctx.depth - recurseTimes;
        const isCrossContext = proxy !== undefined || !(context instanceof Object);
        const result = Reflect.apply(maybeCustom, context, [depth, userOptions(ctx, isCrossContext), inspect]);
        if (result !== context) {
          if (typeof result !== 'object') return `${result}`;
          return formatValue(ctx, result, recurseTimes).replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
        }
      }
    }
  }
  if (ctx.seen.includes(value)) {
    let index = 1;
    if (ctx.circular === undefined) {
      ctx.circular = new Map();
      ctx.circular.set(value, index);
    } else {
      index = ctx.circular.get(value);
      if (index === undefined) {
        index = ctx.circular.size + 1;
        ctx.circular.set(value, index);
      }
    }
    return ctx.stylize(`[Circular *${index}]`, 'special');
  }
  const text = formatRaw(ctx, value, recurseTimes, typedArray);
  if (layers === 0) return text;
  return ctx.stylize('Proxy(', 'special').repeat(layers) + text + ctx.stylize(')', 'special').repeat(layers);
}

function isUndetectable(value) {
  return typeof value === 'undefined' && value !== undefined;
}

function userOptions(ctx, isCrossContext) {
  const options = {
    stylize: ctx.stylize,
    showHidden: ctx.showHidden,
    depth: ctx.depth,
    colors: ctx.colors,
    customInspect: ctx.customInspect,
    showProxy: ctx.showProxy,
    maxArrayLength: ctx.maxArrayLength,
    maxStringLength: ctx.maxStringLength,
    breakLength: ctx.breakLength,
    compact: ctx.compact,
    sorted: ctx.sorted,
    getters: ctx.getters,
    numericSeparator: ctx.numericSeparator,
    ...ctx.userOptions,
  };
  if (isCrossContext) {
    Object.setPrototypeOf(options, null);
    for (const key of Object.keys(options)) {
      if ((typeof options[key] === 'object' || typeof options[key] === 'function') && options[key] !== null) delete options[key];
    }
    options.stylize = Object.setPrototypeOf((value, flavour) => {
      let stylized;
      try {
        stylized = `${ctx.stylize(value, flavour)}`;
      } catch {
        // The value stays as it is.
      }
      return typeof stylized === 'string' ? stylized : value;
    }, null);
  }
  return options;
}

function formatProxy(ctx, proxy, recurseTimes) {
  if (recurseTimes > ctx.depth && ctx.depth !== null) return ctx.stylize('Proxy [Array]', 'special');
  recurseTimes += 1;
  ctx.indentationLvl += 2;
  const entries = [formatValue(ctx, proxy[0], recurseTimes), formatValue(ctx, proxy[1], recurseTimes)];
  ctx.indentationLvl -= 2;
  return reduceToSingleString(ctx, entries, '', ['Proxy [', ']'], kArrayExtrasType, recurseTimes);
}

function isInstanceOf(object, constructor) {
  try {
    return object instanceof constructor;
  } catch {
    return false;
  }
}

function getConstructorName(object, ctx, recurseTimes, protoProps) {
  let firstProto;
  const original = object;
  while (object || isUndetectable(object)) {
    const descriptor = getOwnPropertyDescriptor(object, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' && descriptor.value.name !== '' &&
        isInstanceOf(original, descriptor.value)) {
      if (protoProps !== undefined && (firstProto !== object || !builtinNames.has(descriptor.value.name))) {
        addPrototypeProperties(ctx, original, firstProto || original, recurseTimes, protoProps);
      }
      return String(descriptor.value.name);
    }
    object = Object.getPrototypeOf(object);
    if (firstProto === undefined) firstProto = object;
  }
  if (firstProto === null) return null;
  const name = internalClassName(original);
  if (recurseTimes > ctx.depth && ctx.depth !== null) return `${name} <Complex prototype>`;
  const protoName = getConstructorName(firstProto, ctx, recurseTimes + 1, protoProps);
  if (protoName === null) {
    return `${name} <${inspect(firstProto, { ...contextOptions(ctx), customInspect: false, depth: -1 })}>`;
  }
  return `${name} <${protoName}>`;
}

function contextOptions(ctx) {
  const options = {};
  for (const key of Object.keys(defaultOptions)) options[key] = ctx[key];
  return options;
}

// With showHidden, what a class's prototypes give is shown too.
function addPrototypeProperties(ctx, main, object, recurseTimes, output) {
  let depth = 0;
  let keys;
  let keySet;
  do {
    if (depth !== 0 || main === object) {
      object = Object.getPrototypeOf(object);
      if (object === null) break;
      const descriptor = getOwnPropertyDescriptor(object, 'constructor');
      if (descriptor !== undefined && typeof descriptor.value === 'function' && builtinNames.has(descriptor.value.name)) break;
    }
    if (depth === 0) {
      keySet = new Set();
    } else {
      for (const key of keys) keySet.add(key);
    }
    keys = Reflect.ownKeys(object);
    ctx.seen.push(main);
    for (const key of keys) {
      if (key === 'constructor' || hasOwn.call(main, key) || (depth !== 0 && keySet.has(key))) continue;
      const desc = getOwnPropertyDescriptor(object, key);
      if (typeof desc.value === 'function') continue;
      const value = formatProperty(ctx, object, recurseTimes, key, kObjectType, desc, main);
      output.push(ctx.colors ? `\u001b[2m${value}\u001b[22m` : value);
    }
    ctx.seen.pop();
  } while (++depth !== 3);
}

function getPrefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    if (tag !== '' && fallback !== tag) return `[${fallback}${size}: null prototype] [${tag}] `;
    return `[${fallback}${size}: null prototype] `;
  }
  if (tag !== '' && constructor !== tag) return `${constructor}${size} [${tag}] `;
  return `${constructor}${size} `;
}

function getKeys(value, showHidden) {
  let keys;
  const symbols = Object.getOwnPropertySymbols(value);
  if (showHidden) {
    keys = Object.getOwnPropertyNames(value);
    if (symbols.length !== 0) keys.push(...symbols);
    return keys;
  }
  try {
    keys = Object.keys(value);
  } catch {
    // A module whose bindings are not made yet.
    keys = Object.getOwnPropertyNames(value);
  }
  for (let i = 0; i < symbols.length; i++) {
    if (isEnumerable.call(value, symbols[i])) keys.push(symbols[i]);
  }
  return keys;
}

function formatRaw(ctx, value, recurseTimes, typedArray) {
  let keys;
  let protoProps;
  if (ctx.showHidden && (recurseTimes <= ctx.depth || ctx.depth === null)) protoProps = [];
  const constructor = getConstructorName(value, ctx, recurseTimes, protoProps);
  if (protoProps !== undefined && protoProps.length === 0) protoProps = undefined;
  let tag = value[Symbol.toStringTag];
  if (typeof tag !== 'string' || (tag !== '' && (ctx.showHidden ? hasOwn : isEnumerable).call(value, Symbol.toStringTag))) tag = '';

  let base = '';
  let formatter = formatNothing;
  let braces;
  let noIterator = true;
  let extrasType = kObjectType;
  const filterEnumerable = !ctx.showHidden;

  if (constructor === null || Symbol.iterator in value) {
    noIterator = false;
    if (Array.isArray(value)) {
      const prefix = constructor !== 'Array' || tag !== '' ? getPrefix(constructor, tag, 'Array', `(${value.length})`) : '';
      keys = getOwnNonIndexProperties(value, filterEnumerable);
      braces = [`${prefix}[`, ']'];
      if (value.length === 0 && keys.length === 0 && protoProps === undefined) return `${braces[0]}]`;
      extrasType = kArrayExtrasType;
      formatter = formatArray;
    } else if (types.isSet(value)) {
      const size = setSize.call(value);
      const prefix = getPrefix(constructor, tag, 'Set', `(${size})`);
      keys = getKeys(value, ctx.showHidden);
      formatter = formatSet;
      if (size === 0 && keys.length === 0 && protoProps === undefined) return `${prefix}{}`;
      braces = [`${prefix}{`, '}'];
    } else if (types.isMap(value)) {
      const size = mapSize.call(value);
      const prefix = getPrefix(constructor, tag, 'Map', `(${size})`);
      keys = getKeys(value, ctx.showHidden);
      formatter = formatMap;
      if (size === 0 && keys.length === 0 && protoProps === undefined) return `${prefix}{}`;
      braces = [`${prefix}{`, '}'];
    } else if (typedTag.call(value) !== undefined) {
      keys = getOwnNonIndexProperties(value, filterEnumerable);
      const fallback = constructor === null ? typedTag.call(value) : '';
      const size = typedLength.call(value);
      const prefix = getPrefix(constructor, tag, fallback, `(${size})`);
      braces = [`${prefix}[`, ']'];
      if (size === 0 && keys.length === 0 && protoProps === undefined && !ctx.showHidden) return `${braces[0]}]`;
      formatter = formatTypedArray;
      extrasType = kArrayExtrasType;
    } else if (types.isMapIterator(value)) {
      keys = getKeys(value, ctx.showHidden);
      braces = iteratorBraces('Map', tag);
      formatter = formatIterator.bind(null, braces);
    } else if (types.isSetIterator(value)) {
      keys = getKeys(value, ctx.showHidden);
      braces = iteratorBraces('Set', tag);
      formatter = formatIterator.bind(null, braces);
    } else {
      noIterator = true;
    }
  }
  if (noIterator) {
    keys = getKeys(value, ctx.showHidden);
    braces = ['{', '}'];
    if (typeof value === 'function') {
      base = getFunctionBase(ctx, value, constructor, tag);
      if (keys.length === 0 && protoProps === undefined) return ctx.stylize(base, 'special');
    } else if (types.isArgumentsObject(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'Arguments').replace(/^Object /, '[Arguments] ')}{`;
      if (keys.length === 0 && protoProps === undefined) return `${braces[0]}}`;
    } else if (constructor === 'Object' && !types.isNativeError(value) &&
      (Object.getPrototypeOf(value) === Object.prototype || !hasExoticBrand(value))) {
      if (tag !== '') braces[0] = `${getPrefix(constructor, tag, 'Object')}{`;
      if (keys.length === 0 && protoProps === undefined) return `${braces[0]}}`;
    } else if (types.isRegExp(value)) {
      base = RegExp.prototype.toString.call(constructor !== null ? value : new RegExp(value));
      const prefix = getPrefix(constructor, tag, 'RegExp');
      if (prefix !== 'RegExp ') base = `${prefix}${base}`;
      if ((keys.length === 0 && protoProps === undefined) || (recurseTimes > ctx.depth && ctx.depth !== null)) {
        return ctx.stylize(base, 'regexp');
      }
    } else if (types.isDate(value)) {
      base = Number.isNaN(Date.prototype.getTime.call(value)) ? Date.prototype.toString.call(value) : Date.prototype.toISOString.call(value);
      const prefix = getPrefix(constructor, tag, 'Date');
      if (prefix !== 'Date ') base = `${prefix}${base}`;
      if (keys.length === 0 && protoProps === undefined) return ctx.stylize(base, 'date');
    } else if (types.isNativeError(value)) {
      base = formatError(value, constructor, tag, ctx, keys);
      if (keys.length === 0 && protoProps === undefined) return base;
    } else if (types.isAnyArrayBuffer(value)) {
      const prefix = getPrefix(constructor, tag, types.isArrayBuffer(value) ? 'ArrayBuffer' : 'SharedArrayBuffer');
      if (typedArray === undefined) {
        formatter = formatArrayBuffer;
      } else if (keys.length === 0 && protoProps === undefined) {
        return `${prefix}{ [byteLength]: ${formatNumber(ctx.stylize, value.byteLength, false)} }`;
      } else {
        formatter = formatByteLength;
      }
      braces[0] = `${prefix}{`;
    } else if (types.isDataView(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'DataView')}{`;
      formatter = formatDataView;
    } else if (types.isPromise(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'Promise')}{`;
      formatter = formatPromise;
    } else if (types.isWeakSet(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'WeakSet')}{`;
      formatter = ctx.showHidden ? formatWeakSet : formatWeakCollection;
    } else if (types.isWeakMap(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'WeakMap')}{`;
      formatter = ctx.showHidden ? formatWeakMap : formatWeakCollection;
    } else if (types.isModuleNamespaceObject(value)) {
      braces[0] = `${getPrefix(constructor, tag, 'Module')}{`;
      formatter = formatNamespace.bind(null, keys);
    } else if (types.isBoxedPrimitive(value)) {
      base = getBoxedBase(value, ctx, keys, constructor, tag);
      if (keys.length === 0 && protoProps === undefined) return base;
    } else {
      if (keys.length === 0 && protoProps === undefined) {
        if (types.isExternal(value)) return ctx.stylize('[External: 0x0]', 'special');
        return `${getPrefix(constructor, tag, constructor === null ? internalClassName(value) : 'Object')}{}`;
      }
      braces[0] = `${getPrefix(constructor, tag, constructor === null ? internalClassName(value) : 'Object')}{`;
    }
  }

  if (recurseTimes > ctx.depth && ctx.depth !== null) {
    const name = getPrefix(constructor, tag, Array.isArray(value) ? 'Array' : 'Object').slice(0, -1);
    return ctx.stylize(constructor !== null ? `[${name}]` : name, 'special');
  }
  recurseTimes += 1;
  ctx.seen.push(value);
  ctx.currentDepth = recurseTimes;
  let output;
  const indentation = ctx.indentationLvl;
  try {
    output = formatter(ctx, value, recurseTimes);
    for (let i = 0; i < keys.length; i++) output.push(formatProperty(ctx, value, recurseTimes, keys[i], extrasType));
    if (protoProps !== undefined) output.push(...protoProps);
  } catch (err) {
    if (!isStackOverflowError(err)) throw err;
    ctx.seen.pop();
    ctx.indentationLvl = indentation;
    const name = getConstructorName(value, ctx, recurseTimes, undefined);
    return ctx.stylize(`[${(name ?? 'Object: null prototype')}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  if (ctx.circular !== undefined) {
    const reference = ctx.circular.get(value);
    if (reference !== undefined) {
      const text = ctx.stylize(`<ref *${reference}>`, 'special');
      if (ctx.compact !== true) base = base === '' ? text : `${text} ${base}`;
      else braces[0] = `${text} ${braces[0]}`;
    }
  }
  ctx.seen.pop();
  if (ctx.sorted) {
    const comparator = ctx.sorted === true ? undefined : ctx.sorted;
    if (extrasType === kObjectType) {
      output.sort(comparator);
    } else if (keys.length > 1) {
      const sorted = output.slice(output.length - keys.length).sort(comparator);
      output.splice(output.length - keys.length, keys.length, ...sorted);
    }
  }
  const result = reduceToSingleString(ctx, output, base, braces, extrasType, recurseTimes, value);
  const budget = ctx.budget[ctx.indentationLvl] || 0;
  const newLength = budget + result.length;
  ctx.budget[ctx.indentationLvl] = newLength;
  // Very large output is cut at depth zero, so that no string grows without bound.
  if (newLength > kLargeOutput) ctx.depth = -1;
  return result;
}

// A plain-looking object that has a built-in's slots after all (its prototype was changed).
function hasExoticBrand(value) {
  return types.isDate(value) || types.isRegExp(value) || types.isPromise(value) || types.isAnyArrayBuffer(value) || types.isDataView(value) ||
    types.isWeakMap(value) || types.isWeakSet(value) || types.isBoxedPrimitive(value);
}

function iteratorBraces(type, tag) {
  if (tag !== `${type} Iterator`) {
    if (tag !== '') tag += '] [';
    tag += `${type} Iterator`;
  }
  return [`[${tag}] {`, '}'];
}

function getBoxedBase(value, ctx, keys, constructor, tag) {
  let valueOf;
  let type;
  if (types.isNumberObject(value)) {
    valueOf = Number.prototype.valueOf;
    type = 'Number';
  } else if (types.isStringObject(value)) {
    valueOf = String.prototype.valueOf;
    type = 'String';
    // The characters are shown as the string, not as properties.
    keys.splice(0, value.length);
  } else if (types.isBooleanObject(value)) {
    valueOf = Boolean.prototype.valueOf;
    type = 'Boolean';
  } else if (types.isBigIntObject(value)) {
    valueOf = BigInt.prototype.valueOf;
    type = 'BigInt';
  } else {
    valueOf = Symbol.prototype.valueOf;
    type = 'Symbol';
  }
  let base = `[${type}`;
  if (type !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${formatPrimitive(stylizeNoColor, valueOf.call(value), ctx)}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  if (keys.length !== 0 || ctx.stylize === stylizeNoColor) return base;
  return ctx.stylize(base, type.toLowerCase());
}

const classStart = /^(\s+[^(]*?)\s*{/;
const commentsOrBreaks = /(\/\/.*?\n)|(\/\*[\s\S]*?\*\/)/g;

function getClassBase(value, constructor, tag) {
  const hasName = hasOwn.call(value, 'name');
  const name = (hasName && value.name) || '(anonymous)';
  let base = `class ${name}`;
  if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  if (constructor !== null) {
    const superName = Object.getPrototypeOf(value).name;
    if (superName) base += ` extends ${superName}`;
  } else {
    base += ' extends [null prototype]';
  }
  return `[${base}]`;
}

function getFunctionBase(ctx, value, constructor, tag) {
  const text = functionToString.call(value);
  if (text.startsWith('class') && text.endsWith('}')) {
    const slice = text.slice(5, -1);
    const bracket = slice.indexOf('{');
    if (bracket !== -1 && (!slice.slice(0, bracket).includes('(') || classStart.exec(slice.replace(commentsOrBreaks, '')) !== null)) {
      return getClassBase(value, constructor, tag);
    }
  }
  let type = 'Function';
  if (types.isGeneratorFunction(value)) type = `Generator${type}`;
  if (types.isAsyncFunction(value)) type = `Async${type}`;
  let base = `[${type}`;
  if (constructor === null) base += ' (null prototype)';
  base += value.name === '' || typeof value.name !== 'string' ? ' (anonymous)' : `: ${value.name}`;
  base += ']';
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  if (tag !== '' && constructor !== tag) base += ` [${tag}]`;
  return base;
}

// ---------------------------------------------------------------- errors

function getStackString(ctx, error) {
  if (ctx.noStacks) return Error.prototype.toString.call(error);
  let stack;
  try {
    stack = error.stack;
  } catch {
    // A stack that cannot be read: the error's own text does.
  }
  if (stack) {
    return typeof stack === 'string' ? stack : formatValue(ctx, stack, 0);
  }
  return Error.prototype.toString.call(error);
}

// A subclass without a name of its own is named by its constructor.
function improveStack(stack, constructor, name, tag) {
  let length = name.length;
  if (typeof name !== 'string') {
    stack = stack.replace(`${name}`, `${name} [${getPrefix(constructor, tag, 'Error').slice(0, -1)}]`);
  }
  if (constructor === null ||
      (name.endsWith('Error') && stack.startsWith(name) && (stack.length === length || stack[length] === ':' || stack[length] === '\n'))) {
    let fallback = 'Error';
    if (constructor === null) {
      const start = /^([A-Z][a-z_ A-Z0-9[\]()-]+)(?::|\n\s+at)/.exec(stack) || /^([a-z_A-Z0-9-]*Error)$/.exec(stack);
      fallback = (start && start[1]) || '';
      length = fallback.length;
      fallback ||= 'Error';
    }
    const prefix = getPrefix(constructor, tag, fallback).slice(0, -1);
    if (name !== prefix) {
      if (prefix.includes(name)) {
        stack = length === 0 ? `${prefix}: ${stack}` : `${prefix}${stack.slice(length)}`;
      } else {
        stack = `${prefix} [${name}]${stack.slice(length)}`;
      }
    }
  }
  return stack;
}

function removeDuplicateErrorKeys(ctx, keys, error, stack) {
  if (ctx.showHidden || keys.length === 0) return;
  for (const name of ['name', 'message', 'stack']) {
    const index = keys.indexOf(name);
    if (index === -1) continue;
    let value;
    try {
      value = error[name];
    } catch {
      continue;
    }
    if (typeof value !== 'string' || stack.includes(value)) keys.splice(index, 1);
  }
}

function markNodeModules(ctx, line) {
  let text = '';
  let position = 0;
  for (;;) {
    const found = line.indexOf('node_modules', position);
    if (found === -1) break;
    const before = line[found - 1];
    const after = line[found + 12];
    if ((before !== '/' && before !== '\\') || (after !== '/' && after !== '\\')) {
      text += line.slice(position, found + 12);
      position = found + 12;
      continue;
    }
    let end = line.indexOf(after, found + 13);
    if (line[found + 13] === '@' && end !== -1) end = line.indexOf(after, end + 1);
    if (end === -1) end = line.length;
    text += line.slice(position, found + 13) + ctx.stylize(line.slice(found + 13, end), 'module');
    position = end;
  }
  return text + line.slice(position);
}

function markWorkingDirectory(ctx, line, directory) {
  let start = line.indexOf(directory);
  if (start === -1) return line;
  let text = '';
  let length = directory.length;
  if (line.slice(start - 7, start) === 'file://') {
    start -= 7;
    length += 7;
  }
  const bracket = line[start - 1] === '(' ? start - 1 : start;
  const end = bracket !== start && line.endsWith(')') ? -1 : line.length;
  const placeEnd = start + length + 1;
  text += line.slice(0, bracket);
  text += ctx.stylize(line.slice(bracket, placeEnd), 'undefined');
  text += line.slice(placeEnd, end === -1 ? -1 : end);
  if (end === -1) text += ctx.stylize(')', 'undefined');
  return text;
}

const coreFrame = /^ {4}at (?:[^/\\(]+ \(|)node:(.+):\d+:\d+(?:\)|$)/;

function formatError(error, constructor, tag, ctx, keys) {
  binding.adoptError?.(error);
  let name;
  let message;
  try {
    name = error.name != null ? String(error.name) : 'Error';
  } catch {
    name = 'Error';
  }
  let stack = getStackString(ctx, error);
  removeDuplicateErrorKeys(ctx, keys, error, stack);
  if ('cause' in error && !keys.includes('cause')) keys.push('cause');
  try {
    if (Array.isArray(error.errors) && !keys.includes('errors')) keys.push('errors');
    message = error.message;
  } catch {
    // Not readable: not shown.
  }
  stack = improveStack(stack, constructor, name, tag);
  let position = (message && typeof message === 'string' && stack.indexOf(message)) || -1;
  if (position !== -1) position += message.length;
  const stackStart = stack.indexOf('\n    at', position);
  if (stackStart === -1) {
    stack = `[${stack}]`;
  } else {
    let head = stack.slice(0, stackStart);
    const lines = stack.slice(stackStart + 1).split('\n');
    // What the cause's parent has already shown at the end is not shown again.
    if (ctx.colors) {
      let directory;
      for (const line of lines) {
        const core = coreFrame.exec(line);
        if (core !== null) {
          head += `\n${ctx.stylize(line, 'undefined')}`;
        } else {
          head += '\n';
          let shown = markNodeModules(ctx, line);
          directory ??= process.cwd();
          shown = markWorkingDirectory(ctx, shown, directory);
          head += shown;
        }
      }
      stack = head;
    } else {
      stack = `${head}\n${lines.join('\n')}`;
    }
  }
  if (ctx.indentationLvl !== 0) stack = stack.replaceAll('\n', `\n${' '.repeat(ctx.indentationLvl)}`);
  return stack;
}

// ---------------------------------------------------------------- setting the text

function groupArrayElements(ctx, output, value) {
  let totalLength = 0;
  let maxLength = 0;
  let i = 0;
  let outputLength = output.length;
  if (ctx.maxArrayLength < output.length) outputLength--;
  const separatorSpace = 2;
  const lengths = new Array(outputLength);
  for (; i < outputLength; i++) {
    const length = getStringWidth(output[i], ctx.colors);
    lengths[i] = length;
    totalLength += length + separatorSpace;
    if (maxLength < length) maxLength = length;
  }
  const actualMax = maxLength + separatorSpace;
  if (actualMax * 3 + ctx.indentationLvl < ctx.breakLength && (totalLength / actualMax > 5 || maxLength <= 6)) {
    const averageBias = Math.sqrt(actualMax - totalLength / output.length);
    const width = Math.max(actualMax - 3 - averageBias, 1);
    const columns = Math.min(
      Math.round(Math.sqrt(2.5 * width * outputLength) / width),
      Math.floor((ctx.breakLength - ctx.indentationLvl) / actualMax),
      ctx.compact * 4,
      15,
    );
    if (columns <= 1) return output;
    const rows = [];
    const widths = [];
    for (i = 0; i < columns; i++) {
      let widest = 0;
      for (let j = i; j < outputLength; j += columns) {
        if (lengths[j] > widest) widest = lengths[j];
      }
      widths.push(widest + separatorSpace);
    }
    let padStart = false;
    if (value !== undefined) {
      padStart = true;
      for (i = 0; i < output.length; i++) {
        if (typeof value[i] !== 'number' && typeof value[i] !== 'bigint') {
          padStart = false;
          break;
        }
      }
    }
    for (i = 0; i < outputLength; i += columns) {
      const end = Math.min(i + columns, outputLength);
      let text = '';
      let j = i;
      for (; j < end - 1; j++) {
        const padding = widths[j - i] + output[j].length - lengths[j];
        text += padStart ? `${output[j]}, `.padStart(padding, ' ') : `${output[j]}, `.padEnd(padding, ' ');
      }
      if (padStart) {
        text += output[j].padStart(widths[j - i] + output[j].length - lengths[j] - separatorSpace, ' ');
      } else {
        text += output[j];
      }
      rows.push(text);
    }
    if (ctx.maxArrayLength < output.length) rows.push(output[outputLength]);
    output = rows;
  }
  return output;
}

function isBelowBreakLength(ctx, output, start, base) {
  let totalLength = output.length + start;
  if (totalLength + output.length > ctx.breakLength) return false;
  for (let i = 0; i < output.length; i++) {
    totalLength += ctx.colors ? removeColors(output[i]).length : output[i].length;
    if (totalLength > ctx.breakLength) return false;
  }
  return base === '' || !base.includes('\n');
}

// By concatenation: the engine keeps that as a tree, so a deep object's text is not copied once for each level.
function joinEntries(output, separator) {
  if (output.length === 0) return '';
  let text = output[0];
  for (let k = 1; k < output.length; k++) text += separator + output[k];
  return text;
}

function reduceToSingleString(ctx, output, base, braces, extrasType, recurseTimes, value) {
  if (ctx.compact !== true) {
    if (typeof ctx.compact === 'number' && ctx.compact >= 1) {
      const entries = output.length;
      if (extrasType === kArrayExtrasType && entries > 6) output = groupArrayElements(ctx, output, value);
      if (ctx.currentDepth - recurseTimes < ctx.compact && entries === output.length) {
        const start = output.length + ctx.indentationLvl + braces[0].length + base.length + 10;
        if (isBelowBreakLength(ctx, output, start, base)) {
          const joined = joinEntries(output, ', ');
          if (!joined.includes('\n')) return `${base ? `${base} ` : ''}${braces[0]} ${joined} ${braces[1]}`;
        }
      }
    }
    const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
    return `${base ? `${base} ` : ''}${braces[0]}${indentation}  ${joinEntries(output, `,${indentation}  `)}${indentation}${braces[1]}`;
  }
  if (isBelowBreakLength(ctx, output, 0, base)) {
    return `${braces[0]}${base ? ` ${base}` : ''} ${joinEntries(output, ', ')} ${braces[1]}`;
  }
  const indentation = `\n${' '.repeat(ctx.indentationLvl)}`;
  const lineBreak = base === '' && braces[0].length === 1 ? ' ' : `${base ? ` ${base}` : ''}${indentation}  `;
  return `${braces[0]}${lineBreak}${joinEntries(output, `,${indentation}  `)} ${braces[1]}`;
}

// ---------------------------------------------------------------- primitives

const escapeAll = /[\x00-\x1f\x27\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const escapeAllGlobal = new RegExp(escapeAll.source, 'g');
const escapeKeepSingle = /[\x00-\x1f\x5c\x7f-\x9f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const escapeKeepSingleGlobal = new RegExp(escapeKeepSingle.source, 'g');

function escapeCharacter(text) {
  const code = text.charCodeAt(0);
  switch (code) {
    case 8: return '\\b';
    case 9: return '\\t';
    case 10: return '\\n';
    case 12: return '\\f';
    case 13: return '\\r';
    case 39: return "\\'";
    case 92: return '\\\\';
    default:
      if (code > 0xff) return `\\u${code.toString(16)}`;
      return `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`;
  }
}

function quote(text) {
  let test = escapeAll;
  let replace = escapeAllGlobal;
  let mark = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) mark = '"';
    else if (!text.includes('`') && !text.includes('${')) mark = '`';
    if (mark !== "'") {
      test = escapeKeepSingle;
      replace = escapeKeepSingleGlobal;
    }
  }
  if (!test.test(text)) return `${mark}${text}${mark}`;
  return `${mark}${text.replace(replace, escapeCharacter)}${mark}`;
}

function separate(digits) {
  let result = '';
  let i = digits.length;
  const start = digits[0] === '-' ? 1 : 0;
  for (; i >= start + 4; i -= 3) result = `_${digits.slice(i - 3, i)}${result}`;
  return i === digits.length ? digits : `${digits.slice(0, i)}${result}`;
}

function separateFraction(digits) {
  let result = '';
  let i = 0;
  for (; i < digits.length - 3; i += 3) result += `${digits.slice(i, i + 3)}_`;
  return i === 0 ? digits : `${result}${digits.slice(i)}`;
}

function formatNumber(stylize, number, numericSeparator) {
  if (Object.is(number, -0)) return stylize('-0', 'number');
  const text = `${number}`;
  if (!numericSeparator || !Number.isFinite(number)) return stylize(text, 'number');
  const integer = Math.trunc(number);
  const integerText = String(integer);
  if (integer === number) {
    return stylize(integerText.includes('e') ? text : separate(integerText), 'number');
  }
  if (text.includes('e')) return stylize(text, 'number');
  const sign = integer === 0 && number < 0 ? '-' : '';
  return stylize(`${sign}${separate(integerText)}.${separateFraction(text.slice(text.indexOf('.') + 1))}`, 'number');
}

function formatBigInt(stylize, value, numericSeparator) {
  const text = String(value);
  return stylize(`${numericSeparator ? separate(text) : text}n`, 'bigint');
}

function formatPrimitive(stylize, value, ctx) {
  switch (typeof value) {
    case 'string': {
      let trailer = '';
      if (value.length > ctx.maxStringLength) {
        const remaining = value.length - ctx.maxStringLength;
        value = value.slice(0, ctx.maxStringLength);
        trailer = `... ${remaining} more character${remaining > 1 ? 's' : ''}`;
      }
      if (ctx.compact !== true && value.length > kMinLineWidth && value.length > ctx.breakLength - ctx.indentationLvl - 4) {
        return value.split(/(?<=\n)/).map((line) => stylize(quote(line), 'string')).join(` +\n${' '.repeat(ctx.indentationLvl + 2)}`) + trailer;
      }
      return stylize(quote(value), 'string') + trailer;
    }
    case 'number':
      return formatNumber(stylize, value, ctx.numericSeparator);
    case 'bigint':
      return formatBigInt(stylize, value, ctx.numericSeparator);
    case 'boolean':
      return stylize(`${value}`, 'boolean');
    case 'undefined':
      return stylize('undefined', 'undefined');
    default:
      return stylize(Symbol.prototype.toString.call(value), 'symbol');
  }
}

// ---------------------------------------------------------------- kinds of objects

function formatNothing() {
  return [];
}

function formatNamespace(keys, ctx, value, recurseTimes) {
  const output = new Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    try {
      output[i] = formatProperty(ctx, value, recurseTimes, keys[i], kObjectType);
    } catch (err) {
      if (!(err instanceof ReferenceError)) throw err;
      // A binding that is not initialized yet.
      const made = { [keys[i]]: '' };
      output[i] = formatProperty(ctx, made, recurseTimes, keys[i], kObjectType);
      const at = output[i].lastIndexOf(' ');
      output[i] = output[i].slice(0, at + 1) + ctx.stylize('<uninitialized>', 'special');
    }
  }
  keys.length = 0;
  return output;
}

function moreItems(remaining) {
  return `... ${remaining} more item${remaining > 1 ? 's' : ''}`;
}

function formatArray(ctx, value, recurseTimes) {
  const length = value.length;
  const outputLength = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = [];
  for (let i = 0; i < outputLength; i++) {
    if (!hasOwn.call(value, i)) return formatSparseArray(ctx, value, recurseTimes, outputLength, output, i);
    output.push(formatProperty(ctx, value, recurseTimes, i, kArrayType));
  }
  if (length > outputLength) output.push(moreItems(length - outputLength));
  return output;
}

// Holes in a row count as one entry, so the keys are walked instead of the indices.
function formatSparseArray(ctx, value, recurseTimes, maxLength, output, i) {
  const keys = Object.keys(value);
  let index = i;
  for (; i < keys.length && output.length < maxLength; i++) {
    const key = keys[i];
    const number = +key;
    if (number > 2 ** 32 - 2 || String(number >>> 0) !== key) break;
    if (`${index}` !== key) {
      const holes = number - index;
      output.push(ctx.stylize(`<${holes} empty item${holes > 1 ? 's' : ''}>`, 'undefined'));
      index = number;
      if (output.length === maxLength) break;
    }
    output.push(formatProperty(ctx, value, recurseTimes, key, kArrayType));
    index++;
  }
  const remaining = value.length - index;
  if (output.length !== maxLength) {
    if (remaining > 0) output.push(ctx.stylize(`<${remaining} empty item${remaining > 1 ? 's' : ''}>`, 'undefined'));
  } else if (remaining > 0) {
    output.push(moreItems(remaining));
  }
  return output;
}

function hexBytes(bytes, end) {
  let text = '';
  for (let i = 0; i < end; i++) text += (i === 0 ? '' : ' ') + (bytes[i] < 16 ? '0' : '') + bytes[i].toString(16);
  return text;
}

function hiddenKey(ctx, name) {
  return ctx.stylize(`[${name}]`, 'string');
}

function formatByteLength(ctx, value) {
  return [`${hiddenKey(ctx, 'byteLength')}: ${formatNumber(ctx.stylize, value.byteLength, ctx.numericSeparator)}`];
}

function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special'), ...formatByteLength(ctx, value)];
  }
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
  let text = hexBytes(bytes, shown);
  const remaining = bytes.length - shown;
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${text}>`, ...formatByteLength(ctx, value)];
}

function formatDataView(ctx, value, recurseTimes) {
  ctx.indentationLvl += 2;
  const output = [
    `${hiddenKey(ctx, 'byteLength')}: ${formatNumber(ctx.stylize, value.byteLength, false)}`,
    `${hiddenKey(ctx, 'byteOffset')}: ${formatNumber(ctx.stylize, value.byteOffset, false)}`,
    `${hiddenKey(ctx, 'buffer')}: ${formatValue(ctx, value.buffer, recurseTimes)}`,
  ];
  ctx.indentationLvl -= 2;
  return output;
}

function formatTypedArray(ctx, value, recurseTimes) {
  const length = typedLength.call(value);
  const maxLength = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const remaining = length - maxLength;
  const output = new Array(maxLength);
  const format = length > 0 && typeof value[0] === 'bigint' ? formatBigInt : formatNumber;
  for (let i = 0; i < maxLength; i++) output[i] = format(ctx.stylize, value[i], ctx.numericSeparator);
  if (remaining > 0) output.push(moreItems(remaining));
  if (ctx.showHidden) {
    ctx.indentationLvl += 2;
    for (const key of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) {
      output.push(`${hiddenKey(ctx, key)}: ${formatValue(ctx, value[key], recurseTimes, true)}`);
    }
    ctx.indentationLvl -= 2;
  }
  return output;
}

function formatSet(ctx, value, recurseTimes) {
  const length = setSize.call(value);
  const maxLength = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = [];
  ctx.indentationLvl += 2;
  let i = 0;
  const iterator = setValues.call(value);
  for (;;) {
    const step = setIteratorNext.call(iterator);
    if (step.done || i >= maxLength) break;
    output.push(formatValue(ctx, step.value, recurseTimes));
    i++;
  }
  if (length > maxLength) output.push(moreItems(length - maxLength));
  ctx.indentationLvl -= 2;
  return output;
}

function formatMap(ctx, value, recurseTimes) {
  const length = mapSize.call(value);
  const maxLength = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = [];
  ctx.indentationLvl += 2;
  let i = 0;
  const iterator = mapEntries.call(value);
  for (;;) {
    const step = mapIteratorNext.call(iterator);
    if (step.done || i >= maxLength) break;
    output.push(`${formatValue(ctx, step.value[0], recurseTimes)} => ${formatValue(ctx, step.value[1], recurseTimes)}`);
    i++;
  }
  if (length > maxLength) output.push(moreItems(length - maxLength));
  ctx.indentationLvl -= 2;
  return output;
}

function formatSetIteratorEntries(ctx, recurseTimes, entries, isWeak) {
  const maxLength = Math.min(Math.max(0, ctx.maxArrayLength), entries.length);
  const output = new Array(maxLength);
  ctx.indentationLvl += 2;
  for (let i = 0; i < maxLength; i++) output[i] = formatValue(ctx, entries[i], recurseTimes);
  if (isWeak && !ctx.sorted) output.sort();
  const remaining = entries.length - maxLength;
  if (remaining > 0) output.push(moreItems(remaining));
  ctx.indentationLvl -= 2;
  return output;
}

function formatMapIteratorEntries(ctx, recurseTimes, entries, isWeak) {
  const length = entries.length / 2;
  const maxLength = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = new Array(maxLength);
  ctx.indentationLvl += 2;
  for (let i = 0; i < maxLength; i++) {
    const key = formatValue(ctx, entries[i * 2], recurseTimes);
    const value = formatValue(ctx, entries[i * 2 + 1], recurseTimes);
    output[i] = isWeak ? `${key} => ${value}` : reduceToSingleString(ctx, [key, value], '', ['[', ']'], kArrayExtrasType, recurseTimes);
  }
  if (isWeak && !ctx.sorted) output.sort();
  ctx.indentationLvl -= 2;
  if (length > maxLength) output.push(moreItems(length - maxLength));
  return output;
}

function formatIterator(braces, ctx, value, recurseTimes) {
  const [entries, isKeyValue] = previewEntries(value, true);
  if (isKeyValue) {
    braces[0] = braces[0].replace(/ Iterator] {$/, ' Entries] {');
    return formatMapIteratorEntries(ctx, recurseTimes, entries, false);
  }
  return formatSetIteratorEntries(ctx, recurseTimes, entries, false);
}

function formatWeakCollection(ctx) {
  return [ctx.stylize('<items unknown>', 'special')];
}

function formatWeakSet(ctx, value, recurseTimes) {
  return formatSetIteratorEntries(ctx, recurseTimes, previewEntries(value), true);
}

function formatWeakMap(ctx, value, recurseTimes) {
  return formatMapIteratorEntries(ctx, recurseTimes, previewEntries(value), true);
}

function formatPromise(ctx, value, recurseTimes) {
  const details = binding.getPromiseDetails?.(value);
  if (details === undefined || details[0] === 0) return [ctx.stylize('<pending>', 'special')];
  ctx.indentationLvl += 2;
  const text = formatValue(ctx, details[1], recurseTimes);
  ctx.indentationLvl -= 2;
  return [details[0] === 2 ? `${ctx.stylize('<rejected>', 'special')} ${text}` : text];
}

const plainKey = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

function formatProperty(ctx, value, recurseTimes, key, type, desc, original = value) {
  let name;
  let text;
  let extra = ' ';
  desc ??= getOwnPropertyDescriptor(value, key) ?? { value: value[key], configurable: true, enumerable: true };
  if (desc.value !== undefined) {
    const diff = ctx.compact !== true || type !== kObjectType ? 2 : 3;
    ctx.indentationLvl += diff;
    text = formatValue(ctx, desc.value, recurseTimes);
    if (diff === 3 && ctx.breakLength < getStringWidth(text, ctx.colors)) extra = `\n${' '.repeat(ctx.indentationLvl)}`;
    ctx.indentationLvl -= diff;
  } else if (desc.get !== undefined) {
    const label = desc.set !== undefined ? 'Getter/Setter' : 'Getter';
    const { stylize } = ctx;
    if (ctx.getters && (ctx.getters === true || (ctx.getters === 'get' && desc.set === undefined) ||
        (ctx.getters === 'set' && desc.set !== undefined))) {
      ctx.indentationLvl += 2;
      try {
        const got = Reflect.apply(desc.get, original, []);
        if (got === null) {
          text = `${stylize(`[${label}:`, 'special')} ${stylize('null', 'null')}${stylize(']', 'special')}`;
        } else if (typeof got === 'object') {
          text = `${stylize(`[${label}]`, 'special')} ${formatValue(ctx, got, recurseTimes)}`;
        } else {
          text = `${stylize(`[${label}:`, 'special')} ${formatPrimitive(stylize, got, ctx)}${stylize(']', 'special')}`;
        }
      } catch (err) {
        text = `${stylize(`[${label}:`, 'special')} <Inspection threw (${err?.message})>${stylize(']', 'special')}`;
      }
      ctx.indentationLvl -= 2;
    } else {
      text = stylize(`[${label}]`, 'special');
    }
  } else if (desc.set !== undefined) {
    text = ctx.stylize('[Setter]', 'special');
  } else {
    text = ctx.stylize('undefined', 'undefined');
  }
  if (type === kArrayType) return text;
  if (typeof key === 'symbol') {
    name = ctx.stylize(Symbol.prototype.toString.call(key).replace(escapeAllGlobal, escapeCharacter), 'symbol');
    if (desc.enumerable === false) name = `[${name}]`;
  } else if (key === '__proto__') {
    name = "['__proto__']";
  } else if (desc.enumerable === false) {
    name = `[${key.replace(escapeAllGlobal, escapeCharacter)}]`;
  } else if (plainKey.test(key)) {
    name = ctx.stylize(key, 'name');
  } else {
    name = ctx.stylize(quote(key), 'string');
  }
  return `${name}:${extra}${text}`;
}

// ---------------------------------------------------------------- widths and colours

const ansiPattern = new RegExp(
  '[\\u001B\\u009B][[\\]()#;?]*' +
  '(?:(?:(?:(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]+)*|[a-zA-Z\\d]+(?:;[-a-zA-Z\\d\\/\\#&.:=?%@~_]*)*)?(?:\\u0007|\\u001B\\u005C|\\u009C))' +
  '|(?:(?:\\d{1,4}(?:;\\d{0,4})*)?[\\dA-PR-TZcf-ntqry=><~]))', 'g');
const colorPattern = /\u001b\[\d\d?m/g;

function removeColors(text) {
  return text.replace(colorPattern, '');
}

function stripVTControlCharacters(text) {
  validateString(text, 'str');
  if (text.indexOf('\u001b') === -1 && text.indexOf('\u009b') === -1) return text;
  return text.replace(ansiPattern, '');
}

function isFullWidth(code) {
  return code >= 0x1100 && (
    code <= 0x115f || code === 0x2329 || code === 0x232a ||
    (code >= 0x2e80 && code <= 0x3247 && code !== 0x303f) || (code >= 0x3250 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0xa4c6) ||
    (code >= 0xa960 && code <= 0xa97c) || (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe10 && code <= 0xfe19) || (code >= 0xfe30 && code <= 0xfe6b) || (code >= 0xff01 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x1b000 && code <= 0x1b001) || (code >= 0x1f200 && code <= 0x1f251) ||
    (code >= 0x1f300 && code <= 0x1f64f) || (code >= 0x1f680 && code <= 0x1f6ff) || (code >= 0x1f900 && code <= 0x1f9ff) ||
    (code >= 0x20000 && code <= 0x3fffd));
}

function isZeroWidth(code) {
  return code <= 0x1f || (code >= 0x7f && code <= 0x9f) || (code >= 0x300 && code <= 0x36f) || (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x20d0 && code <= 0x20ff) || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xfe20 && code <= 0xfe2f) ||
    (code >= 0xe0100 && code <= 0xe01ef);
}

// How many columns of a terminal a text takes.
function getStringWidth(text, removeControlChars = true) {
  if (removeControlChars) text = stripVTControlCharacters(text);
  let width = 0;
  let plain = true;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 127) {
      plain = false;
      break;
    }
    if (code >= 32) width++;
  }
  if (plain) return width;
  width = 0;
  for (const char of text.normalize('NFC')) {
    const code = char.codePointAt(0);
    if (isFullWidth(code)) width += 2;
    else if (!isZeroWidth(code)) width++;
  }
  return width;
}

// ---------------------------------------------------------------- format

function hasBuiltInToString(value) {
  const proxy = proxyDetails(value, false);
  if (proxy !== undefined) {
    if (proxy === null) return true;
    value = proxy;
  }
  if (typeof value[Symbol.toPrimitive] === 'function' && !hasBuiltInPrimitive(value)) return false;
  if (typeof value.toString !== 'function') return true;
  if (hasOwn.call(value, 'toString')) return false;
  let pointer = value;
  do {
    pointer = Object.getPrototypeOf(pointer);
  } while (pointer !== null && !hasOwn.call(pointer, 'toString'));
  if (pointer === null) return true;
  const descriptor = getOwnPropertyDescriptor(pointer, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' && builtinNames.has(descriptor.value.name);
}

function hasBuiltInPrimitive(value) {
  let pointer = value;
  while (pointer !== null && !hasOwn.call(pointer, Symbol.toPrimitive)) pointer = Object.getPrototypeOf(pointer);
  const descriptor = pointer === null ? undefined : getOwnPropertyDescriptor(pointer, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' && builtinNames.has(descriptor.value.name);
}

let circularMessage;
function tryStringify(value) {
  try {
    return JSON.stringify(value);
  } catch (err) {
    if (circularMessage === undefined) {
      try {
        const a = {};
        a.a = a;
        JSON.stringify(a);
      } catch (circular) {
        circularMessage = circular.message.split('\n', 1)[0];
      }
    }
    if (err.name === 'TypeError' && err.message.split('\n', 1)[0] === circularMessage) return '[Circular]';
    throw err;
  }
}

function format(...args) {
  return formatWithOptionsInternal(undefined, args);
}

function formatWithOptions(inspectOptions, ...args) {
  validateObject(inspectOptions, 'inspectOptions', kValidateObjectAllowArray);
  return formatWithOptionsInternal(inspectOptions, args);
}

function formatNumberArgument(value, options) {
  return formatNumber(stylizeNoColor, value, options?.numericSeparator ?? defaultOptions.numericSeparator);
}

function formatBigIntArgument(value, options) {
  return formatBigInt(stylizeNoColor, value, options?.numericSeparator ?? defaultOptions.numericSeparator);
}

function formatWithOptionsInternal(options, args) {
  const first = args[0];
  let a = 0;
  let text = '';
  let join = '';
  if (typeof first === 'string') {
    if (args.length === 1) return first;
    let lastPosition = 0;
    for (let i = 0; i < first.length - 1; i++) {
      if (first.charCodeAt(i) !== 37) continue;
      const next = first.charCodeAt(++i);
      if (a + 1 !== args.length) {
        let piece;
        switch (next) {
          case 115: { // 's'
            const value = args[++a];
            if (typeof value === 'number') piece = formatNumberArgument(value, options);
            else if (typeof value === 'bigint') piece = formatBigIntArgument(value, options);
            else if (typeof value !== 'object' || value === null || !hasBuiltInToString(value)) piece = String(value);
            else piece = inspect(value, { ...options, compact: 3, colors: false, depth: 0 });
            break;
          }
          case 106: // 'j'
            piece = tryStringify(args[++a]);
            break;
          case 100: { // 'd'
            const value = args[++a];
            if (typeof value === 'bigint') piece = formatBigIntArgument(value, options);
            else if (typeof value === 'symbol') piece = formatNumberArgument(NaN, options);
            else piece = formatNumberArgument(Number(value), options);
            break;
          }
          case 79: // 'O'
            piece = inspect(args[++a], options);
            break;
          case 111: // 'o'
            piece = inspect(args[++a], { ...options, showHidden: true, showProxy: true, depth: 4 });
            break;
          case 105: { // 'i'
            const value = args[++a];
            if (typeof value === 'bigint') piece = formatBigIntArgument(value, options);
            else if (typeof value === 'symbol') piece = formatNumberArgument(NaN, options);
            else piece = formatNumberArgument(parseInt(value), options);
            break;
          }
          case 102: { // 'f'
            const value = args[++a];
            piece = formatNumberArgument(typeof value === 'symbol' ? NaN : parseFloat(value), options);
            break;
          }
          case 99: // 'c'
            a += 1;
            piece = '';
            break;
          case 37: // '%'
            text += first.slice(lastPosition, i);
            lastPosition = i + 1;
            continue;
          default:
            continue;
        }
        if (lastPosition !== i - 1) text += first.slice(lastPosition, i - 1);
        text += piece;
        lastPosition = i + 1;
      } else if (next === 37) {
        text += first.slice(lastPosition, i);
        lastPosition = i + 1;
      }
    }
    if (lastPosition !== 0) {
      a++;
      join = ' ';
      if (lastPosition < first.length) text += first.slice(lastPosition);
    }
  }
  while (a < args.length) {
    const value = args[a];
    text += join;
    text += typeof value !== 'string' ? inspect(value, options) : value;
    join = ' ';
    a++;
  }
  return text;
}

module.exports = {
  inspect,
  kWithoutStacks,
  format,
  formatWithOptions,
  formatWithOptionsInternal,
  formatProperty,
  formatNumber,
  formatBigInt,
  getStringWidth,
  stripVTControlCharacters,
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  kObjectType,
};
