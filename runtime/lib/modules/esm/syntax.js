'use strict';

// Syntax of ES modules that the parser or the engine needs help with.
//
// What the rewriting of modules asks of a syntax tree (ESTree): the children of a node, and the names that it declares.

const { marksDelegation } = require('internal/modules/order_edits');

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

// The parser does not support the source phase (`import source x from`, `import.source()`): it gets blanks in place of
// the word, and code that handles an import looks at the text itself.
const kSourceCall = /\bimport(\s*\.\s*)source(?=\s*\()/g;
const kSourceAhead = /^import\s*\.?\s*source\b/;

function blankSourcePhase(text) {
  return /\bimport\s*\.?\s*source\b/.test(text) ? blanked(text) : text;
}

// A function of its own: the engine makes the classes of its expression with it, which takes milliseconds.
function blanked(text) {
  const blank = (found) => `import${found.slice(6).replace(/\S/g, ' ')}`;
  return text
    .replace(/\bimport(\s+)source(?=\s+(?!from\s*['"])[\p{ID_Start}$_][\p{ID_Continue}$]*\s+from\b)/gu, blank)
    .replace(kSourceCall, blank);
}

function hasSourcePhase(text, masked, node) {
  return (
    text !== masked &&
    kSourceAhead.test(text.slice(node.start, node.end)) &&
    !kSourceAhead.test(masked.slice(node.start, node.end))
  );
}

// `yield* x` of an asynchronous generator: an engine whose order has been repaired would await too much, so it is told
// the operand (runtime/lib/async/delegate.js).

const kYieldStar = /^yield\s*\*/;

function editDelegation(text, node, importer, edit) {
  const found = marksDelegation ? kYieldStar.exec(text.slice(node.start, node.end)) : null;
  if (found === null) return;
  const start = node.start + found[0].length;
  edit(start, start, ` ${importer}.delegate(`);
  edit(node.end, node.end, ')');
}

module.exports = {
  breaks,
  eachChild,
  kLast,
  lexicalNames,
  member,
  nameOf,
  patternNames,
  varNames,
  blankSourcePhase,
  hasSourcePhase,
  editDelegation,
};
