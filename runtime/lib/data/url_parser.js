'use strict';

// The URL Standard's basic parser. A record is { scheme, username, password, host, port, path, query, fragment }; host
// is null or its serialized text, port is null or a number, path a string (opaque) or an array of segments.

const { utf8Length, utf8Write } = require('internal/utf8');

const specialPorts = { '__proto__': null, 'http': 80, 'https': 443, 'ws': 80, 'wss': 443, 'ftp': 21, 'file': null };

function isSpecial(scheme) {
  return specialPorts[scheme] !== undefined;
}

// ---------------------------------------------------------------- percent encoding

// A table for each set, made when it is first needed: 1 if the character (below 128) is encoded.
function makeSet(base, characters) {
  let set;
  return () => {
    if (set !== undefined) return set;
    set = new Uint8Array(128);
    if (base === undefined) {
      set.fill(1, 0, 32);
      set[127] = 1;
    } else {
      set.set(base());
    }
    for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1;
    return set;
  };
}
const c0Set = makeSet(undefined, '');
const fragmentSet = makeSet(c0Set, ' "<>`');
const querySet = makeSet(c0Set, ' "#<>');
const specialQuerySet = makeSet(querySet, "'");
const pathSet = makeSet(querySet, '?^`{}');
const userinfoSet = makeSet(pathSet, '/:;=@[\\]|');

const hexBytes = []; // %00 to %FF, as far as they were needed
function encodedByte(byte) {
  return (hexBytes[byte] ??= `%${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`);
}
const scratch = new Uint8Array(4);

function needsEncoding(text, set) {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || set[code] === 1) return true;
  }
  return false;
}

function percentEncode(text, set) {
  const table = set();
  if (!needsEncoding(text, table)) return text;
  let out = '';
  for (const char of text) {
    const code = char.codePointAt(0);
    if (code < 128) {
      out += table[code] === 1 ? encodedByte(code) : char;
    } else {
      const { written } = utf8Write(char, scratch, 0, 4);
      for (let i = 0; i < written; i++) out += encodedByte(scratch[i]);
    }
  }
  return out;
}

function hexDigit(code) {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 65 && code <= 70) return code - 55;
  if (code >= 97 && code <= 102) return code - 87;
  return -1;
}

function percentDecodeBytes(text) {
  const bytes = new Uint8Array(utf8Length(text));
  utf8Write(text, bytes, 0, bytes.length);
  let at = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 37 && i + 2 < bytes.length) {
      const high = hexDigit(bytes[i + 1]);
      const low = hexDigit(bytes[i + 2]);
      if (high >= 0 && low >= 0) {
        bytes[at++] = high * 16 + low;
        i += 2;
        continue;
      }
    }
    bytes[at++] = bytes[i];
  }
  return bytes.subarray(0, at);
}

function percentDecode(text) {
  if (!text.includes('%')) return text;
  const bytes = percentDecodeBytes(text);
  return require('internal/utf8').utf8Decode(bytes, 0, bytes.length, false, undefined);
}

// ---------------------------------------------------------------- hosts

const forbiddenHost = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const forbiddenDomain = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/;

function parseIPv4Number(text) {
  if (text === '') return NaN;
  let radix = 10;
  if (text.length >= 2 && (text.startsWith('0x') || text.startsWith('0X'))) {
    text = text.slice(2);
    radix = 16;
  } else if (text.length >= 2 && text[0] === '0') {
    text = text.slice(1);
    radix = 8;
  }
  if (text === '') return 0;
  const pattern = radix === 10 ? /^[0-9]+$/ : radix === 16 ? /^[0-9a-fA-F]+$/ : /^[0-7]+$/;
  return pattern.test(text) ? parseInt(text, radix) : NaN;
}

function endsInNumber(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '') {
    if (parts.length === 1) return false;
    parts.pop();
  }
  const last = parts[parts.length - 1];
  return /^[0-9]+$/.test(last) || /^0[xX][0-9a-fA-F]*$/.test(last);
}

function parseIPv4(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = [];
  for (const part of parts) {
    const number = parseIPv4Number(part);
    if (number !== number) return undefined;
    numbers.push(number);
  }
  for (let i = 0; i < numbers.length - 1; i++) if (numbers[i] > 255) return undefined;
  if (numbers[numbers.length - 1] >= 256 ** (5 - numbers.length)) return undefined;
  let address = numbers[numbers.length - 1];
  for (let i = 0; i < numbers.length - 1; i++) address += numbers[i] * 256 ** (3 - i);
  return [16777216, 65536, 256, 1].map((unit) => Math.floor(address / unit) % 256).join('.');
}

