'use strict';

// url.format: joins the parts, in the steps that the documentation of url.format(urlObject) lists.

const { slashed } = require('internal/url_legacy/parse');

function formatUrl(url) {
  const protocol = url.protocol ? (url.protocol.endsWith(':') ? url.protocol : `${url.protocol}:`) : '';
  const host = hostOf(url);
  let path = (url.pathname ?? '').replace(/[#?]/g, (c) => (c === '#' ? '%23' : '%3F'));
  let slashes = '';
  if (url.slashes || (slashed.has(protocol) && host !== '')) {
    slashes = '//';
    if (path !== '' && !path.startsWith('/')) path = `/${path}`;
  } else if (protocol === 'file:') {
    slashes = '//';
  }
  const isObject = url.query !== null && typeof url.query === 'object';
  const query = isObject ? require('querystring').stringify(url.query) : '';
  return protocol + slashes + host + path + search(url.search || (query && `?${query}`)) + hash(url.hash);
}

function hostOf(url) {
  const auth = url.auth ? `${encodeURIComponent(url.auth).replace(/%3A/gi, ':')}@` : '';
  if (url.host) return auth + url.host;
  if (!url.hostname) return '';
  const name = url.hostname.includes(':') && !/^\[.*\]$/.test(url.hostname) ? `[${url.hostname}]` : url.hostname;
  return `${auth}${name}${url.port ? `:${url.port}` : ''}`;
}

function search(text) {
  if (!text) return '';
  const escaped = text.replaceAll('#', '%23');
  return escaped.startsWith('?') ? escaped : `?${escaped}`;
}

function hash(text) {
  if (!text) return '';
  return text.startsWith('#') ? text : `#${text}`;
}

module.exports = { formatUrl };
