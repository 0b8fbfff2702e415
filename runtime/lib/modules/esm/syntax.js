'use strict';

// What the rewriting of modules asks of a syntax tree (ESTree): the children of a node, and the names that it declares.

function eachChild(node, visit) {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === null || typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value)
        if (item !== null && typeof item === 'object' && typeof item.type === 'string') visit(item);
    } else if (typeof value.type === 'string') {
      visit(value);
    }
  }
}

function patternNames(node, names) {
  if (node === null) return names;
  switch (node.type) {
    case 'Identifier':
      names.push(node.name);
      break;
    case 'ObjectPattern':
      for (const p of node.properties) patternNames(p.type === 'RestElement' ? p.argument : p.value, names);
      break;
    case 'ArrayPattern':
      for (const e of node.elements) if (e !== null) patternNames(e, names);
      break;
    case 'AssignmentPattern':
      patternNames(node.left, names);
      break;
    case 'RestElement':
      patternNames(node.argument, names);
      break;
  }
  return names;
}

// The names that `var` declares in a function body, nested functions left out.
function varNames(node, names) {
  if (node === null || typeof node !== 'object') return names;
  switch (node.type) {
    case 'VariableDeclaration':
      if (node.kind === 'var') for (const d of node.declarations) patternNames(d.id, names);
      return names;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
    case 'ExpressionStatement':
    case 'ReturnStatement':
    case 'ThrowStatement':
      return names;
  }
  eachChild(node, (child) => varNames(child, names));
  return names;
}

function lexicalNames(body, names) {
  for (const statement of body) {
    if (statement.type === 'VariableDeclaration' && statement.kind !== 'var') {
      for (const d of statement.declarations) patternNames(d.id, names);
    } else if ((statement.type === 'FunctionDeclaration' || statement.type === 'ClassDeclaration') && statement.id) {
      names.push(statement.id.name);
    }
  }
  return names;
}

function nameOf(node) {
  return node.type === 'Identifier' ? node.name : node.value;
}

const isPlain = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
// In a function of its own: the engine makes the classes of such an expression with the function that has it, which
// takes milliseconds.
const isIdentifier = (name) => /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(name);
function member(object, name) {
  return isPlain(name) || isIdentifier(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

// Line breaks of a part of the text: what replaces it keeps the numbers of the lines.
function breaks(text, start, end) {
  let count = '';
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === 10) count += '\n';
  return count;
}

// The order of edits that close a statement is this less its beginning: they come after all others at their position,
// the inner ones first.
const kLast = 2 ** 40;

module.exports = { breaks, eachChild, kLast, lexicalNames, member, nameOf, patternNames, varNames };