function parseIPv6(text) {
  const address = [0, 0, 0, 0, 0, 0, 0, 0];
  let piece = 0;
  let compress = null;
  let i = 0;
  if (text[i] === ':') {
    if (text[i + 1] !== ':') return undefined;
    i += 2;
    piece++;
    compress = piece;
  }
  while (i < text.length) {
    if (piece === 8) return undefined;
    if (text[i] === ':') {
      if (compress !== null) return undefined;
      i++;
      piece++;
      compress = piece;
      continue;
    }
    let value = 0;
    let length = 0;
    while (length < 4 && i < text.length && hexDigit(text.charCodeAt(i)) >= 0) {
      value = value * 16 + hexDigit(text.charCodeAt(i));
      i++;
      length++;
    }
    if (text[i] === '.') {
      if (length === 0) return undefined;
      i -= length;
      if (piece > 6) return undefined;
      let seen = 0;
      while (i < text.length) {
        let v4 = null;
        if (seen > 0) {
          if (text[i] === '.' && seen < 4) i++;
          else return undefined;
        }
        if (i >= text.length || !/[0-9]/.test(text[i])) return undefined;
        while (i < text.length && /[0-9]/.test(text[i])) {
          const number = text.charCodeAt(i) - 48;
          if (v4 === null) v4 = number;
          else if (v4 === 0) return undefined;
          else v4 = v4 * 10 + number;
          if (v4 > 255) return undefined;
          i++;
        }
        address[piece] = address[piece] * 256 + v4;
        seen++;
        if (seen === 2 || seen === 4) piece++;
      }
      if (seen !== 4) return undefined;
      break;
    } else if (text[i] === ':') {
      i++;
      if (i >= text.length) return undefined;
    } else if (i < text.length) {
      return undefined;
    }
    address[piece] = value;
    piece++;
  }
  if (compress !== null) {
    let swaps = piece - compress;
    piece = 7;
    while (piece !== 0 && swaps > 0) {
      const kept = address[compress + swaps - 1];
      address[compress + swaps - 1] = address[piece];
      address[piece] = kept;
      piece--;
      swaps--;
    }
  } else if (piece !== 8) {
    return undefined;
  }
  return serializeIPv6(address);
}

function serializeIPv6(address) {
  let best = -1;
  let bestLength = 1;
  for (let i = 0; i < 8;) {
    if (address[i] !== 0) {
      i++;
      continue;
    }
    let j = i;
    while (j < 8 && address[j] === 0) j++;
    if (j - i > bestLength) {
      best = i;
      bestLength = j - i;
    }
    i = j;
  }
  let text = '';
  for (let i = 0; i < 8; i++) {
    if (i === best) {
      text += i === 0 ? '::' : ':';
      i += bestLength - 1;
      continue;
    }
    text += address[i].toString(16);
    if (i !== 7) text += ':';
  }
  return `[${text}]`;
}

function parseHost(text, isNotSpecial) {
  if (text[0] === '[') {
    return text[text.length - 1] === ']' ? parseIPv6(text.slice(1, -1)) : undefined;
  }
  if (isNotSpecial) return forbiddenHost.test(text) ? undefined : percentEncode(text, c0Set);
  const domain = percentDecode(text);
  let ascii;
  if (/^[\x00-\x7f]*$/.test(domain) && !/(^|\.)xn--/i.test(domain)) ascii = domain.toLowerCase();
  else ascii = require('internal/idna').toASCII(domain);
  if (ascii === '' || forbiddenDomain.test(ascii)) return undefined;
  if (endsInNumber(ascii)) return parseIPv4(ascii);
  return ascii;
}

// ---------------------------------------------------------------- the parser

const windowsLetter = /^[A-Za-z][:|]$/;
const normalizedWindowsLetter = /^[A-Za-z]:$/;

function isSingleDot(segment) {
  return segment === '.' || segment.toLowerCase() === '%2e';
}

function isDoubleDot(segment) {
  if (segment === '..') return true;
  if (segment.length < 4) return false;
  segment = segment.toLowerCase();
  return segment === '.%2e' || segment === '%2e.' || segment === '%2e%2e';
}

