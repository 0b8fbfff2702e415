'use strict';

// URLPattern, and the canonical form of its components.
//
// Components of a URL in the form in which the URL parser writes them (URL Pattern Standard, "Canonicalization"). A
// component that the parser does not accept is a TypeError.

const { parseURL } = require('internal/url/parser');
const { percentEncode, userinfoSet, isSpecial, specialPorts } = require('internal/url/hosts');
const { serializePath } = require('internal/url/plain');
const { readParts, asRegExp, asPattern, escapeForPattern } = require('internal/urlpattern/parts');
const { readConstructorString } = require('internal/urlpattern/constructor_string');

function parseAs(text, state, change) {
  const url = {
    scheme: '',
    username: '',
    password: '',
    host: null,
    port: null,
    path: [],
    query: null,
    fragment: null,
    ...change,
  };
  if (parseURL(text, undefined, url, state) === undefined) throw new TypeError(`invalid ${state}: ${text}`);
  return url;
}

function protocol(text) {
  if (text === '') return text;
  const url = parseURL(`${text}://dummy.invalid/`);
  if (url === undefined) throw new TypeError(`invalid protocol: ${text}`);
  return url.scheme;
}

const userinfo = (text) => percentEncode(text, userinfoSet);
const hostname = (text) =>
  text === '' ? text : (parseAs(text, 'hostname', { scheme: 'https', host: 'dummy.invalid' }).host ?? '');

function ipv6(text) {
  if (/[^0-9A-Fa-f[\]:]/.test(text)) throw new TypeError(`invalid hostname: ${text}`);
  return text.toLowerCase();
}

function port(text, scheme = '') {
  if (text === '') return text;
  const { port: number } = parseAs(text, 'port', { scheme, host: 'dummy.invalid' });
  return number === null ? '' : `${number}`;
}

// A path that does not begin with a slash gets one for the parser, and a character after it, so that
// dots keep their meaning.
function pathname(text) {
  if (text === '') return text;
  const isRooted = text[0] === '/';
  const path = serializePath(
    parseAs(isRooted ? text : `/-${text}`, 'path start', { scheme: 'https', host: 'dummy.invalid' }),
  );
  return isRooted ? path : path.slice(2);
}

const opaquePathname = (text) => (text === '' ? text : parseAs(text, 'opaque path', { path: '' }).path);
const search = (text) => (text === '' ? text : parseAs(text, 'query', { query: '' }).query);
const hash = (text) => (text === '' ? text : parseAs(text, 'fragment', { fragment: '' }).fragment);

const canonical = {
  protocol,
  username: userinfo,
  password: userinfo,
  hostname,
  ipv6,
  port,
  pathname,
  opaquePathname,
  search,
  hash,
  isSpecial,
};

// URLPattern (URL Pattern Standard): patterns for the components of URLs, matched all together.

const names = ['protocol', 'username', 'password', 'hostname', 'port', 'pathname', 'search', 'hash'];
// The order of the components in a result.
const resultNames = ['hash', 'hostname', 'inputs', 'password', 'pathname', 'port', 'protocol', 'search', 'username'];
const specialSchemes = Object.keys(specialPorts);

const plainOptions = { delimiter: '', prefix: '', ignoreCase: false };
const hostOptions = { delimiter: '.', prefix: '', ignoreCase: false };
const pathOptions = { delimiter: '/', prefix: '/', ignoreCase: false };

// ---------------------------------------------------------------- components

class Component {
  constructor(text, encode, options) {
    const parts = readParts(text, options, encode);
    this.pattern = asPattern(parts, options);
    this.names = parts.filter(({ type }) => type !== 'text').map(({ name }) => name);
    this.hasRegExp = parts.some(({ type }) => type === 'regexp');
    try {
      this.expression = new RegExp(asRegExp(parts, options), options.ignoreCase ? 'vi' : 'v');
    } catch (error) {
      throw new TypeError(error.message);
    }
  }

  // { groups, input }, or undefined
  match(input) {
    const found = this.expression.exec(input);
    if (found === null) return undefined;
    const groups = {};
    for (const [i, name] of this.names.entries()) groups[name] = found[i + 1];
    return { groups, input };
  }
}

function matchesSpecialScheme(component) {
  return specialSchemes.some((scheme) => component.match(scheme) !== undefined);
}

