'use strict';

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
function decode(table, bytes, fatal) {
  const pieces = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    const character = byte < first ? String.fromCharCode(byte) : table[byte - first];
    if (fatal && character === missing) return undefined;
    pieces.push(character);
  }
  return pieces.join('');
}

module.exports = { decode, tableFor };
