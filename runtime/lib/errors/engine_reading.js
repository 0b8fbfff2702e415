'use strict';

// V8's messages for errors of the engine whose own message does not say enough: the source at the error's position is
// parsed (internal/errors/source_expressions). What the source does not show (the value of a variable at that
// moment) is left out, or assumed to be undefined where nearly every such error is about undefined.

const { kNoObject } = require('internal/errors/engine_texts');

const words = () => require('internal/errors/source_expressions');
const kIteratorKey = '(cannot read property Symbol(Symbol.iterator))';

function readingOf(value, code, place) {
  const simple = /^[\w$]+(?:\.[\w$]+)*\.([\w$]+)$/.exec(code);
  const isLooped = () => /\bof\s+[\w$.]*$/.test(place.before) && place.behind.startsWith('.');
  if (simple !== null)
    return isLooped() ? `${code} is not iterable` : `Cannot read properties of ${value} (reading '${simple[1]}')`;
  const { expressionAt, bare, keyOf, showIterable } = words();
  const node = bare(expressionAt(code));
  const name = (verb, gerund, member) => {
    const key = keyOf(member);
    if (key === 'Symbol(Symbol.iterator)' && verb === 'read')
      return `${value} is not iterable (cannot read property ${key})`;
    return `Cannot ${verb} properties of ${value}${key === undefined ? '' : ` (${gerund} '${key}')`}`;
  };
  const inner = node?.type === 'ChainExpression' ? node.expression : node;
  switch (inner?.type) {
    case 'MemberExpression':
      return isLooped() ? showIterable(inner) : name('read', 'reading', inner);
    case 'AssignmentExpression':
      if (inner.left.type !== 'MemberExpression') break;
      return inner.operator === '=' ? name('set', 'setting', inner.left) : name('read', 'reading', inner.left);
    case 'UpdateExpression':
      return name('read', 'reading', inner.argument);
    case 'UnaryExpression':
      return kNoObject;
    case 'NewExpression':
      return inner.callee.type === 'MemberExpression' && place.native === undefined
        ? name('read', 'reading', inner.callee)
        : kNoObject;
    case 'CallExpression': {
      const key = inner.callee.type === 'MemberExpression' ? keyOf(inner.callee) : undefined;
      if (key === 'toLocaleString' || inner.callee.object?.property?.name === 'toLocaleString') break;
      return place.native === undefined && /\bof\s[^]*$|[\]=]\s*[\w$.]*$/.test(place.before)
        ? showIterable(inner)
        : kNoObject;
    }
    case 'ArrayExpression': {
      const [first] = inner.elements;
      if (first?.type === 'MemberExpression') return name('set', 'setting', first);
      return unpacked(value, code, place);
    }
    case 'Identifier':
      return /\byield\s*\*\s*\w*$/.test(place.before)
        ? `${value} is not iterable ${kIteratorKey}`
        : `${inner.name} is not iterable`;
    default:
  }
  return undefined;
}

// An array pattern was given a value that is not iterable.
function unpacked(value, pattern, place) {
  const { expressionAt, bare, show, showIterable, describeWithType } = words();
  const { behind } = place;
  const rest = behind.startsWith(pattern) ? behind.slice(pattern.length) : '';
  if (/^\s*of\b/.test(rest)) return '.for is not iterable';
  const equals = /^\s*=(?![=>])\s*/.exec(rest);
  const source = equals ? bare(expressionAt(rest, equals[0].length)) : undefined;
  const isDeclared = /\b(?:let|const|var)\s+$|,\s*$/.test(place.before);
  const unknown = value === 'undefined' || value === 'null' ? (value === 'null' ? 'object null' : value) : 'object';
  if (source === undefined) return `${unknown} is not iterable ${kIteratorKey}`;
  if (source.type === 'Identifier' || (isDeclared && /^(?:Literal|ObjectExpression)$/.test(source.type)))
    return `${show(source)} is not iterable`;
  if (source.type === 'CallExpression' && /^(?:Identifier|MemberExpression)$/.test(source.callee.type))
    return showIterable(source);
  const described = describeWithType(source);
  return `${described === 'undefined' ? unknown : described} is not iterable ${kIteratorKey}`;
}

