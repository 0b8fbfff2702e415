'use strict';

// The names that a script declares on its global: variables anywhere outside of functions, and functions of the top
// level. The engine would store these where no hook sees them, unless the global already has them; so they are defined
// before the script runs.

const modules = internalBinding('modules');

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

// Is the whole text one expression? Tools that load modules into contexts make them functions in an expression. The
// engine finds that out in a fraction of the time that the parser below takes. A text that begins with a parenthesis
// cannot mean something else after another one.
function isExpression(code) {
  if (!/^\s*\(/.test(code)) return false;
  try {
    modules.checkSyntax(`(${code.replace(/;?\s*$/, '')}\n)`, '', 1);
    return true;
  } catch {
    return false;
  }
}

// Texts without syntax errors that were seen lately, with the names that they declare once these are known: a tool
// gives the same texts to each of its contexts.
const known = new Map();
const kMost = 8 << 20; // characters
const kUnknown = Symbol('not supported');
let size = 0;

function remember(code, names) {
  if (!known.has(code)) size += code.length;
  if (size > kMost) {
    known.clear();
    size = code.length;
  }
  if (size <= kMost) known.set(code, names);
  return names;
}

// Calls `check` with text that may have a syntax error.
function accept(code, check) {
  if (known.has(code)) return;
  check();
  remember(code, null);
}

// A list of names, or undefined if the parser does not support the text's syntax.
function declaredNames(code) {
  if (!mayDeclare.test(code)) return [];
  const names = known.get(code) ?? remember(code, isExpression(code) ? [] : (parsedNames(code) ?? kUnknown));
  return names === kUnknown ? undefined : names;
}

function parsedNames(code) {
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

module.exports = { accept, declaredNames };
