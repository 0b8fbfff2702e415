'use strict';

// util.format: a template whose directives take one argument each, then the arguments that are left.

const { inspect } = require('internal/inspect/main');
const { defaults } = require('internal/inspect/view');
const { bigintText, numberText } = require('internal/inspect/layout');
const { brandOf } = require('internal/inspect/brand');
const { isBuiltin } = require('internal/inspect/names');

const { getOwnPropertyDescriptor, getPrototypeOf, hasOwn } = Object;
const { proxyDetails } = internalBinding('util');

// Whether a class of the program defines how the object becomes a string.
function hasOwnText(value) {
  while (brandOf(value) === 'proxy') {
    const [target, handler] = proxyDetails(value);
    if (handler === null) return false;
    value = target;
  }
  const method = hasMethod(value, Symbol.toPrimitive) ?? hasMethod(value, 'toString');
  return method === true;
}

// undefined: there is none; true: the program's; false: the language's.
function hasMethod(value, key) {
  if (typeof value[key] !== 'function') return undefined;
  if (hasOwn(value, key)) return true;
  let holder = getPrototypeOf(value);
  while (!hasOwn(holder, key)) holder = getPrototypeOf(holder);
  const maker = getOwnPropertyDescriptor(holder, 'constructor')?.value;
  return !(typeof maker === 'function' && isBuiltin(maker));
}

function json(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (isCircular(error)) return '[Circular]';
    throw error;
  }
}

// The engine's message for it is learned from an example.
let circularMessage;
function isCircular(error) {
  if (circularMessage === undefined) {
    try {
      const circle = {};
      circle.circle = circle;
      JSON.stringify(circle);
    } catch (example) {
      circularMessage = firstWords(example);
    }
  }
  return error?.name === 'TypeError' && firstWords(error) === circularMessage;
}
const firstWords = (error) => `${error.message}`.split('\n', 1)[0];

// Each directive's text for an argument.
const isSeparated = (options) => options?.numericSeparator ?? defaults.numericSeparator;
const number = (convert) => (value, options) => {
  if (typeof value === 'symbol') return 'NaN';
  return numberText(convert(value), isSeparated(options));
};
const wholeNumber = (convert) => {
  const other = number(convert);
  return (value, options) =>
    typeof value === 'bigint' ? bigintText(value, isSeparated(options)) : other(value, options);
};

const directives = {
  __proto__: null,
  s(value, options) {
    switch (typeof value) {
      case 'string':
        return value;
      case 'number':
        return numberText(value, isSeparated(options));
      case 'bigint':
        return bigintText(value, isSeparated(options));
      case 'object':
        if (value === null || hasOwnText(value)) return String(value);
        return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
      default:
        return String(value);
    }
  },
  d: wholeNumber((value) => Number(value)),
  i: wholeNumber((value) => Number.parseInt(value)),
  f: number((value) => Number.parseFloat(value)),
  j: json,
  o: (value, options) => inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 }),
  O: (value, options) => inspect(value, options),
  c: () => '',
};

// The directives of a template are parsed once, since logs use few templates. Each entry: the text before
// it and its writer.
class Template {
  parts = []; // text, writer, the directive itself, in turn
  rest;

  constructor(text) {
    let before = '';
    let done = 0;
    for (let at = text.indexOf('%'); at !== -1 && at + 1 < text.length; at = text.indexOf('%', at)) {
      const letter = text[at + 1];
      const write = directives[letter];
      if (letter === '%') {
        before += text.slice(done, at + 1);
      } else if (write === undefined) {
        at++;
        continue;
      } else {
        this.parts.push(before + text.slice(done, at), write, text.slice(at, at + 2));
        before = '';
      }
      at += 2;
      done = at;
    }
    this.rest = before + text.slice(done);
  }

  // Directives without an argument stay as they are.
  fill(args, options) {
    const { parts } = this;
    let text = '';
    for (let i = 0, next = 1; i < parts.length; i += 3, next++) {
      text += parts[i] + (next < args.length ? parts[i + 1](args[next], options) : parts[i + 2]);
    }
    return text + this.rest;
  }
}

const kTemplates = 64;
const templates = new Map();
function templateOf(text) {
  let template = templates.get(text);
  if (template === undefined) {
    template = new Template(text);
    if (templates.size === kTemplates) templates.clear();
    if (text.length < 256) templates.set(text, template);
  }
  return template;
}

function formatList(options, args) {
  const first = args[0];
  if (args.length === 1) return typeof first === 'string' ? first : inspect(first, options);
  if (args.length === 0) return '';
  let text = '';
  let next = 0;
  if (typeof first === 'string') {
    text = first;
    next = 1;
    if (first.includes('%')) {
      const template = templateOf(first);
      text = template.fill(args, options);
      next = Math.min(args.length, 1 + template.parts.length / 3);
    }
  }
  for (; next < args.length; next++) {
    const value = args[next];
    if (next > 0) text += ' ';
    text += typeof value === 'string' ? value : inspect(value, options);
  }
  return text;
}

function format(...args) {
  return formatList(undefined, args);
}

function formatWithOptions(inspectOptions, ...args) {
  require('internal/validators').validateObject(inspectOptions, 'inspectOptions', { allowArray: true });
  return formatList(inspectOptions, args);
}

module.exports = { format, formatWithOptions, formatList };
