'use strict';

// A pattern as a list of parts (URL Pattern Standard, "Parsing"), and what is made of the list: a regular expression
// that matches, and the pattern written in one way.
//
// A part is { type: 'text' | 'regexp' | 'segment' | 'wildcard', value, modifier: '' | '?' | '*' | '+', name, prefix,
// suffix }.

const { tokenize, isNamePart } = require('internal/urlpattern/constructor_string');

const escapeForRegExp = (text) => text.replace(/[.+*?^${}()[\]|/\\]/g, '\\$&');
const escapeForPattern = (text) => text.replace(/[+*?:{}()\\]/g, '\\$&');
const anything = '.*';
const segmentExpression = ({ delimiter }) => `[^${escapeForRegExp(delimiter)}]+?`;

class PartsReader {
  #tokens;
  #at = 0;
  #options;
  #encode;
  #parts = [];
  #names = new Set();
  #pending = ''; // text that becomes a part when something else follows
  #nextNumber = 0;

  constructor(text, options, encode) {
    this.#tokens = tokenize(text);
    this.#options = options;
    this.#encode = encode;
  }

  #take(...types) {
    const token = this.#tokens[this.#at];
    if (!types.includes(token?.type)) return undefined;
    this.#at++;
    return token;
  }

  #need(type) {
    if (this.#take(type) === undefined) throw new TypeError(`${type} expected in pattern`);
  }

  // A name may be followed by an expression; a wildcard stands alone.
  #takeMatcher(name) {
    return this.#take('regexp') ?? (name === undefined ? this.#take('asterisk') : undefined);
  }

  #takeModifier() {
    return this.#take('modifier', 'asterisk')?.value ?? '';
  }

  #takeText() {
    let text = '';
    for (let token; (token = this.#take('character', 'escaped')) !== undefined;) text += token.value;
    return text;
  }

  #flush() {
    if (this.#pending === '') return;
    this.#parts.push({
      type: 'text',
      value: this.#encode(this.#pending),
      modifier: '',
      name: '',
      prefix: '',
      suffix: '',
    });
    this.#pending = '';
  }

  #matcherOf(token) {
    const segment = segmentExpression(this.#options);
    const expression = token === undefined ? segment : token.type === 'asterisk' ? anything : token.value;
    if (expression === segment) return { type: 'segment', value: '' };
    return expression === anything ? { type: 'wildcard', value: '' } : { type: 'regexp', value: expression };
  }

  #add(prefix, name, matcher, suffix, modifier) {
    const isText = name === undefined && matcher === undefined;
    if (isText && modifier === '') {
      this.#pending += prefix;
      return;
    }
    this.#flush();
    if (isText) {
      if (prefix !== '')
        this.#parts.push({ type: 'text', value: this.#encode(prefix), modifier, name: '', prefix: '', suffix: '' });
      return;
    }
    const label = name === undefined ? `${this.#nextNumber++}` : name.value;
    if (this.#names.has(label)) throw new TypeError(`duplicate name ${label} in pattern`);
    this.#names.add(label);
    this.#parts.push({
      ...this.#matcherOf(matcher),
      modifier,
      name: label,
      prefix: this.#encode(prefix),
      suffix: this.#encode(suffix),
    });
  }

  // Parses one element of the pattern; false at its end.
  #readOne() {
    const character = this.#take('character');
    const name = this.#take('name');
    const matcher = this.#takeMatcher(name);
    if (name !== undefined || matcher !== undefined) {
      let prefix = character?.value ?? '';
      if (prefix !== this.#options.prefix) {
        this.#pending += prefix;
        prefix = '';
      }
      this.#flush();
      this.#add(prefix, name, matcher, '', this.#takeModifier());
      return true;
    }
    const fixed = character ?? this.#take('escaped');
    if (fixed !== undefined) {
      this.#pending += fixed.value;
      return true;
    }
    if (this.#take('open') === undefined) return false;
    const prefix = this.#takeText();
    const inner = this.#take('name');
    const innerMatcher = this.#takeMatcher(inner);
    const suffix = this.#takeText();
    this.#need('close');
    this.#add(prefix, inner, innerMatcher, suffix, this.#takeModifier());
    return true;
  }

  read() {
    while (this.#readOne());
    this.#flush();
    this.#need('end');
    return this.#parts;
  }
}

