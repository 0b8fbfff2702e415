'use strict';

// The places in the text of a function where it can be suspended, in the order in which the engine generates its code:
// it numbers them so.

const acorn = require('internal/deps/acorn');

const options = {
  ecmaVersion: 'latest',
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowReturnOutsideFunction: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
};

// The code of a function is its block, or the expression of an arrow function.
function parse(text, isGenerator) {
  for (const head of isGenerator ? ['async function* code() '] : ['async function code() ', 'async () => ']) {
    try {
      const { body } = acorn.parse(head + text, options);
      if (body.length !== 1) continue;
      const [statement] = body;
      const code = statement.type === 'ExpressionStatement' ? statement.expression : statement;
      return { root: code.body, shift: head.length };
    } catch {
      // another kind of function
    }
  }
  return undefined;
}

function pointsIn(text, isGenerator) {
  const parsed = parse(text, isGenerator);
  if (parsed === undefined) return [];
  const found = [];
  visit(parsed.root, isGenerator, (at) => found.push(at - parsed.shift));
  return found;
}

const isNode = (value) => typeof value === 'object' && value !== null && typeof value.type === 'string';

function childrenOf(node) {
  const children = [];
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children.sort((a, b) => a.start - b.start);
}

const none = () => [];

// What is not generated in the order of the text; each gets its parts in order.
const orders = {
  __proto__: null,
  // A loop's condition is generated twice: before the loop, and at its end.
  ForStatement: ({ init, test, update, body }) => [init, test, body, update, test],
  WhileStatement: ({ test, body }) => [test, body, test],
  ForInStatement: ({ left, right, body }) => [right, left, body],
  ForOfStatement: ({ left, right, body }) => [right, left, body],
  SwitchStatement: ({ discriminant, cases }) => [
    discriminant,
    ...cases.map(({ test }) => test),
    ...cases.flatMap(({ consequent }) => consequent),
  ],
  VariableDeclarator: ({ id, init }) => [init, id],
  AssignmentExpression: ({ left, right }) => (left.type.endsWith('Pattern') ? [right, left] : [left, right]),
  // Functions have code of their own.
  FunctionDeclaration: none,
  FunctionExpression: none,
  ArrowFunctionExpression: none,
  StaticBlock: none,
  PropertyDefinition: ({ key, computed }) => (computed ? [key] : []),
  AccessorProperty: ({ key, computed }) => (computed ? [key] : []),
};

const kDelegation = 5; // places of a `yield*`

// What V8 has as the position of a loop's calls of next(): in the declaration, or in what is assigned to.
function positionOf(node) {
  if (node.type === 'VariableDeclaration') {
    const { id } = node.declarations[0];
    return id.type === 'Identifier' ? id.start : id.end - 1;
  }
  if (node.type !== 'MemberExpression') return node.start;
  return node.computed ? node.object.end : node.property.start;
}

// Does a statement have a `break` that ends the loop around it?
function breaks(node, label, isInner) {
  if (node.type === 'BreakStatement') return node.label === null ? !isInner : node.label.name === label;
  if (orders[node.type] === none) return false;
  const isBreakable = /^(?:For.*|While|DoWhile|Switch)Statement$/.test(node.type);
  return childrenOf(node).some((child) => breaks(child, label, isInner || isBreakable));
}

function visit(node, isGenerator, tell, label) {
  for (const child of orders[node.type]?.(node) ?? childrenOf(node)) {
    if (child) visit(child, isGenerator, tell, node.type === 'LabeledStatement' ? node.label.name : undefined);
  }
  if (node.type === 'AwaitExpression') {
    tell(node.start);
  } else if (node.type === 'YieldExpression') {
    for (let i = node.delegate ? kDelegation : 1; i > 0; i--) tell(node.start);
  } else if (node.type === 'ReturnStatement' && isGenerator && node.argument) {
    tell(node.argument.start);
  } else if (node.type === 'ForOfStatement' && node.await) {
    // The end after an error, the next value, and the end after a `break`.
    for (let i = breaks(node.body, label, false) ? 3 : 2; i > 0; i--) tell(positionOf(node.left));
  }
}

module.exports = { pointsIn };
