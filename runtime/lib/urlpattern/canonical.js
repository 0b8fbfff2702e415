'use strict';

// Components of a URL in the form in which the URL parser writes them (URL Pattern Standard, "Canonicalization"). A
// component that the parser does not accept is a TypeError.

const { parseURL, percentEncode, userinfoSet, isSpecial } = require('internal/url/parser');
const { serializePath } = require('internal/url/plain');

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

// A path that does not begin with a slash gets one for the parser, and a character after it, so that dots keep their
// meaning.
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

module.exports = {
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
