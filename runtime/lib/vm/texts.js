'use strict';

// Scripts of node:vm: texts that were checked already, and the names that a script declares.
//
// The names that a script declares on its global: variables anywhere outside of functions, and functions of the top
// level. The engine would store these where no hook sees them, unless the global already has them; so they are defined
// before the script runs.

const { isExpression } = internalBinding('modules');
const { makeScript } = internalBinding('vm');

const mayDeclare = /\b(?:var|function)\b/;

function fromPattern(node, into) {
  switch (node?.type) {
    case 'Identifier':
      into.add(node.name);
      break;
    case 'ObjectPattern':
      for (const each of node.properties) fromPattern(each.type === 'RestElement' ? each.argument : each.value, into);
      break;
    case 'ArrayPattern':
      for (const each of node.elements) fromPattern(each, into);
      break;
    case 'AssignmentPattern':
      fromPattern(node.left, into);
      break;
    case 'RestElement':
      fromPattern(node.argument, into);
      break;
  }
}

// The fields in which statements contain statements; statements inside of expressions do not count.
const nested = ['body', 'consequent', 'alternate', 'block', 'handler', 'finalizer', 'init', 'left', 'cases'];

function fromStatement(node, into) {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const each of node) fromStatement(each, into);
    return;
  }
  if (node.type === 'VariableDeclaration') {
    if (node.kind === 'var') for (const each of node.declarations) fromPattern(each.id, into);
    return;
  }
  if (/^Function|^Class|Expression$/.test(node.type)) return;
  for (const field of nested) if (node[field] !== undefined) fromStatement(node[field], into);
}

// A list of names, or undefined if the parser does not support the syntax of the text, which has no errors. Tools that
// load modules into contexts make them functions in an expression; the pass in C finds that out in a fraction of the
// time that the parser takes.
function declaredNames(code) {
  if (!mayDeclare.test(code) || isExpression(code)) return [];
  let program;
  try {
    program = require('internal/deps/acorn').parse(code, { ecmaVersion: 'latest', allowHashBang: true });
  } catch {
    return undefined;
  }
  const names = new Set(); // functions come first
  for (const each of program.body) if (each.type === 'FunctionDeclaration') names.add(each.id.name);
  for (const each of program.body) fromStatement(each, names);
  return [...names];
}

// Texts without syntax errors that programs have given to node:vm lately. A tool gives the same texts to each of its
// contexts: such a text is checked once, and the contexts share the script that the engine has made of it.

class Text {
  #script; // undefined: the engine makes none, and evaluates the text each time
  #url;
  #names;
  #sourceMapURL = null; // not looked for yet
  code;

  constructor(code, url, script) {
    this.code = code;
    this.#url = url;
    this.#script = script;
  }

  // What can be evaluated: a script has one name, and its first line is number 1.
  at(url, line) {
    return this.#script !== undefined && url === this.#url && line === 1 ? this.#script : this.code;
  }

  get sourceMapURL() {
    const { code } = this;
    if (this.#sourceMapURL === null)
      this.#sourceMapURL = code.includes('sourceMappingURL=')
        ? /^\/\/[#@] sourceMappingURL=(\S+)\s*$/m.exec(code)?.[1]
        : undefined;
    return this.#sourceMapURL;
  }

  // See internal/vm/texts.
  get names() {
    this.#names ??= [declaredNames(this.code)];
    return this.#names[0];
  }
}

const known = new Map();
const kMost = 8 << 20; // characters
let size = 0;

// `check` is called for a text that is not known; it throws its syntax error.
function textOf(code, url, line, check) {
  const found = known.get(code);
  if (found !== undefined) return found;
  const script = line === 1 ? makeScript(code, url) : undefined;
  if (script === undefined) check();
  const text = new Text(code, url, script);
  size += code.length;
  if (size > kMost) {
    known.clear();
    size = code.length;
  }
  if (size <= kMost) known.set(code, text);
  return text;
}

module.exports = { textOf };
