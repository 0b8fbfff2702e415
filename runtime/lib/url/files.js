'use strict';

// Conversions: between file URLs and paths, from URLs to options of a request, and between the two forms of a domain.

const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const { percentDecodeBytes } = require('internal/url/hosts');
const { URL, invalidURL } = require('internal/url');

// properties of both URLs and a request's options
const kSharedParts = ['protocol', 'hostname', 'hash', 'search', 'pathname'];

function urlToHttpOptions(url) {
  if (url === null || typeof url !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('url', 'object', url);
  const options = Object.assign({ __proto__: null }, url);
  for (const part of kSharedParts) options[part] = url[part];
  if (typeof options.hostname === 'string') options.hostname = options.hostname.replace(/^\[(.*).$/, '$1');
  options.path = (options.pathname || '') + (options.search || '');
  options.href = url.href;
  if (url.port !== '') options.port = Number(url.port);
  const { username: user, password: secret } = url;
  if (user || secret) options.auth = [user, secret].map(decodeURIComponent).join(':');
  return options;
}

function isURLLike(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

// A file's URL, given as one or as its text.
function checkFileURL(given) {
  const url = typeof given === 'string' ? new URL(given) : given;
  if (!isURLLike(url)) throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], given);
  if (url.protocol === 'file:') return url;
  throw new codes.ERR_INVALID_URL_SCHEME('file');
}

function badPath(reason, url) {
  const error = new codes.ERR_INVALID_FILE_URL_PATH(reason, url);
  Object.defineProperty(error, 'input', {
    __proto__: null,
    value: url,
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return error;
}

// The engine has another message for it.
function decodePath(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new URIError('URI malformed');
  }
}

function getPathFromURLPosix(url) {
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(process.platform);
  const { pathname } = url;
  if (/%2f/i.test(pathname)) throw badPath('must not include encoded / characters', url);
  return decodePath(pathname);
}

function getPathFromURLWin32(url) {
  let { pathname } = url;
  if (/%2f|%5c/i.test(pathname)) throw badPath('must not include encoded \\ or / characters', url);
  pathname = decodePath(pathname.replaceAll('/', '\\'));
  if (url.hostname !== '') return `\\\\${require('internal/idna').toUnicode(url.hostname)}${pathname}`;
  if (!/^\\[A-Za-z]:/.test(pathname)) throw badPath('must be absolute', url);
  return pathname.slice(1);
}

function fileURLToPath(path, options = undefined) {
  const windows = options?.windows ?? process.platform === 'win32';
  const url = checkFileURL(path);
  return windows ? getPathFromURLWin32(url) : getPathFromURLPosix(url);
}

function fileURLToPathBuffer(path, options = undefined) {
  const windows = options?.windows ?? process.platform === 'win32';
  const url = checkFileURL(path);
  const { Buffer } = require('internal/buffer/class');
  if (windows) return Buffer.from(getPathFromURLWin32(url));
  if (url.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(process.platform);
  if (/%2f/i.test(url.pathname)) throw badPath('must not include encoded / characters', url);
  const bytes = percentDecodeBytes(url.pathname);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

const pathEscapes = Object.fromEntries(
  [...'%\\\n\r\t?#[]^|~'].map((c) => [c, `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`]),
);

function pathToFileURL(filepath, options = undefined) {
  validateString(filepath, 'path');
  const windows = options?.windows ?? process.platform === 'win32';
  const path = require('path');
  const isUNC = windows && filepath.startsWith('\\\\');
  let resolved = isUNC ? filepath : (windows ? path.win32 : path.posix).resolve(filepath);
  if (isUNC || (windows && resolved.startsWith('\\\\'))) {
    const isExtended = resolved.startsWith('\\\\?\\UNC\\');
    const prefix = isExtended ? 8 : 2;
    const hostEnd = resolved.indexOf('\\', prefix);
    if (hostEnd === -1) throw new codes.ERR_INVALID_ARG_VALUE('path', resolved, 'Missing UNC resource path');
    if (hostEnd === 2) throw new codes.ERR_INVALID_ARG_VALUE('path', resolved, 'Empty UNC servername');
    const hostname = resolved.slice(prefix, hostEnd);
    const url = new URL('file://');
    url.hostname = hostname;
    if (url.hostname === '') throw invalidURL(hostname);
    url.pathname = resolved
      .slice(hostEnd)
      .replaceAll('\\', '/')
      .replace(/[%\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]);
    return url;
  }
  // A slash at the end is kept, although resolve removes it.
  const last = filepath.charCodeAt(filepath.length - 1);
  if ((last === 47 || (windows && last === 92)) && resolved[resolved.length - 1] !== (windows ? '\\' : '/'))
    resolved += '/';
  let escaped = windows
    ? resolved.replace(/[%\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]).replaceAll('\\', '/')
    : resolved.replace(/[%\\\n\r\t?#[\]^|~]/g, (c) => pathEscapes[c]);
  if (windows && escaped[0] !== '/') escaped = `/${escaped}`;
  return new URL(`file://${escaped}`);
}

// The host of a URL with this domain. What stands before or after a host in a URL is no part of a domain.
function hostOf(domain) {
  if (/^[/\\]|@|:(?![^[]*\])/.test(domain)) return undefined;
  return URL.parse(`ws://${domain}`)?.hostname;
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  return hostOf(`${domain}`) ?? '';
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('domain');
  const host = hostOf(`${domain}`);
  return host === undefined ? '' : require('internal/idna').toUnicode(host);
}

module.exports = {
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  fileURLToPathBuffer,
  isURL: isURLLike,
  pathToFileURL,
  urlToHttpOptions,
};