function startsWithWindowsLetter(text, at) {
  if (text.length - at < 2 || !windowsLetter.test(text.slice(at, at + 2))) return false;
  return text.length - at === 2 || '/\\?#'.includes(text[at + 2]);
}

function shortenPath(url) {
  const { path } = url;
  if (url.scheme === 'file' && path.length === 1 && normalizedWindowsLetter.test(path[0])) return;
  path.pop();
}

function cannotHaveCredentialsOrPort(url) {
  return url.host === null || url.host === '' || url.scheme === 'file';
}

function isAlpha(code) {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

const kEnd = -1;

// Parses `input`; with `url` and `override`, only one part of it (for the setters). Returns the record, or undefined if
// `input` is no URL.
function parseURL(input, base, url, override) {
  const isOverride = override !== undefined;
  if (!isOverride) {
    url = { scheme: '', username: '', password: '', host: null, port: null, path: [], query: null, fragment: null };
    let start = 0;
    let end = input.length;
    while (start < end && input.charCodeAt(start) <= 32) start++;
    while (end > start && input.charCodeAt(end - 1) <= 32) end--;
    if (start > 0 || end < input.length) input = input.slice(start, end);
  }
  if (/[\t\n\r]/.test(input)) input = input.replace(/[\t\n\r]/g, '');
  let state = override ?? 'scheme start';
  let buffer = '';
  let atSignSeen = false;
  let insideBrackets = false;
  let passwordTokenSeen = false;
  const length = input.length;

  for (let p = 0; ; p++) {
    const c = p < length ? input.charCodeAt(p) : kEnd;
    switch (state) {
      case 'scheme start':
        if (isAlpha(c)) {
          buffer += input[p].toLowerCase();
          state = 'scheme';
        } else if (!isOverride) {
          state = 'no scheme';
          p--;
        } else {
          return undefined;
        }
        break;
      case 'scheme':
        if (isAlpha(c) || (c >= 48 && c <= 57) || c === 43 || c === 45 || c === 46) {
          buffer += input[p].toLowerCase();
        } else if (c === 58) {
          if (isOverride) {
            if (isSpecial(url.scheme) !== isSpecial(buffer)) return url;
            if ((url.username !== '' || url.password !== '' || url.port !== null) && buffer === 'file') return url;
            if (url.scheme === 'file' && (url.host === '' || url.host === null)) return url;
          }
          url.scheme = buffer;
          if (isOverride) {
            if (url.port === specialPorts[url.scheme]) url.port = null;
            return url;
          }
          buffer = '';
          if (url.scheme === 'file') {
            state = 'file';
          } else if (isSpecial(url.scheme) && base !== undefined && base.scheme === url.scheme) {
            state = 'special relative or authority';
          } else if (isSpecial(url.scheme)) {
            state = 'special authority slashes';
          } else if (input[p + 1] === '/') {
            state = 'path or authority';
            p++;
          } else {
            url.path = '';
            state = 'opaque path';
          }
        } else if (!isOverride) {
          buffer = '';
          state = 'no scheme';
          p = -1;
        } else {
          return undefined;
        }
        break;
      case 'no scheme':
        if (base === undefined || (typeof base.path === 'string' && c !== 35)) return undefined;
        if (typeof base.path === 'string' && c === 35) {
          url.scheme = base.scheme;
          url.path = base.path;
          url.query = base.query;
          url.fragment = '';
          state = 'fragment';
        } else if (base.scheme !== 'file') {
          state = 'relative';
          p--;
        } else {
          state = 'file';
          p--;
        }
        break;
      case 'special relative or authority':
        if (c === 47 && input[p + 1] === '/') {
          state = 'special authority ignore slashes';
          p++;
        } else {
          state = 'relative';
          p--;
        }
        break;
      case 'path or authority':
        if (c === 47) {
          state = 'authority';
        } else {
          state = 'path';
          p--;
        }
        break;
      case 'relative':
        url.scheme = base.scheme;
        if (c === 47) {
          state = 'relative slash';
        } else if (isSpecial(url.scheme) && c === 92) {
          state = 'relative slash';
        } else {
          url.username = base.username;
          url.password = base.password;
          url.host = base.host;
          url.port = base.port;
          url.path = base.path.slice();
          url.query = base.query;
          if (c === 63) {
            url.query = '';
            state = 'query';
          } else if (c === 35) {
            url.fragment = '';
            state = 'fragment';
          } else if (c !== kEnd) {
            url.query = null;
            shortenPath(url);
            state = 'path';
            p--;
          }
        }
        break;
      case 'relative slash':
        if (isSpecial(url.scheme) && (c === 47 || c === 92)) {
          state = 'special authority ignore slashes';
        } else if (c === 47) {
          state = 'authority';
        } else {
          url.username = base.username;
          url.password = base.password;
          url.host = base.host;
          url.port = base.port;
          state = 'path';
          p--;
        }
        break;
      case 'special authority slashes':
        if (c === 47 && input[p + 1] === '/') {
          state = 'special authority ignore slashes';
          p++;
        } else {
          state = 'special authority ignore slashes';
          p--;
        }
        break;
      case 'special authority ignore slashes':
        if (c !== 47 && c !== 92) {
          state = 'authority';
          p--;
        }
        break;
      case 'authority':
        if (c === 64) {
          if (atSignSeen) buffer = `%40${buffer}`;
          atSignSeen = true;
          for (const char of buffer) {
            if (char === ':' && !passwordTokenSeen) {
              passwordTokenSeen = true;
              continue;
            }
            if (passwordTokenSeen) url.password += percentEncode(char, userinfoSet);
            else url.username += percentEncode(char, userinfoSet);
          }
          buffer = '';
        } else if (c === kEnd || c === 47 || c === 63 || c === 35 || (isSpecial(url.scheme) && c === 92)) {
          if (atSignSeen && buffer === '') return undefined;
          p -= buffer.length + 1;
          buffer = '';
          state = 'host';
        } else {
          buffer += input[p];
        }
        break;
      case 'host':
      case 'hostname':
        if (isOverride && url.scheme === 'file') {
          p--;
          state = 'file host';
        } else if (c === 58 && !insideBrackets) {
          if (buffer === '') return undefined;
          if (override === 'hostname') return undefined;
          const host = parseHost(buffer, !isSpecial(url.scheme));
          if (host === undefined) return undefined;
          url.host = host;
          buffer = '';
          state = 'port';
        } else if (c === kEnd || c === 47 || c === 63 || c === 35 || (isSpecial(url.scheme) && c === 92)) {
          p--;
          if (isSpecial(url.scheme) && buffer === '') return undefined;
          if (isOverride && buffer === '' && (url.username !== '' || url.password !== '' || url.port !== null))
            return undefined;
          const host = buffer === '' ? '' : parseHost(buffer, !isSpecial(url.scheme));
          if (host === undefined) return undefined;
          url.host = host;
          buffer = '';
          state = 'path start';
          if (isOverride) return url;
        } else {
          if (c === 91) insideBrackets = true;
          else if (c === 93) insideBrackets = false;
          buffer += input[p];
        }
        break;
      case 'port':
        if (c >= 48 && c <= 57) {
          buffer += input[p];
        } else if (
          c === kEnd ||
          c === 47 ||
          c === 63 ||
          c === 35 ||
          (isSpecial(url.scheme) && c === 92) ||
          isOverride
        ) {
          if (buffer !== '') {
            const port = parseInt(buffer, 10);
            if (port > 65535) return undefined;
            url.port = port === specialPorts[url.scheme] ? null : port;
            buffer = '';
            if (isOverride) return url;
          }
          if (isOverride) return undefined;
          state = 'path start';
          p--;
        } else {
          return undefined;
        }
        break;
      case 'file':
        url.scheme = 'file';
        url.host = '';
        if (c === 47 || c === 92) {
          state = 'file slash';
        } else if (base !== undefined && base.scheme === 'file') {
          url.host = base.host;
          url.path = base.path.slice();
          url.query = base.query;
          if (c === 63) {
            url.query = '';
            state = 'query';
          } else if (c === 35) {
            url.fragment = '';
            state = 'fragment';
          } else if (c !== kEnd) {
            url.query = null;
            if (!startsWithWindowsLetter(input, p)) shortenPath(url);
            else url.path = [];
            state = 'path';
            p--;
          }
        } else {
          state = 'path';
          p--;
        }
        break;
      case 'file slash':
        if (c === 47 || c === 92) {
          state = 'file host';
        } else {
          if (base !== undefined && base.scheme === 'file') {
            url.host = base.host;
            if (
              !startsWithWindowsLetter(input, p) &&
              base.path.length > 0 &&
              normalizedWindowsLetter.test(base.path[0])
            )
              url.path.push(base.path[0]);
          }
          state = 'path';
          p--;
        }
        break;
      case 'file host':
        if (c === kEnd || c === 47 || c === 92 || c === 63 || c === 35) {
          p--;
          if (!isOverride && windowsLetter.test(buffer)) {
            state = 'path';
          } else if (buffer === '') {
            url.host = '';
            if (isOverride) return url;
            state = 'path start';
          } else {
            let host = parseHost(buffer, !isSpecial(url.scheme));
            if (host === undefined) return undefined;
            if (host === 'localhost') host = '';
            url.host = host;
            if (isOverride) return url;
            buffer = '';
            state = 'path start';
          }
        } else {
          buffer += input[p];
        }
        break;
      case 'path start':
        if (isSpecial(url.scheme)) {
          state = 'path';
          if (c !== 47 && c !== 92) p--;
        } else if (!isOverride && c === 63) {
          url.query = '';
          state = 'query';
        } else if (!isOverride && c === 35) {
          url.fragment = '';
          state = 'fragment';
        } else if (c !== kEnd) {
          state = 'path';
          if (c !== 47) p--;
        } else if (isOverride && url.host === null) {
          url.path.push('');
        }
        break;
      case 'path':
        if (c === kEnd || c === 47 || (isSpecial(url.scheme) && c === 92) || (!isOverride && (c === 63 || c === 35))) {
          const isSlash = c === 47 || (isSpecial(url.scheme) && c === 92);
          buffer = percentEncode(buffer, pathSet);
          if (isDoubleDot(buffer)) {
            shortenPath(url);
            if (!isSlash) url.path.push('');
          } else if (isSingleDot(buffer)) {
            if (!isSlash) url.path.push('');
          } else {
            if (url.scheme === 'file' && url.path.length === 0 && windowsLetter.test(buffer)) buffer = `${buffer[0]}:`;
            url.path.push(buffer);
          }
          buffer = '';
          if (c === 63) {
            url.query = '';
            state = 'query';
          } else if (c === 35) {
            url.fragment = '';
            state = 'fragment';
          }
        } else {
          buffer += input[p];
        }
        break;
      case 'opaque path': {
        let end = p;
        while (end < length && input[end] !== '?' && input[end] !== '#') end++;
        let part = input.slice(p, end);
        // A space before the query or the fragment would be lost when the URL is serialized.
        if (part.endsWith(' ') && end < length) part = `${part.slice(0, -1)}%20`;
        url.path += percentEncode(part, c0Set);
        if (end >= length) return url;
        if (input[end] === '?') {
          url.query = '';
          state = 'query';
        } else {
          url.fragment = '';
          state = 'fragment';
        }
        p = end;
        break;
      }
      case 'query': {
        const hash = isOverride ? -1 : input.indexOf('#', p);
        const end = hash === -1 ? length : hash;
        url.query += percentEncode(input.slice(p, end), isSpecial(url.scheme) ? specialQuerySet : querySet);
        if (hash === -1) return url;
        url.fragment = '';
        state = 'fragment';
        p = end;
        break;
      }
      default: // fragment
        url.fragment += percentEncode(input.slice(p), fragmentSet);
        return url;
    }
    if (c === kEnd && p >= length) return url;
  }
}

function serializePath(url) {
  if (typeof url.path === 'string') return url.path;
  return url.path.length === 0 ? '' : `/${url.path.join('/')}`;
}

function serializeURL(url, withoutFragment) {
  let text = `${url.scheme}:`;
  if (url.host !== null) {
    text += '//';
    if (url.username !== '' || url.password !== '') {
      text += url.username;
      if (url.password !== '') text += `:${url.password}`;
      text += '@';
    }
    text += url.host;
    if (url.port !== null) text += `:${url.port}`;
  } else if (typeof url.path !== 'string' && url.path.length > 1 && url.path[0] === '') {
    text += '/.';
  }
  text += serializePath(url);
  if (url.query !== null) text += `?${url.query}`;
  if (!withoutFragment && url.fragment !== null) text += `#${url.fragment}`;
  return text;
}

module.exports = {
  parseURL,
  serializeURL,
  serializePath,
  parseHost,
  percentEncode,
  percentDecode,
  percentDecodeBytes,
  isSpecial,
  cannotHaveCredentialsOrPort,
  userinfoSet,
  specialPorts,
};
