'use strict';

// Where an error of the engine was made: the source around the position, and names that the program has
// for what it imports.

const { namespaceFile, parseFrame } = require('internal/errors/frames');

const words = () => require('internal/errors/source_expressions');

const kQuoted = 400; // characters of the source after a position

// Where an error was made. The text is read when a rule asks for it.
class Place {
  #behind;

  constructor(frame, native, innermost, readText) {
    this.file = frame?.file;
    this.line = frame?.line;
    this.column = frame?.column;
    this.native = native; // the native function that made it, if one did
    this.innermost = innermost; // the function that ran
    this.readText = readText;
    this.read = undefined; // a variable of another module that was read: { name, trap }
  }

  get text() {
    const value = this.file === undefined ? undefined : this.readText(this.file);
    Object.defineProperty(this, 'text', { value });
    return value;
  }

  // The source at the position and after it.
  get behind() {
    if (this.#behind !== undefined) return this.#behind;
    const lines = this.text?.split('\n', this.line + 20) ?? [];
    this.#behind = lines
      .slice(this.line - 1)
      .join('\n')
      .slice(this.column - 1, this.column - 1 + kQuoted);
    return this.#behind;
  }

  get before() {
    return this.text?.split('\n', this.line)[this.line - 1]?.slice(0, this.column - 1) ?? '';
  }

  // Of the source at the position, after a name: the innermost expression on the left that uses that name.
  #about(accept) {
    const { expressionAt } = words();
    let node = expressionAt(`_${this.behind}`);
    while (node != null && !accept(node)) {
      node =
        node.object ??
        node.callee ??
        node.left ??
        node.test ??
        node.argument ??
        node.expression ??
        node.expressions?.[0] ??
        node.tag;
    }
    return node ?? undefined;
  }

  // The arguments of the call at the position.
  get given() {
    if (!this.behind.startsWith('(')) return [];
    return this.#about((node) => node.type === 'CallExpression' && node.callee.name === '_')?.arguments ?? [];
  }

  // The key of the member at the position.
  get key() {
    if (!/^[.[]/.test(this.behind)) return undefined;
    const member = this.#about((node) => node.type === 'MemberExpression' && node.object.name === '_');
    return member && words().keyOf(member);
  }
}

// A variable of another module: V8 says the name that the importing module has for it, or that of the property of a
// namespace. Descriptors of a namespace's properties have another message, except those that a list of keys asks for.
function tooEarly(place) {
  const { name, trap } = place.read;
  if (trap !== undefined && trap !== 'get') {
    const isList = place.native === 'keys' || place.native === 'stringify' || /\bin\s+$/.test(place.before);
    if (!isList) return `${name} is not defined`;
  }
  const local =
    trap === undefined ? /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/u.exec(place.behind)?.[0] : undefined;
  return `Cannot access '${local ?? name}' before initialization`;
}

// Explains a ReferenceError for an imported variable that is read before it is initialised: { name, trap, below }, the
// name that the variable is exported under, the trap of the namespace if it was read by one, and the stack below both.
function readOf(message, raw) {
  if (!message.startsWith('Cannot access ')) return undefined;
  let below = raw;
  let name;
  let trap;
  for (;;) {
    const end = below.indexOf('\n');
    const frame = parseFrame(end === -1 ? below : below.slice(0, end));
    if (frame.isBinding) name = frame.name;
    else if (name !== undefined && frame.file === namespaceFile) trap = frame.name;
    else return name === undefined ? undefined : { name, trap, below };
    below = end === -1 ? '' : below.slice(end + 1);
  }
}

// ---- names of imports ----

// Names of imports in the engine's messages. It has seen the module as internal/modules/esm/transform wrote it, where
// an imported name is a property of another module's bindings; a program knows it by the name that it gave it.

const kCalled = /\(0 ?, ?(__rota_\d+(?:n\.ns|\.[\w$]+))\)/g;
const kImported = /__rota_(\d+)(n\.ns|\.([\w$]+))/g;

function namespaceIn(text, specifier) {
  const quoted = specifier.replace(/[^\w]/g, '\\$&');
  return new RegExp(`\\*\\s*as\\s+([\\w$]+)\\s+from\\s*['"]${quoted}['"]`).exec(text ?? '')?.[1];
}

// The message with the program's names, if the module is known.
function withNames(message, file, text) {
  const record = require('internal/modules/esm/record').records.get(file);
  if (record === undefined) return message;
  return message.replace(kCalled, '$1').replace(kImported, (whole, number, member, name) => {
    const request = Number(number);
    const check = name === undefined ? undefined : record.checks.find(([at, from]) => at === request && from === name);
    if (check !== undefined) return check[2];
    const namespace = namespaceIn(text, record.requests[request]?.specifier ?? '');
    if (namespace === undefined) return whole;
    return name === undefined ? namespace : `${namespace}.${name}`;
  });
}

module.exports = { Place, readOf, tooEarly, withNames };
