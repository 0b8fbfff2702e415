'use strict';

// TextDecoder for encodings other than UTF-8.
//
// TextDecoder for single-byte encodings: a table of 128 characters each, from the system's own tables, corrected where
// the Encoding Standard differs.

const { highHalf } = internalBinding('charset');

const first = 0x80;
const missing = '\ufffd';

// The standard's names -> the system's
const systemNames = {
  '__proto__': null,
  'ibm866': 'IBM866',
  'koi8-r': 'KOI8-R',
  'koi8-u': 'KOI8-U',
  'macintosh': 'MACINTOSH',
  'x-mac-cyrillic': 'MAC-CYRILLIC',
  'iso-8859-8-i': 'ISO-8859-8',
  'windows-874': 'CP874',
};
const nameOf = (encoding) =>
  systemNames[encoding] ?? (encoding.startsWith('windows-') ? `CP${encoding.slice(8)}` : encoding.toUpperCase());

// Where the two differ: bytes and their characters.
const corrections = {
  '__proto__': null,
  'koi8-u': { 0xae: '\u045e', 0xbe: '\u040e' },
  'macintosh': { 0xbd: '\u03a9', 0xc6: '\u2206', 0xdb: '\u20ac', 0xf0: '\uf8ff' },
  'windows-1255': { 0xca: '\u05ba' },
  'x-mac-cyrillic': { 0xa2: '\u0490', 0xb6: '\u0491', 0xff: '\u20ac' },
};

function makeTable(encoding) {
  if (encoding === 'x-user-defined') return Array.from({ length: 128 }, (_, i) => String.fromCharCode(0xf780 + i));
  const half = highHalf(nameOf(encoding));
  if (half === undefined) return undefined;
  // Windows encodings keep the control characters for bytes that they do not assign.
  const isWindows = encoding.startsWith('windows-');
  const table = Array.from(half, (character, i) =>
    character === missing && isWindows && i < 0x20 ? String.fromCharCode(first + i) : character,
  );
  for (const [byte, character] of Object.entries(corrections[encoding] ?? {})) table[byte - first] = character;
  return table;
}

const tables = new Map();
const known =
  /^(?:ibm866|iso-8859-(?:[2-8]|8-i|10|13|14|15|16)|koi8-[ru]|macintosh|windows-(?:874|125[0-8])|x-mac-cyrillic|x-user-defined)$/;

// undefined for an unknown encoding
function tableFor(encoding) {
  if (!known.test(encoding)) return undefined;
  let table = tables.get(encoding);
  if (table === undefined) tables.set(encoding, (table = makeTable(encoding)));
  return table;
}

// undefined if a byte has no character and errors are fatal
function decodeSingleByte(table, bytes, fatal) {
  const pieces = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    const character = byte < first ? String.fromCharCode(byte) : table[byte - first];
    if (fatal && character === missing) return undefined;
    pieces.push(character);
  }
  return pieces.join('');
}

// What TextDecoder does for encodings other than UTF-8: UTF-16 and the one-byte windows-1252 are decoded here, other
// encodings of one byte by internal/single_byte, and those of several bytes by the system (iconv); ISO-2022-JP, which
// has states, is refused.

const windows1252High =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

function decodeWindows1252(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    text += byte >= 0x80 && byte <= 0x9f ? windows1252High[byte - 0x80] : String.fromCharCode(byte);
  }
  return text;
}

// The system's names of encodings of several bytes.
const multiByte = {
  '__proto__': null,
  'gbk': 'GB18030',
  'gb18030': 'GB18030',
  'big5': 'BIG5-HKSCS',
  'euc-jp': 'EUC-JP-MS',
  'shift_jis': 'CP932',
  'euc-kr': 'UHC',
};

function decodeMultiByte(state, bytes, stream) {
  const answer = internalBinding('charset').decode(state.converter, bytes, state.fatal, !stream);
  if (answer === null) return undefined;
  const [text, left] = answer;
  if (left > 0) state.rest = bytes.slice(bytes.length - left);
  return text;
}

function decodeUtf16(state, bytes, stream, highByte) {
  let text = '';
  const whole = bytes.length & ~1;
  let i = 0;
  for (; i < whole; i += 2) {
    const unit = (bytes[i + (1 - highByte)] << 8) | bytes[i + highByte];
    if ((unit & 0xfc00) === 0xd800) {
      if (i + 3 >= bytes.length) {
        if (stream) break;
        if (state.fatal) return undefined;
        text += '\ufffd';
        if (i + 2 < bytes.length) return text;
        continue;
      }
      const next = (bytes[i + 3 - highByte] << 8) | bytes[i + 2 + highByte];
      if ((next & 0xfc00) === 0xdc00) {
        text += String.fromCharCode(unit, next);
        i += 2;
      } else {
        if (state.fatal) return undefined;
        text += '\ufffd';
      }
    } else if ((unit & 0xfc00) === 0xdc00) {
      if (state.fatal) return undefined;
      text += '\ufffd';
    } else {
      text += String.fromCharCode(unit);
    }
  }
  if (i < bytes.length) {
    if (stream) {
      state.rest = bytes.slice(i);
    } else {
      if (state.fatal) return undefined;
      text += '\ufffd';
    }
  }
  return text;
}

// What a decoder needs for an encoding; undefined: there is none.
function converterFor(encoding) {
  if (encoding === 'utf-16le' || encoding === 'utf-16be' || encoding === 'windows-1252') return null;
  return multiByte[encoding] ?? tableFor(encoding);
}

// Undefined: the bytes are no text, and the decoder is fatal.
function decode(state, bytes, stream) {
  switch (state.encoding) {
    case 'utf-16le':
    case 'utf-16be':
      return decodeUtf16(state, bytes, stream, state.encoding === 'utf-16le' ? 0 : 1);
    case 'windows-1252':
      return decodeWindows1252(bytes);
    default:
      return typeof state.converter === 'string'
        ? decodeMultiByte(state, bytes, stream)
        : decodeSingleByte(state.converter, bytes, state.fatal);
  }
}

module.exports = { converterFor, decode };
