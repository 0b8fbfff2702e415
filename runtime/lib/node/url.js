'use strict';

// node:url: the classes of the URL Standard, and the old functions (parse, format, resolve) in internal/url_legacy.

const { codes } = require('internal/errors');
const { defineLazyProperties } = require('internal/util');
const { validateObject, validateString } = require('internal/validators');
const standard = require('internal/url');
const files = require('internal/url/files');
const { parseInto, setHost } = require('internal/url_legacy/parse');

function Url() {
  for (const name of [
    'protocol',
    'slashes',
    'auth',
    'host',
    'port',
    'hostname',
    'hash',
    'search',
    'query',
    'pathname',
    'path',
    'href',
  ]) {
    this[name] = null;
  }
}

Object.assign(Url.prototype, {
  parse(url, parseQueryString, slashesDenoteHost) {
    validateString(url, 'url');
    parseInto(this, url, parseQueryString, slashesDenoteHost);
    return this;
  },
  format() {
    return require('internal/url_legacy/parse').formatUrl(this);
  },
  resolve(relative) {
    return this.resolveObject(urlParse(relative, false, true)).format();
  },
  resolveObject(relative) {
    const link = typeof relative === 'string' ? new Url().parse(relative, false, true) : relative;
    return require('internal/url_legacy/resolve').resolveInto(new Url(), this, link);
  },
  parseHost() {
    setHost(this, this.host);
  },
});

let warned = false;
function warnOnce() {
  if (warned || process.noDeprecation || require('internal/modules/helpers').calledFromPackage()) return;
  warned = true;
  process.emitWarning(
    '`url.parse()` behavior is not standardized and prone to errors that have security implications. ' +
      'Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` vulnerabilities.',
    'DeprecationWarning',
    'DEP0169',
  );
}

function urlParse(url, parseQueryString, slashesDenoteHost) {
  warnOnce();
  return url instanceof Url ? url : new Url().parse(url, parseQueryString, slashesDenoteHost);
}

function urlFormat(urlObject, options) {
  if (typeof urlObject === 'string') return urlParse(urlObject).format();
  if (typeof urlObject !== 'object' || urlObject === null) {
    throw new codes.ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  }
  if (files.isURL(urlObject)) return formatStandard(urlObject, options);
  return Url.prototype.format.call(urlObject);
}

function formatStandard(url, options) {
  const wanted = { fragment: true, unicode: false, search: true, auth: true };
  if (options) {
    validateObject(options, 'options');
    for (const name of Object.keys(wanted)) {
      if (options[name] === undefined || options[name] === null) continue;
      wanted[name] = Boolean(options[name]);
    }
  }
  let text = url.href;
  if (!wanted.fragment) text = text.slice(0, text.length - url.hash.length || undefined).replace(/#$/, '');
  if (!wanted.search) text = cutSearch(text);
  if (!wanted.auth) text = text.replace(/^([^/]*\/\/)[^/@]*@/, '$1');
  if (wanted.unicode && url.hostname) {
    const { toUnicode } = require('internal/idna');
    text = text.replace(/^([^/]*\/\/(?:[^/@]*@)?)([^/:?#]+)/, (_, before, name) => before + toUnicode(name));
  }
  return text;
}

function cutSearch(text) {
  const hash = text.includes('#') ? text.slice(text.indexOf('#')) : '';
  const rest = hash === '' ? text : text.slice(0, -hash.length);
  const at = rest.indexOf('?');
  return (at === -1 ? rest : rest.slice(0, at)) + hash;
}

function urlResolve(source, relative) {
  return urlParse(source, false, true).resolve(relative);
}

function urlResolveObject(source, relative) {
  return source ? urlParse(source, false, true).resolveObject(relative) : relative;
}

module.exports = {
  Url,
  parse: urlParse,
  resolve: urlResolve,
  resolveObject: urlResolveObject,
  format: urlFormat,
  URL: standard.URL,
  URLPattern: undefined,
  URLSearchParams: require('internal/url/search_params').URLSearchParams,
  domainToASCII: files.domainToASCII,
  domainToUnicode: files.domainToUnicode,
  pathToFileURL: files.pathToFileURL,
  fileURLToPath: files.fileURLToPath,
  fileURLToPathBuffer: files.fileURLToPathBuffer,
  urlToHttpOptions: files.urlToHttpOptions,
};
defineLazyProperties(module.exports, 'internal/urlpattern/pattern', ['URLPattern']);
