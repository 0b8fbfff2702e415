'use strict';
// TextDecoder for encodings of one byte: every byte of each, by names and nicknames, with and without an error for what means nothing.
const every = Uint8Array.from({ length: 256 }, (_, i) => i);
const names = ['ibm866', 'iso-8859-2', 'iso-8859-3', 'iso-8859-4', 'iso-8859-5', 'iso-8859-6', 'iso-8859-7', 'iso-8859-8', 'iso-8859-8-i', 'iso-8859-10', 'iso-8859-13',
  'iso-8859-14', 'iso-8859-15', 'iso-8859-16', 'koi8-r', 'koi8-u', 'macintosh', 'windows-874', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1253',
  'windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258', 'x-mac-cyrillic', 'x-user-defined'];
for (const name of names) {
  const text = new TextDecoder(name).decode(every);
  console.log(name, text.length, [...text].slice(128).map((character) => character.codePointAt(0).toString(16)).join(' '));
  try {
    console.log(new TextDecoder(name, { fatal: true }).decode(every) === text);
  } catch (error) {
    console.log(error.name, error.code);
  }
}
for (const label of ['latin2', 'koi8', 'cp1251', 'greek', 'l6', ' HEBREW ', 'x-mac-ukrainian', 'tis-620', 'nothing']) {
  try {
    console.log(label, new TextDecoder(label).encoding);
  } catch (error) {
    console.log(label, error.name, error.code);
  }
}
const decoder = new TextDecoder('windows-1251');
console.log(decoder.decode(Uint8Array.of(0xcf, 0xf0), { stream: true }) + decoder.decode(Uint8Array.of(0xe8, 0xe2, 0xe5, 0xf2)));
