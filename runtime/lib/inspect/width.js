'use strict';

// How many columns of a terminal a text takes. internal/inspect/wide knows the characters that take more
// or less than one.

const plain = /^[\x20-\x7e]*$/;

// Control sequences of terminals. Operating system commands (a link, a title) run up to a string terminator; the others
// have an introducer, parameters divided by ; or : and a final character.
const command = '(?:\\u001B\\]|\\u009D)[^\\u0007\\u001B\\u009C]*(?:\\u0007|\\u001B\\\\|\\u009C)';
const control = '[\\u001B\\u009B][[\\]()#;?]*(?:\\d{1,4}(?:[;:]\\d{0,4})*)?[\\dA-PR-TZcf-nq-uy=><~]';
let sequences;

function withoutSequences(text) {
  if (!text.includes('\u001B') && !text.includes('\u009B')) return text;
  sequences ??= new RegExp(`${command}|${control}`, 'g');
  return text.replace(sequences, '');
}

function getStringWidth(text, removeControlChars = true) {
  if (plain.test(text)) return text.length;
  if (removeControlChars) text = withoutSequences(text);
  return require('internal/inspect/wide').columnsOf(text.normalize('NFC'));
}

module.exports = { getStringWidth, withoutSequences };
