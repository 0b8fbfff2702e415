'use strict';

// Strings as they would be written in a program: quoted with the mark that needs the fewest escapes, and with every
// character that a terminal would not show written as an escape.

// Controls, the backslash, and halves of surrogate pairs that stand alone.
const unseen = '\\x00-\\x1f\\\\\\x7f-\\x9f';
const halves = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
const suspicious = /[^\x20-\x26\x28-\x5b\x5d-\x7e]/; // anything beyond plain characters that need no escape
const between = new RegExp(`[${unseen}]|${halves}`, 'g');
const betweenSingle = new RegExp(`['${unseen}]|${halves}`, 'g');

const named = new Map([
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ["'", "\\'"],
  ['\\', '\\\\'],
]);

function escapeOf(character) {
  const short = named.get(character);
  if (short !== undefined) return short;
  const hex = character.charCodeAt(0).toString(16);
  return hex.length > 2 ? `\\u${hex}` : `\\x${hex.toUpperCase().padStart(2, '0')}`;
}

function quote(text) {
  if (!suspicious.test(text)) return `'${text}'`;
  if (!text.includes("'")) return `'${text.replace(between, escapeOf)}'`;
  if (!text.includes('"')) return `"${text.replace(between, escapeOf)}"`;
  if (!text.includes('`') && !text.includes('${')) return `\`${text.replace(between, escapeOf)}\``;
  return `'${text.replace(betweenSingle, escapeOf)}'`;
}

const symbolToString = Symbol.prototype.toString;
function symbolText(symbol) {
  const text = symbolToString.call(symbol);
  return suspicious.test(text) ? text.replace(betweenSingle, escapeOf) : text;
}

const groupsFromRight = /\B(?=(?:\d{3})+$)/g;
const groupsFromLeft = /(\d{3})(?=\d)/g;

function bigintText(value, separated) {
  const digits = `${value}`;
  return separated ? `${digits.replace(groupsFromRight, '_')}n` : `${digits}n`;
}

function numberText(value, separated) {
  if (value === 0) return 1 / value < 0 ? '-0' : '0';
  const text = `${value}`;
  if (!separated || text.includes('e') || !Number.isFinite(value)) return text;
  const point = text.indexOf('.');
  if (point === -1) return text.replace(groupsFromRight, '_');
  const fraction = text.slice(point + 1).replace(groupsFromLeft, '$1_');
  return `${text.slice(0, point).replace(groupsFromRight, '_')}.${fraction}`;
}

function plural(count, noun) {
  return `${count} ${noun}${count > 1 ? 's' : ''}`;
}

module.exports = { quote, symbolText, bigintText, numberText, plural };
