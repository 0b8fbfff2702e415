'use strict';

// url.resolve: resolves a link against a base. Both are lists of segments; if a protocol has no `//`, its host is the
// first segment (so a link may go up beyond it).

const { slashed, isHostless } = require('internal/url_legacy/parse');

const kQuery = ['search', 'query'];

function copy(target, source, names) {
  for (const name of names) target[name] = source[name];
}

function segmentsOf(url) {
  return url.pathname ? url.pathname.split('/') : [];
}

function resolveInto(result, base, link) {
  copy(result, base, Object.keys(base));
  result.hash = link.hash;
  if (link.href === '') {
    result.href = result.format();
    return result;
  }
  if (link.slashes && !link.protocol) return sameProtocolOtherHost(result, link);
  if (link.protocol && link.protocol !== result.protocol) return otherProtocol(result, link);
  return sameProtocol(result, link);
}

// '//host/path'
function sameProtocolOtherHost(result, link) {
  for (const name of Object.keys(link)) {
    if (name !== 'protocol') result[name] = link[name];
  }
  if (slashed.has(result.protocol) && result.hostname && !result.pathname) result.pathname = result.path = '/';
  result.href = result.format();
  return result;
}

function otherProtocol(result, link) {
  if (!slashed.has(link.protocol)) {
    copy(result, link, Object.keys(link));
    result.href = result.format();
    return result;
  }
  result.protocol = link.protocol;
  if (!link.host && !/^file:?$/.test(link.protocol) && !isHostless(link.protocol)) {
    // 'http:a/b' from another protocol: its first segment is the host.
    const segments = (link.pathname ?? '').split('/');
    let host = '';
    while (host === '' && segments.length > 0) host = segments.shift();
    link.host = link.hostname = host;
    if (segments.length === 0 || segments[0] !== '') segments.unshift('');
    if (segments.length < 2) segments.unshift('');
    result.pathname = segments.join('/');
    link.pathname = result.pathname;
  } else {
    result.pathname = link.pathname;
  }
  copy(result, link, kQuery);
  result.auth = link.auth;
  result.host = link.host ?? '';
  result.hostname = link.hostname || link.host;
  result.port = link.port;
  if (result.pathname || result.search) result.path = `${result.pathname ?? ''}${result.search ?? ''}`;
  result.slashes ||= link.slashes;
  result.href = result.format();
  return result;
}

function sameProtocol(result, link) {
  const flat = Boolean(result.protocol) && !slashed.has(result.protocol); // hosts are segments
  let segments = segmentsOf(result);
  const added = segmentsOf(link);
  const fromRoot = result.pathname?.[0] === '/';
  const toRoot = Boolean(link.host) || link.pathname?.[0] === '/';
  let rooted = toRoot || fromRoot || (Boolean(result.host) && Boolean(link.pathname));
  const dotsVanish = rooted;
  let linkRooted = toRoot;

  if (flat) {
    result.hostname = '';
    result.port = null;
    if (result.host) prefix(segments, result.host);
    result.host = '';
    if (link.protocol) {
      link.hostname = null;
      link.port = null;
      result.auth = null;
      if (link.host) prefix(added, link.host);
      link.host = null;
    }
    rooted &&= added[0] === '' || segments[0] === '';
    linkRooted = toRoot;
  }

  if (linkRooted) {
    // A link with a host has its own user; else the user of the base is kept.
    if (link.host || link.host === '') {
      if (result.host !== link.host) result.auth = null;
      result.host = link.host;
      result.port = link.port;
    }
    if (link.hostname || link.hostname === '') {
      if (result.hostname !== link.hostname) result.auth = null;
      result.hostname = link.hostname;
    }
    copy(result, link, kQuery);
    segments = added;
  } else if (added.length > 0) {
    segments.pop();
    segments.push(...added);
    copy(result, link, kQuery);
  } else if (link.search !== null && link.search !== undefined) {
    return onlyQuery(result, link, segments, flat);
  }
  if (segments.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    result.href = result.format();
    return result;
  }
  place(result, link, walk(segments, rooted, dotsVanish, result, link), rooted, flat);
  return finishWithAuth(result, link);
}

function prefix(segments, host) {
  if (segments[0] === '') segments[0] = host;
  else segments.unshift(host);
}

// Splits 'user@host' again.
function splitHost(result, text) {
  result.hostname = result.host = text;
  if (text.indexOf('@') <= 0) return;
  const [auth, host] = text.split('@');
  result.auth = auth;
  result.host = result.hostname = host;
}

function onlyQuery(result, link, segments, flat) {
  if (flat) splitHost(result, segments.shift() ?? '');
  copy(result, link, kQuery);
  if (result.pathname !== null || result.search !== null)
    result.path = `${result.pathname ?? ''}${result.search ?? ''}`;
  result.href = result.format();
  return result;
}

// Segments of dots are resolved from the end, counting the levels that they go up.
function walk(segments, rooted, dotsVanish, result, link) {
  const last = segments.at(-1);
  const slashAtEnd =
    (last === '' && segments.length > 1) ||
    ((last === '.' || last === '..') && (Boolean(result.host || link.host) || segments.length > 1));
  const kept = [];
  let up = 0;
  for (let i = segments.length - 1; i >= 0; i--) {
    const segment = segments[i];
    if (segment === '.') continue;
    if (segment === '..') up++;
    else if (up > 0) up--;
    else kept.unshift(segment);
  }
  if (!rooted && !dotsVanish) kept.unshift(...new Array(up).fill('..'));
  if (rooted && kept[0] !== '' && kept[0]?.[0] !== '/') kept.unshift('');
  if (slashAtEnd && !kept.join('/').endsWith('/')) kept.push('');
  return kept;
}

function place(result, link, kept, rooted, flat) {
  const atRoot = kept[0] === '' || kept[0]?.[0] === '/';
  if (flat) splitHost(result, atRoot || kept.length === 0 ? '' : kept.shift());
  const needsRoot = rooted || (Boolean(result.host) && kept.length > 0);
  if (needsRoot && !atRoot) kept.unshift('');
  result.pathname = kept.length === 0 ? null : kept.join('/');
}

function finishWithAuth(result, link) {
  if (result.pathname !== null || result.search !== null)
    result.path = `${result.pathname ?? ''}${result.search ?? ''}`;
  else result.path = null;
  result.auth = link.auth || result.auth;
  result.slashes ||= link.slashes;
  result.href = result.format();
  return result;
}

module.exports = { resolveInto };
