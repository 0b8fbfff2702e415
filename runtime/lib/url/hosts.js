'use strict';

// Percent encoding and hosts (URL Standard): the sets of characters that are encoded, IPv4 and IPv6 addresses.

const { utf8Length, utf8Write } = require('internal/encoding/utf8');

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
  return require('internal/encoding/utf8').utf8Decode(bytes, 0, bytes.length, false, undefined);
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

module.exports = {
  specialPorts,
  isSpecial,
  c0Set,
  fragmentSet,
  querySet,
  specialQuerySet,
  pathSet,
  userinfoSet,
  percentEncode,
  percentDecodeBytes,
  percentDecode,
  parseHost,
};
