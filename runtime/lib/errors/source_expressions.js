'use strict';

// Expressions of a program as V8 shows them in its messages: `a.b(...).c`, `(intermediate value)`. The engine's own
// messages quote the source; here the source is parsed and printed in V8's form. Loaded when a program first reads an
// error of the engine whose text is not a plain chain of names.

const acorn = require('internal/deps/acorn');

const kMiddle = '(intermediate value)';
const options = {
  ecmaVersion: 'latest',
  preserveParens: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  allowReturnOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowNewDotTargetOutsideFunction: true,
  checkPrivateFields: false,
  allowHashBang: true,
};

// The expression that begins at `at`; undefined if there is none.
function expressionAt(text, at = 0) {
  try {
    return acorn.parseExpressionAt(text, at, options);
  } catch {
    return undefined;
  }
}

const bare = (node) => (node?.type === 'ParenthesizedExpression' ? bare(node.expression) : node);

const textOfTemplate = (node) =>
  node.type === 'TemplateLiteral' && node.expressions.length === 0 ? node.quasis[0].value.cooked : undefined;

// The key of a member as text, if it is a constant in the source.
function keyOf(member) {
  const { property } = member;
  if (property.type === 'PrivateIdentifier') return `#${property.name}`;
  if (!member.computed) return property.name;
  if (property.type === 'Literal') return `${property.value}`;
  if (property.type === 'UnaryExpression' && property.operator === '-' && property.argument.type === 'Literal')
    return `-${property.argument.value}`;
  if (property.type === 'MemberExpression' && property.object.name === 'Symbol' && !property.computed)
    return `Symbol(Symbol.${property.property.name})`;
  return property.name === 'undefined' ? 'undefined' : textOfTemplate(property);
}

const isConstant = (node) => {
  const inner = bare(node);
  if (inner.type === 'Literal') return true;
  if (inner.type === 'UnaryExpression')
    return inner.operator !== 'void' && inner.operator !== 'typeof' && isConstant(inner.argument);
  return inner.type === 'BinaryExpression' && isConstant(inner.left) && isConstant(inner.right);
};

function member(node) {
  const dot = node.optional ? '?.' : '.';
  const key = node.property;
  if (!node.computed) return `${show(node.object)}${dot}${key.type === 'PrivateIdentifier' ? '#' : ''}${key.name}`;
  const text = key.type === 'Literal' && typeof key.value === 'string' ? key.value : textOfTemplate(key);
  if (text !== undefined) return `${show(node.object)}${dot}${text}`;
  return `${show(node.object)}${node.optional ? '?.' : ''}[${show(key)}]`;
}

const shows = {
  __proto__: null,
  Identifier: (node) => node.name,
  ThisExpression: () => 'this',
  Literal: (node) => (typeof node.value === 'string' ? `"${node.value}"` : node.raw),
  TemplateLiteral: (node) =>
    node.expressions.length === 0 ? `"${node.quasis[0].value.cooked}"` : node.expressions.map(show).join(''),
  MemberExpression: member,
  CallExpression: (node) => `${show(node.callee)}(...)`,
  ChainExpression: (node) => show(node.expression),
  ParenthesizedExpression: (node) => (node.expression.type === 'ChainExpression' ? kMiddle : show(node.expression)),
  ArrayExpression: (node) => `[${node.elements.map((element) => (element === null ? '' : show(element))).join(',')}]`,
  SpreadElement: (node) => `(...${show(node.argument)})`,
  ObjectExpression: (node) => `{${kMiddle.repeat(node.properties.length)}}`,
  ConditionalExpression: () => kMiddle.repeat(3),
  SequenceExpression: (node) => `(${node.expressions.map(show).join(' , ')})`,
  LogicalExpression: (node) => `(${show(node.left)} ${node.operator} ${show(node.right)})`,
  BinaryExpression: (node) => `(${show(node.left)} ${node.operator} ${show(node.right)})`,
  UnaryExpression: (node) =>
    node.operator === '-' && node.argument.type === 'Literal'
      ? `-${node.argument.raw}`
      : `(${node.operator}${/\w$/.test(node.operator) ? ' ' : ''}${show(node.argument)})`,
  UpdateExpression: (node) =>
    node.prefix ? `(${node.operator}${show(node.argument)})` : `(${show(node.argument)}${node.operator})`,
  AssignmentExpression: (node) => show(node.left),
  AwaitExpression: (node) => `(await ${show(node.argument)})`,
};

function show(node) {
  return shows[node.type]?.(node) ?? kMiddle;
}

// A callee. The engine gives its value, too; V8 shows the value where it computed it at compile time.
function showCallee(text, value) {
  if (/^[\w$]+(?:\.[\w$]+)*$/.test(text)) return text;
  const node = expressionAt(text);
  if (node === undefined || node.end < text.trimEnd().length) return text;
  if (bare(node).type !== 'Literal' && isConstant(node) && value !== undefined) return value;
  return show(node);
}

// The description of a value that is not iterable.
function showIterable(node) {
  const inner = bare(node);
  return inner.type === 'CallExpression'
    ? `${show(inner.callee)} is not a function or its return value is not iterable`
    : `${show(inner)} is not iterable`;
}

// ---- values that are literals in the source ----

// { value } for a literal, { kind } for an object or array literal, undefined for a value that is known
// only at run time.
function literalOf(node) {
  const inner = bare(node);
  switch (inner?.type) {
    case 'Literal':
      return inner.regex ? { kind: 'RegExp', text: inner.raw } : { value: inner.value };
    case 'TemplateLiteral':
      return inner.expressions.length === 0 ? { value: inner.quasis[0].value.cooked } : undefined;
    case 'UnaryExpression': {
      const inside = literalOf(inner.argument);
      return inner.operator === '-' && typeof inside?.value === 'number' ? { value: -inside.value } : undefined;
    }
    case 'Identifier':
      return ['NaN', 'Infinity'].includes(inner.name) ? { value: +inner.name } : undefined;
    case 'ObjectExpression':
      return { kind: 'Object', text: '#<Object>' };
    case 'ArrayExpression':
      return { kind: 'Array', text: '[object Array]' };
    case 'NewExpression':
      return inner.callee.type === 'Identifier'
        ? { kind: inner.callee.name, text: `#<${inner.callee.name}>` }
        : undefined;
    case 'CallExpression':
      return inner.callee.name === 'Symbol' ? { kind: 'symbol', text: 'Symbol()' } : undefined;
    default:
      return undefined;
  }
}

// "number 5", "object null", "object". A value that is not known is assumed to be undefined, which it is in nearly all
// such errors.
function describeWithType(node) {
  const known = literalOf(node);
  if (known === undefined) return 'undefined';
  if (known.kind !== undefined) return known.kind === 'symbol' ? 'symbol' : 'object';
  const { value } = known;
  return value === null ? 'object null' : `${typeof value} ${typeof value === 'string' ? `"${value}"` : value}`;
}

// "5", "null", "#<Object>"
function describe(node) {
  const known = literalOf(node);
  return known === undefined ? 'undefined' : (known.text ?? `${known.value}`);
}

module.exports = {
  acorn,
  options,
  expressionAt,
  bare,
  show,
  showCallee,
  showIterable,
  keyOf,
  literalOf,
  describe,
  describeWithType,
};
