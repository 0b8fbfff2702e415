'use strict';

// node:url: the classes of the URL Standard, and the old parser (parse, format, resolve), which is looser and never throws
// for what it does not understand but for hosts and ports that cannot be.

const { codes } = require('internal/errors');
const { validateString, validateObject } = require('internal/validators');
const {
  URL, URLSearchParams, domainToASCII, domainToUnicode, fileURLToPath, fileURLToPathBuffer, pathToFileURL, urlToHttpOptions, isURL,
} = require('internal/url');

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

const protocolPattern = /^[a-z0-9.+-]+:/i;
const portPattern = /:[0-9]*$/;
const hostPattern = /^\/\/[^@/]+@[^@/]+/;
const simplePathPattern = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;

const hostlessProtocols = new Set(['javascript', 'javascript:']);
const slashedProtocols = new Set([
  'http', 'http:', 'https', 'https:', 'ftp', 'ftp:', 'gopher', 'gopher:', 'file', 'file:', 'ws', 'ws:', 'wss', 'wss:',
]);
const kHostnameMax = 255;

let warned = false;
function warnOfParse() {
  if (warned || process.noDeprecation) return;
  warned = true;
  process.emitWarning(
    '`url.parse()` behavior is not standardized and prone to errors that have security implications. Use the WHATWG URL API ' +
    'instead. CVEs are not issued for `url.parse()` vulnerabilities.', 'DeprecationWarning', 'DEP0169');
}

function urlParse(url, parseQueryString, slashesDenoteHost) {
  warnOfParse();
  return parseInternal(url, parseQueryString, slashesDenoteHost);
}

function parseInternal(url, parseQueryString, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const result = new Url();
  result.parse(url, parseQueryString, slashesDenoteHost);
  return result;
}