const readParts = (text, options, encode) => new PartsReader(text, options, encode).read();

// ---------------------------------------------------------------- the regular expression

function expressionOf({ type, value }, options) {
  return type === 'segment' ? segmentExpression(options) : type === 'wildcard' ? anything : value;
}

function partAsRegExp(part, options) {
  const { type, value, modifier } = part;
  if (type === 'text') return modifier === '' ? escapeForRegExp(value) : `(?:${escapeForRegExp(value)})${modifier}`;
  const expression = expressionOf(part, options);
  const isRepeated = modifier === '*' || modifier === '+';
  if (part.prefix === '' && part.suffix === '')
    return isRepeated ? `((?:${expression})${modifier})` : `(${expression})${modifier}`;
  const prefix = escapeForRegExp(part.prefix);
  const suffix = escapeForRegExp(part.suffix);
  if (!isRepeated) return `(?:${prefix}(${expression})${suffix})${modifier}`;
  // Between two repetitions are the suffix of one and the prefix of the other; the captured text begins and ends
  // without them.
  const repeated = `(?:${expression})(?:${suffix}${prefix}(?:${expression}))*`;
  return `(?:${prefix}(${repeated})${suffix})${modifier === '*' ? '?' : ''}`;
}

const asRegExp = (parts, options) => `^${parts.map((part) => partAsRegExp(part, options)).join('')}$`;

// ---------------------------------------------------------------- the pattern

const isDigit = (text) => /^[0-9]/.test(text);
const firstOf = (text) => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0)));

// Whether a part needs braces, so that it is not read together with its neighbours.
function needsBraces(part, before, after, options) {
  const { type, prefix, suffix, modifier, name } = part;
  if (suffix !== '' || (prefix !== '' && prefix !== options.prefix)) return true;
  if (
    !isDigit(name) &&
    type === 'segment' &&
    modifier === '' &&
    after !== undefined &&
    after.prefix === '' &&
    after.suffix === ''
  ) {
    if (after.type === 'text' ? isNamePart(firstOf(after.value)) : isDigit(after.name)) return true;
  }
  return prefix === '' && before?.type === 'text' && options.prefix !== '' && before.value.endsWith(options.prefix);
}

function matcherText(part, before, hasBraces, options) {
  const { type, value, prefix, name } = part;
  const isNumbered = isDigit(name);
  if (type === 'regexp') return `(${value})`;
  if (type === 'segment') return isNumbered ? `(${segmentExpression(options)})` : '';
  const isPlain =
    isNumbered &&
    (before === undefined || before.type === 'text' || before.modifier !== '' || hasBraces || prefix !== '');
  return isPlain ? '*' : `(${anything})`;
}

function partAsPattern(part, before, after, options) {
  const { type, value, prefix, suffix, modifier, name } = part;
  if (type === 'text') return modifier === '' ? escapeForPattern(value) : `{${escapeForPattern(value)}}${modifier}`;
  const hasBraces = needsBraces(part, before, after, options);
  const label = isDigit(name) ? '' : `:${name}`;
  // A suffix that could continue the name is separated from it.
  const gap = type === 'segment' && label !== '' && suffix !== '' && isNamePart(firstOf(suffix)) ? '\\' : '';
  const matcher = matcherText(part, before, hasBraces, options);
  const text = `${escapeForPattern(prefix)}${label}${matcher}${gap}${escapeForPattern(suffix)}`;
  return `${hasBraces ? `{${text}}` : text}${modifier}`;
}

const asPattern = (parts, options) =>
  parts.map((part, i) => partAsPattern(part, parts[i - 1], parts[i + 1], options)).join('');

module.exports = { readParts, asRegExp, asPattern, escapeForPattern };
