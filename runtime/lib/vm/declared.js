'use strict';

// The names that a script declares on its global: variables anywhere outside of functions, and functions of the top
// level. The engine would store these where no hook sees them, unless the global already has them; so they are defined
// before the script runs.

const { isExpression } = internalBinding('modules');

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

module.exports = { declaredNames };