const hasSpecialScheme = (text) => matchesSpecialScheme(new Component(text, canonical.protocol, plainOptions));
const looksLikeIpv6 = (text) => /^(?:\[|\{\[|\\\[)/.test(text) && text.length > 1;

function compile(init, ignoreCase) {
  const plain = { ...plainOptions, ignoreCase };
  const protocol = new Component(init.protocol, canonical.protocol, plainOptions);
  const hasPath = matchesSpecialScheme(protocol);
  return {
    __proto__: null,
    protocol,
    username: new Component(init.username, canonical.username, plainOptions),
    password: new Component(init.password, canonical.password, plainOptions),
    hostname: new Component(
      init.hostname,
      looksLikeIpv6(init.hostname) ? canonical.ipv6 : canonical.hostname,
      hostOptions,
    ),
    port: new Component(init.port, (text) => canonical.port(text), plainOptions),
    pathname: hasPath
      ? new Component(init.pathname, canonical.pathname, { ...pathOptions, ignoreCase })
      : new Component(init.pathname, canonical.opaquePathname, plain),
    search: new Component(init.search, canonical.search, plain),
    hash: new Component(init.hash, canonical.hash, plain),
  };
}

// ---------------------------------------------------------------- what a program gives

// A URL's parts are matched exactly; in a pattern their characters must not be taken for syntax.
const asGiven = { isPattern: false, quote: (text) => text };
const asPatterns = { isPattern: true, quote: escapeForPattern };

// The components that are inherited from the base unless one of these is given.
const inheritance = {
  protocol: ['protocol'],
  username: ['protocol', 'hostname', 'port', 'username'],
  password: ['protocol', 'hostname', 'port', 'username', 'password'],
  hostname: ['protocol', 'hostname'],
  port: ['protocol', 'hostname', 'port'],
  pathname: ['protocol', 'hostname', 'port', 'pathname'],
  search: ['protocol', 'hostname', 'port', 'pathname', 'search'],
  hash: ['protocol', 'hostname', 'port', 'pathname', 'search', 'hash'],
};

const partsOf = (url) => ({
  __proto__: null,
  protocol: url.scheme,
  username: url.username,
  password: url.password,
  hostname: url.host ?? '',
  port: url.port === null ? '' : `${url.port}`,
  pathname: serializePath(url),
  search: url.query ?? '',
  hash: url.fragment ?? '',
});

function needUrl(text, base) {
  const url = parseURL(text, base);
  if (url === undefined) throw new TypeError(`invalid URL: ${text}`);
  return url;
}

function isRooted(path, { isPattern }) {
  return path.startsWith('/') || (isPattern && (path.startsWith('\\/') || path.startsWith('{/')));
}

const marks = { protocol: /:$/, search: /^\?/, hash: /^#/ };

// A component in the form that a URL has; patterns are made canonical when they are compiled.
const canonize = {
  __proto__: null,
  protocol: canonical.protocol,
  username: canonical.username,
  password: canonical.password,
  hostname: canonical.hostname,
  port: (text, protocol) => canonical.port(text, protocol),
  pathname: (text, protocol = '') =>
    (protocol === '' || canonical.isSpecial(protocol) ? canonical.pathname : canonical.opaquePathname)(text),
  search: canonical.search,
  hash: canonical.hash,
};

function process(init, manner, start) {
  const result = { __proto__: null, ...start };
  const base = init.baseURL === undefined ? undefined : needUrl(init.baseURL);
  if (base !== undefined) {
    const inherited = partsOf(base);
    for (const name of names) {
      if (manner.isPattern && (name === 'username' || name === 'password')) continue;
      if (inheritance[name].every((other) => init[other] === undefined)) result[name] = manner.quote(inherited[name]);
    }
  }
  for (const name of names) {
    if (init[name] === undefined) continue;
    let text = marks[name] === undefined ? init[name] : init[name].replace(marks[name], '');
    if (name === 'pathname' && base !== undefined && typeof base.path !== 'string' && !isRooted(text, manner)) {
      const directory = manner.quote(serializePath(base));
      text = directory.slice(0, directory.lastIndexOf('/') + 1) + text;
    }
    result[name] = manner.isPattern ? text : canonize[name](text, result.protocol);
  }
  return result;
}

// Only strings count.
function readInit(object) {
  const init = { __proto__: null };
  for (const name of [...names, 'baseURL']) {
    const value = object[name];
    if (typeof value === 'string') init[name] = value.toWellFormed();
  }
  return init;
}

const coded = (Kind, code, message) => Object.assign(new Kind(message), { code });

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
const badType = (message) => coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);

// (input[, base][, options]) -> { init, ignoreCase }
function readArguments(given) {
  const [input, second, third] = given;
  if (input != null && typeof input !== 'string' && !isObject(input))
    throw badType('Input must be an object or a string');
  let base;
  let options = second;
  if (given.length > 2) {
    if (second != null && typeof second !== 'string') throw badType('second argument must be a string or object');
    base = `${second}`;
    options = third;
    if (options != null && !isObject(options)) throw badType('options must be an object');
  } else if (typeof second === 'string') {
    base = second;
    options = undefined;
  } else if (second != null && !isObject(second)) {
    throw badType('second argument must be a string or object');
  }
  const init = typeof input === 'string' ? input : input == null ? { __proto__: null } : readInit(input);
  return { init, base, ignoreCase: Boolean(options?.ignoreCase) };
}

function build({ init, base, ignoreCase }) {
  let given = init;
  if (typeof init === 'string') {
    given = readConstructorString(init.toWellFormed(), hasSpecialScheme);
    if (base === undefined && given.protocol === undefined) throw new TypeError('a relative pattern needs a base');
    if (base !== undefined) given.baseURL = base;
  } else if (base !== undefined) {
    throw new TypeError('a base is for text only');
  }
  const parts = process(given, asPatterns);
  for (const name of names) parts[name] ??= '*';
  if (Object.hasOwn(specialPorts, parts.protocol) && `${specialPorts[parts.protocol]}` === parts.port) parts.port = '';
  return compile(parts, ignoreCase);
}

// ---------------------------------------------------------------- the class

// The components of the input; undefined if it is no URL.
function readSubject(input, base) {
  const empty = { __proto__: null };
  for (const name of names) empty[name] = '';
  try {
    if (typeof input !== 'string') return process(input == null ? {} : readInit(input), asGiven, empty);
    return partsOf(needUrl(input.toWellFormed(), base === undefined ? undefined : needUrl(base)));
  } catch {
    return undefined;
  }
}

class Pattern {
  #components;

  constructor(...given) {
    const read = readArguments(given);
    try {
      this.#components = build(read);
    } catch {
      throw coded(TypeError, 'ERR_INVALID_URL_PATTERN', 'Failed to construct URLPattern');
    }
  }

  static #of(pattern) {
    if (!isObject(pattern) || !(#components in pattern)) throw new TypeError('Illegal invocation');
    return pattern.#components;
  }

  // { component: match }, or undefined
  static #match(pattern, given, action) {
    const components = Pattern.#of(pattern);
    const [input, base] = given;
    if (input != null && typeof input !== 'string' && !isObject(input))
      throw badType('URLPattern input needs to be a string or an object');
    if (base != null && typeof base !== 'string') throw badType('baseURL must be a string');
    if (typeof input !== 'string' && base !== undefined)
      throw coded(TypeError, 'ERR_OPERATION_FAILED', `Failed to ${action} URLPattern`);
    const subject = readSubject(input, base === undefined ? undefined : `${base}`);
    if (subject === undefined) return undefined;
    const matches = { __proto__: null };
    for (const name of names) {
      matches[name] = components[name].match(subject[name]);
      if (matches[name] === undefined) return undefined;
    }
    return matches;
  }

  static {
    const prototype = Object.create(Object.prototype);
    for (const name of names) {
      const get = function () {
        return Pattern.#of(this)[name].pattern;
      };
      Object.defineProperty(get, 'name', { value: '', configurable: true });
      Object.defineProperty(prototype, name, { __proto__: null, get, enumerable: true, configurable: false });
    }
    const hasGroups = function () {
      return names.some((name) => Pattern.#of(this)[name].hasRegExp);
    };
    Object.defineProperty(hasGroups, 'name', { value: '', configurable: true });
    Object.defineProperty(prototype, 'hasRegExpGroups', {
      __proto__: null,
      get: hasGroups,
      enumerable: true,
      configurable: false,
    });
    Object.assign(prototype, {
      exec(...given) {
        const matches = Pattern.#match(this, given, 'exec');
        if (matches === undefined) return null;
        const inputs = [given[0] ?? {}];
        if (given[1] !== undefined) inputs.push(`${given[1]}`);
        const result = { __proto__: null };
        for (const name of resultNames) result[name] = name === 'inputs' ? inputs : matches[name];
        return result;
      },
      test(...given) {
        return Pattern.#match(this, given, 'test') !== undefined;
      },
    });
    Pattern.shown = prototype;
  }
}

// A call without `new` is an error with a code, so the class is behind a function.
function URLPattern(...given) {
  if (new.target === undefined)
    throw coded(TypeError, 'ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  return Reflect.construct(Pattern, given, new.target);
}
Object.defineProperty(URLPattern, 'length', { value: 0, configurable: true });
URLPattern.prototype = Pattern.shown;
Object.defineProperty(URLPattern.prototype, 'constructor', {
  __proto__: null,
  value: URLPattern,
  writable: true,
  enumerable: false,
  configurable: true,
});
Object.defineProperty(URLPattern.prototype, Symbol.toStringTag, {
  __proto__: null,
  value: 'URLPattern',
  configurable: true,
});

module.exports = { URLPattern };