function near(value, code, place) {
  const { expressionAt, bare, show, showIterable } = words();
  const loop = /^[^]*?\sof\s+([^]+)$/.exec(code);
  if (loop) {
    const node = expressionAt(loop[1]);
    return node && showIterable(node);
  }
  if (code.startsWith('[')) return unpacked('', code, place);
  const delegated = /^yield\s*\*\s*([^]+)$/.exec(code);
  if (delegated) return `${words().describeWithType(expressionAt(delegated[1]))} is not iterable ${kIteratorKey}`;
  const node = bare(expressionAt(code));
  return node?.type === 'TaggedTemplateExpression' ? `${show(node.tag)} is not a function` : undefined;
}

function spread(isEmpty, place) {
  const { behind, before } = place;
  const line = before + (behind.split('\n', 1)[0] ?? '');
  const starts = [...line.matchAll(/\.\.\.(?=[^.)\]}])/g)].map((match) => match.index);
  const at = starts.filter((start) => start < before.length).pop() ?? starts[0];
  const { expressionAt, show, showIterable } = words();
  const hit =
    behind.startsWith('(') || before.trimStart() === '' ? (starts.find((start) => start >= before.length) ?? at) : at;
  const node = hit === undefined ? undefined : expressionAt(line, hit + 3);
  if (node === undefined) return isEmpty ? 'undefined is not iterable' : undefined;
  // The last bracket that is open there shows whether it is a list or a call.
  let depth = 0;
  let open;
  for (let i = hit - 1; i >= 0 && open === undefined; i--) {
    if (/[)\]}]/.test(line[i])) depth++;
    else if (/[([{]/.test(line[i]) && depth-- === 0) open = line[i];
  }
  if (open === '[') return showIterable(node);
  return isEmpty ? `${show(node)} is not iterable (cannot read property undefined)` : undefined;
}

// Whether what stands before a place, and ends in a name, is a module's namespace.
function isNamespace(place, before = place.before) {
  const name = /(?:^|[^.\w$])([\w$]+)$/.exec(before)?.[1].replaceAll('$', '\\$');
  return name !== undefined && new RegExp(`\\*\\s*as\\s+${name}\\b`).test(place.text ?? '');
}

function readonly(place) {
  const { behind, before } = place;
  if (place.native === 'push' || place.native === 'unshift') return 'Cannot add property 0, object is not extensible';
  if (place.native === 'setPrototypeOf') return '#<Object> is not extensible';
  if (place.native !== undefined) return 'Cannot assign to read only property of object';
  // A bracket that no expression stands before begins a pattern.
  if (!/^[.[]/.test(behind) || (behind[0] === '[' && !/[\w$)\]'"`]\s*$/.test(before))) {
    const global = /\b(NaN|undefined|Infinity)\s*=$/.exec(before)?.[1];
    return global
      ? `Cannot assign to read only property '${global}' of object '#<Object>'`
      : 'Assignment to constant variable.';
  }
  const { key } = place;
  if (key === undefined) return 'Cannot assign to read only property';
  if (isNamespace(place)) return `Cannot assign to property '${key}' of [object Module]`;
  const owner = /(?:^|[\s(;{}])(?:'([^']*)'|"([^"]*)"|\(?(\d+)\)?|(true|false)|(Symbol\(\)))$/.exec(before);
  if (owner !== null) {
    const [, single, double, number, boolean, symbol] = owner;
    const type =
      number !== undefined ? 'number' : boolean !== undefined ? 'boolean' : symbol !== undefined ? 'symbol' : 'string';
    const value = single ?? double ?? number ?? boolean ?? symbol;
    const isFixed = type === 'string' && (key === 'length' || /^\d+$/.test(key));
    return isFixed
      ? `Cannot assign to read only property '${key}' of string '${value}'`
      : `Cannot create property '${key}' on ${type} '${value}'`;
  }
  return (
    `Cannot assign to read only property '${key}' of object ` +
    `'${key === 'length' || /^\d+$/.test(key) ? '[object Array]' : '#<Object>'}'`
  );
}

function deletion(place) {
  if (place.native !== undefined) return "Cannot delete property '0' of [object Array]";
  const { expressionAt, bare, keyOf } = words();
  const match = /\bdelete\s+([^]*)$/.exec(place.before);
  const node = match && bare(expressionAt(match[1]));
  if (node?.type !== 'MemberExpression') return undefined;
  const owner =
    node.object.type === 'Identifier' && isNamespace(place, node.object.name) ? '[object Module]' : '#<Object>';
  return `Cannot delete property '${keyOf(node)}' of ${owner}`;
}

const firstGiven = (place, how) => words()[how](place.given[0]);

// Native functions that take an iterable.
const takers = new Set(['Map', 'Set', 'WeakMap', 'WeakSet', 'AggregateError', 'format']);
const receiver = (owner) => (m, place) =>
  `Method ${owner}.prototype.${place.native ?? 'get'} called on incompatible receiver #<Object>`;

function typeError(place) {
  const name = place.native;
  if (name === undefined) return undefined;
  const { describeWithType, literalOf } = words();
  if (takers.has(name)) {
    const [first] = place.given;
    const node =
      first?.type === 'ArrayExpression'
        ? first.elements.find((item) => literalOf(item)?.kind === undefined)
        : undefined;
    if (node) return `Iterator value ${words().describe(node)} is not an entry object`;
    const described = describeWithType(first);
    return `${described === 'undefined' ? 'object' : described} is not iterable ${kIteratorKey}`;
  }
  if (/^(?:get|set)[A-Z]|^valueOf$/.test(name) && name in Date.prototype) return 'this is not a Date object.';
  if (name in Date.prototype && name.startsWith('toISO'))
    return `Method Date.prototype.${name} called on incompatible receiver #<Object>`;
  if (name !== 'toString' && name !== 'valueOf' && name in String.prototype)
    return `String.prototype.${name} called on null or undefined`;
  const owner = { toString: /\b(String|Function)\.prototype/, valueOf: /\b(String|Boolean)\.prototype/ }[name]?.exec(
    place.before,
  )?.[1];
  return owner && `${owner}.prototype.${name} requires that 'this' be a ${owner}`;
}

const regexpWords = {
  'missing terminating ] for character class': 'Unterminated character class',
  'missing )': 'Unterminated group',
  'unmatched parentheses': "Unmatched ')'",
  'nothing to repeat': 'Nothing to repeat',
  'duplicate group specifier name': 'Duplicate capture group name',
  'invalid group specifier name': 'Invalid capture group name',
  'invalid \\k<> named backreference': 'Invalid named capture referenced',
  'range out of order in character class': 'Range out of order in character class',
  'invalid property expression': 'Invalid property name',
  'invalid Unicode code point \\u{} escape': 'Invalid Unicode escape',
  'incomplete {} quantifier for Unicode pattern': 'Incomplete quantifier',
  'invalid quantifier': 'Invalid quantifier',
  'invalid escaped character for Unicode pattern': 'Invalid escape',
};

function badRegExp(what, place) {
  const [pattern, flags] = place.given.map((node) => words().literalOf(node)?.value);
  const said = regexpWords[what] ?? what;
  return typeof pattern === 'string'
    ? `Invalid regular expression: /${pattern}/${flags ?? ''}: ${said}`
    : `Invalid regular expression: ${said}`;
}

module.exports = {
  readingOf,
  near,
  spread,
  isNamespace,
  readonly,
  deletion,
  firstGiven,
  receiver,
  typeError,
  badRegExp,
  kIteratorKey,
};