const forbiddenHostname = /[\0\t\n\r #%/:<>?@[\\\]^|]/;
const forbiddenHostnameV6 = /[\0\t\n\r #%/<>?@\\^|]/;

function throwInvalidUrl(url) {
  const error = new codes.ERR_INVALID_URL(url);
  if (error.input === undefined) error.input = url;
  throw error;
}

Url.prototype.parse = function (url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  // Spaces around it go, backslashes before the query become slashes.
  let hasHash = false;
  let hasAt = false;
  let start = -1;
  let end = -1;
  let rest = '';
  let lastPos = 0;
  for (let i = 0, inWs = false, split = false; i < url.length; ++i) {
    const code = url.charCodeAt(i);
    const isWs = code < 33 || code === 160 || code === 65279;
    if (start === -1) {
      if (isWs) continue;
      lastPos = start = i;
    } else if (inWs) {
      if (!isWs) {
        end = -1;
        inWs = false;
      }
    } else if (isWs) {
      end = i;
      inWs = true;
    }
    if (!split) {
      switch (code) {
        case 64:
          hasAt = true;
          break;
        case 35:
          hasHash = true;
          split = true;
          break;
        case 63:
          split = true;
          break;
        case 92:
          if (i - lastPos > 0) rest += url.slice(lastPos, i);
          rest += '/';
          lastPos = i + 1;
          break;
      }
    } else if (!hasHash && code === 35) {
      hasHash = true;
    }
  }
  if (start !== -1) {
    if (lastPos === start) {
      if (end === -1) rest = start === 0 ? url : url.slice(start);
      else rest = url.slice(start, end);
    } else if (end === -1 && lastPos < url.length) {
      rest += url.slice(lastPos);
    } else if (end !== -1 && lastPos < end) {
      rest += url.slice(lastPos, end);
    }
  }

  if (!slashesDenoteHost && !hasHash && !hasAt) {
    // A path alone is quickly done.
    const simple = simplePathPattern.exec(rest);
    if (simple) {
      this.path = rest;
      this.href = rest;
      this.pathname = simple[1];
      if (simple[2]) {
        this.search = simple[2];
        this.query = parseQueryString ? require('querystring').parse(this.search.slice(1)) : this.search.slice(1);
      } else if (parseQueryString) {
        this.search = null;
        this.query = { __proto__: null };
      }
      return this;
    }
  }

  let proto = protocolPattern.exec(rest);
  let lowerProto;
  if (proto) {
    proto = proto[0];
    lowerProto = proto.toLowerCase();
    this.protocol = lowerProto;
    rest = rest.slice(proto.length);
  }
  let slashes;
  if (slashesDenoteHost || proto || hostPattern.test(rest)) {
    slashes = rest.charCodeAt(0) === 47 && rest.charCodeAt(1) === 47;
    if (slashes && !(proto && hostlessProtocols.has(lowerProto))) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }

  if (!hostlessProtocols.has(lowerProto) && (slashes || (proto && !slashedProtocols.has(proto)))) {
    let hostEnd = -1;
    let atSign = -1;
    let nonHost = -1;
    for (let i = 0; i < rest.length; ++i) {
      const code = rest.charCodeAt(i);
      if (code === 9 || code === 10 || code === 13) {
        // Tabs and line ends inside are removed.
        rest = rest.slice(0, i) + rest.slice(i + 1);
        i -= 1;
        continue;
      }
      if (code === 32 || code === 34 || code === 37 || code === 39 || code === 59 || code === 60 || code === 62 || code === 92 || code === 94 ||
          code === 96 || code === 123 || code === 124 || code === 125) {
        if (nonHost === -1) nonHost = i;
      } else if (code === 35 || code === 47 || code === 63) {
        if (nonHost === -1) nonHost = i;
        hostEnd = i;
      } else if (code === 64) {
        atSign = i;
        nonHost = -1;
      }
      if (hostEnd !== -1) break;
    }
    let from = 0;
    if (atSign !== -1) {
      this.auth = decodeURIComponent(rest.slice(0, atSign));
      from = atSign + 1;
    }
    if (nonHost === -1) {
      this.host = rest.slice(from);
      rest = '';
    } else {
      this.host = rest.slice(from, nonHost);
      rest = rest.slice(nonHost);
    }
    this.parseHost();
    if (typeof this.hostname !== 'string') this.hostname = '';
    const { hostname } = this;
    const isV6 = hostname.charCodeAt(0) === 91 && hostname.charCodeAt(hostname.length - 1) === 93;
    if (!isV6) rest = getHostname(this, rest, hostname, url, proto);
    if (this.hostname.length > kHostnameMax) this.hostname = '';
    else this.hostname = this.hostname.toLowerCase();
    if (this.hostname !== '') {
      if (isV6) {
        if (forbiddenHostnameV6.test(this.hostname)) throwInvalidUrl(url);
      } else {
        this.hostname = toASCII(this.hostname);
        // What could change the meaning of the URL must not come out of a name.
        if (this.hostname === '' || forbiddenHostname.test(this.hostname)) throwInvalidUrl(url);
      }
    }
    const port = this.port ? `:${this.port}` : '';
    this.host = (this.hostname || '') + port;
    if (isV6) {
      this.hostname = this.hostname.slice(1, -1);
      if (rest[0] !== '/') rest = `/${rest}`;
    }
  }

  if (lowerProto !== 'javascript:') rest = autoEscape(rest);

  let questionAt = -1;
  let hashAt = -1;
  for (let i = 0; i < rest.length; ++i) {
    const code = rest.charCodeAt(i);
    if (code === 35) {
      this.hash = rest.slice(i);
      hashAt = i;
      break;
    } else if (code === 63 && questionAt === -1) {
      questionAt = i;
    }
  }
  if (questionAt !== -1) {
    if (hashAt === -1) {
      this.search = rest.slice(questionAt);
      this.query = rest.slice(questionAt + 1);
    } else {
      this.search = rest.slice(questionAt, hashAt);
      this.query = rest.slice(questionAt + 1, hashAt);
    }
    if (parseQueryString) this.query = require('querystring').parse(this.query);
  } else if (parseQueryString) {
    this.search = null;
    this.query = { __proto__: null };
  }
  const useQuestion = questionAt !== -1 && (hashAt === -1 || questionAt < hashAt);
  const firstAt = useQuestion ? questionAt : hashAt;
  if (firstAt === -1) {
    if (rest.length > 0) this.pathname = rest;
  } else if (firstAt > 0) {
    this.pathname = rest.slice(0, firstAt);
  }
  if (slashedProtocols.has(lowerProto) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  this.href = this.format();
  return this;
};

function toASCII(hostname) {
  if (/^[\x00-\x7f]*$/.test(hostname)) return hostname;
  return require('internal/idna').toASCII(hostname);
}

function getHostname(self, rest, hostname, url, proto) {
  for (let i = 0; i < hostname.length; ++i) {
    const code = hostname.charCodeAt(i);
    if (code === 58 && proto && slashedProtocols.has(proto.toLowerCase())) {
      throw new codes.ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
    }
    if (code === 47 || code === 92 || code === 35 || code === 63 || code === 58) {
      self.hostname = hostname.slice(0, i);
      return `/${hostname.slice(i)}${rest}`;
    }
  }
  return rest;
}

const escaped = new Map([
  ['\t', '%09'], ['\n', '%0A'], ['\r', '%0D'], [' ', '%20'], ['"', '%22'], ["'", '%27'], ['<', '%3C'], ['>', '%3E'], ['\\', '%5C'], ['^', '%5E'],
  ['`', '%60'], ['{', '%7B'], ['|', '%7C'], ['}', '%7D'],
]);

function autoEscape(rest) {
  return rest.replace(/[\t\n\r "'<>\\^`{|}]/g, (c) => escaped.get(c));
}

function urlFormat(urlObject, options) {
  if (typeof urlObject === 'string') {
    urlObject = parseInternal(urlObject);
  } else if (typeof urlObject !== 'object' || urlObject === null) {
    throw new codes.ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  } else if (urlObject instanceof URL || (isURL(urlObject) && urlObject.constructor?.name === 'URL')) {
    return formatWhatwg(urlObject, options);
  }
  return Url.prototype.format.call(urlObject);
}

function formatWhatwg(url, options) {
  let fragment = true;
  let unicode = false;
  let search = true;
  let auth = true;
  if (options) {
    validateObject(options, 'options');
    if (options.fragment != null) fragment = Boolean(options.fragment);
    if (options.unicode != null) unicode = Boolean(options.unicode);
    if (options.search != null) search = Boolean(options.search);
    if (options.auth != null) auth = Boolean(options.auth);
  }
  const hasHost = url.host !== '' || url.href.startsWith(`${url.protocol}//`);
  let text = url.protocol;
  if (hasHost) {
    text += '//';
    if (auth && (url.username !== '' || url.password !== '')) {
      text += url.username;
      if (url.password !== '') text += `:${url.password}`;
      text += '@';
    }
    text += unicode ? domainToUnicodeHost(url) : url.hostname;
    if (url.port !== '') text += `:${url.port}`;
  }
  text += url.pathname;
  if (search) text += url.search;
  if (fragment) text += url.hash;
  return text;
}

function domainToUnicodeHost(url) {
  return require('internal/idna').toUnicode(url.hostname);
}

// Characters of a user name and password that stay: letters, digits and ! ' ( ) * - . : _ ~
function encodeAuth(text) {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}

Url.prototype.format = function () {
  let auth = this.auth || '';
  if (auth) auth = `${encodeAuth(auth)}@`;
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let host = '';
  let query = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    host = auth + (this.hostname.includes(':') && !(this.hostname[0] === '[' && this.hostname.endsWith(']')) ? `[${this.hostname}]` : this.hostname);
    if (this.port) host += `:${this.port}`;
  }
  if (this.query !== null && typeof this.query === 'object') query = require('querystring').stringify(this.query);
  let search = this.search || (query && `?${query}`) || '';
  if (protocol && protocol.charCodeAt(protocol.length - 1) !== 58) protocol += ':';
  pathname = pathname.replace(/[?#]/g, (c) => (c === '#' ? '%23' : '%3F'));
  if (this.slashes || slashedProtocols.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && pathname.charCodeAt(0) !== 47) pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.length >= 4 && protocol.startsWith('file')) {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  if (hash && hash.charCodeAt(0) !== 35) hash = `#${hash}`;
  if (search && search.charCodeAt(0) !== 63) search = `?${search}`;
  return `${protocol}${host}${pathname}${search}${hash}`;
};

function urlResolve(source, relative) {
  return parseInternal(source, false, true).resolve(relative);
}

Url.prototype.resolve = function (relative) {
  return this.resolveObject(parseInternal(relative, false, true)).format();
};

function urlResolveObject(source, relative) {
  if (!source) return relative;
  return parseInternal(source, false, true).resolveObject(relative);
}

Url.prototype.resolveObject = function (relative) {
  if (typeof relative === 'string') {
    const parsed = new Url();
    parsed.parse(relative, false, true);
    relative = parsed;
  }
  const result = new Url();
  Object.assign(result, this);
  result.hash = relative.hash;
  if (relative.href === '') {
    result.href = result.format();
    return result;
  }
  // Only slashes given: the protocol stays.
  if (relative.slashes && !relative.protocol) {
    const { protocol } = result;
    Object.assign(result, relative);
    result.protocol = protocol;
    if (slashedProtocols.has(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
    result.href = result.format();
    return result;
  }
  if (relative.protocol && relative.protocol !== result.protocol) {
    if (!slashedProtocols.has(relative.protocol)) {
      Object.assign(result, relative);
      result.href = result.format();
      return result;
    }
    result.protocol = relative.protocol;
    if (!relative.host && !/^file:?$/.test(relative.protocol) && !hostlessProtocols.has(relative.protocol)) {
      const relPath = (relative.pathname || '').split('/');
      while (relPath.length && !(relative.host = relPath.shift()));
      relative.host ||= '';
      relative.hostname ||= '';
      if (relPath[0] !== '') relPath.unshift('');
      if (relPath.length < 2) relPath.unshift('');
      result.pathname = relPath.join('/');
    } else {
      result.pathname = relative.pathname;
    }
    result.search = relative.search;
    result.query = relative.query;
    result.host = relative.host || '';
    result.auth = relative.auth;
    result.hostname = relative.hostname || relative.host;
    result.port = relative.port;
    if (result.pathname || result.search) result.path = (result.pathname || '') + (result.search || '');
    result.slashes = result.slashes || relative.slashes;
    result.href = result.format();
    return result;
  }
  const isSourceAbs = result.pathname && result.pathname.charAt(0) === '/';
  const isRelAbs = relative.host || (relative.pathname && relative.pathname.charAt(0) === '/');
  let mustEndAbs = isRelAbs || isSourceAbs || (result.host && relative.pathname);
  const removeAllDots = mustEndAbs;
  let srcPath = (result.pathname && result.pathname.split('/')) || [];
  const relPath = (relative.pathname && relative.pathname.split('/')) || [];
  const noLeadingSlashes = result.protocol && !slashedProtocols.has(result.protocol);
  if (noLeadingSlashes) {
    result.hostname = '';
    result.port = null;
    if (result.host) {
      if (srcPath[0] === '') srcPath[0] = result.host;
      else srcPath.unshift(result.host);
    }
    result.host = '';
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      if (relative.host) {
        if (relPath[0] === '') relPath[0] = relative.host;
        else relPath.unshift(relative.host);
      }
      relative.host = null;
    }
    mustEndAbs &&= relPath[0] === '' || srcPath[0] === '';
  }
  if (isRelAbs) {
    if (relative.host || relative.host === '') {
      if (result.host !== relative.host) result.auth = null;
      result.host = relative.host;
      result.port = relative.port;
    }
    if (relative.hostname || relative.hostname === '') {
      if (result.hostname !== relative.hostname) result.auth = null;
      result.hostname = relative.hostname;
    }
    result.search = relative.search;
    result.query = relative.query;
    srcPath = relPath;
  } else if (relPath.length) {
    srcPath.pop();
    srcPath = srcPath.concat(relPath);
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    if (noLeadingSlashes) {
      result.hostname = result.host = srcPath.shift();
      const authInHost = result.host && result.host.indexOf('@') > 0 && result.host.split('@');
      if (authInHost) {
        result.auth = authInHost.shift();
        result.host = result.hostname = authInHost.shift();
      }
    }
    result.search = relative.search;
    result.query = relative.query;
    if (result.pathname !== null || result.search !== null) result.path = (result.pathname || '') + (result.search || '');
    result.href = result.format();
    return result;
  }
  if (!srcPath.length) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  let last = srcPath[srcPath.length - 1];
  const hasTrailingSlash = ((result.host || relative.host || srcPath.length > 1) && (last === '.' || last === '..')) || last === '';
  let up = 0;
  for (let i = srcPath.length - 1; i >= 0; i--) {
    last = srcPath[i];
    if (last === '.') {
      srcPath.splice(i, 1);
    } else if (last === '..') {
      srcPath.splice(i, 1);
      up++;
    } else if (up) {
      srcPath.splice(i, 1);
      up--;
    }
  }
  if (!mustEndAbs && !removeAllDots) {
    while (up--) srcPath.unshift('..');
  }
  if (mustEndAbs && srcPath[0] !== '' && (!srcPath[0] || srcPath[0].charAt(0) !== '/')) srcPath.unshift('');
  if (hasTrailingSlash && srcPath.join('/').at(-1) !== '/') srcPath.push('');
  const isAbsolute = srcPath[0] === '' || (srcPath[0] && srcPath[0].charAt(0) === '/');
  if (noLeadingSlashes) {
    result.hostname = result.host = isAbsolute ? '' : srcPath.length ? srcPath.shift() : '';
    const authInHost = result.host && result.host.indexOf('@') > 0 ? result.host.split('@') : false;
    if (authInHost) {
      result.auth = authInHost.shift();
      result.host = result.hostname = authInHost.shift();
    }
  }
  mustEndAbs ||= result.host && srcPath.length;
  if (mustEndAbs && !isAbsolute) srcPath.unshift('');
  if (!srcPath.length) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = srcPath.join('/');
  }
  if (result.pathname !== null || result.search !== null) result.path = (result.pathname || '') + (result.search || '');
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
  result.href = result.format();
  return result;
};

Url.prototype.parseHost = function () {
  let { host } = this;
  let port = portPattern.exec(host);
  if (port) {
    port = port[0];
    if (port !== ':') this.port = port.slice(1);
    host = host.slice(0, host.length - port.length);
  }
  if (host) this.hostname = host;
};

module.exports = {
  Url,
  parse: urlParse,
  resolve: urlResolve,
  resolveObject: urlResolveObject,
  format: urlFormat,
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  pathToFileURL,
  fileURLToPath,
  fileURLToPathBuffer,
  urlToHttpOptions,
};
