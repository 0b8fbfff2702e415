'use strict';

// What a position in a file is about, if the engine's message quotes nothing: which pattern could not be filled, which
// variable was used too early. The whole file is parsed once, when a program first reads such an error.

const { acorn, options, bare, show, literalOf } = require('internal/errors/source_expressions');

const kLongest = 1 << 20; // a larger file is not parsed for a message
const kKept = 4;
const trees = new Map();

function treeOf(file, text) {
  let tree = trees.get(file);
  if (tree?.text === text) return tree;
  tree = { text, root: undefined };
  if (text.length <= kLongest) {
    for (const sourceType of ['script', 'module']) {
      try {
        tree.root = acorn.parse(text, { ...options, sourceType });
        break;
      } catch {
        // the other kind (script or module), or none: the engine may support more syntax than the parser
      }
    }
  }
  if (trees.size >= kKept) trees.clear();
  trees.set(file, tree);
  return tree;
}

function offsetOf(text, line, column) {
  let at = 0;
  for (let i = 1; i < line; i++) {
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return -1;
  }
  return at + column - 1;
}

function* childrenOf(node) {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item?.type === 'string') yield item;
    } else if (typeof value?.type === 'string') {
      yield value;
    }
  }
}

const isFunction = (node) => /^(?:ArrowFunctionExpression|Function(?:Expression|Declaration))$/.test(node.type);

// The innermost function around a position. For the engine a function begins with its parentheses.
function functionAt(node, at, found) {
  if (isFunction(node)) found = node;
  for (const child of childrenOf(node)) {
    if (child.start <= at && at <= child.end) {
      const inner = functionAt(child, at, found);
      if (inner !== found && inner.start <= at) return inner;
    }
  }
  return found;
}

function* within(node) {
  yield node;
  for (const child of childrenOf(node)) if (!isFunction(child)) yield* within(child);
}

const isEarlier = (a, b) => a.start - b.start;

function messageForPattern(pattern, source, what) {
  const [first] = pattern.properties;
  const value = source !== undefined && literalOf(source)?.value === null ? 'null' : 'undefined';
  const inner = first?.value?.type === 'AssignmentPattern' ? first.value.left : first?.value;
  const isGiven = source !== undefined && /^(?:Object|Array)Expression$/.test(bare(source).type);
  if (isGiven && inner?.type === 'ObjectPattern') return messageForNested(inner);
  const name = first?.type === 'Property' && !first.computed ? (first.key.name ?? `${first.key.value}`) : undefined;
  if (name !== undefined && first.value.type === 'AssignmentPattern' && what === undefined) {
    return `Cannot read properties of ${value} (reading '${name}')`;
  }
  const shown = what ?? (source === undefined ? value : show(source));
  return `Cannot destructure ${name === undefined ? '' : `property '${name}' of `}'${shown}' as it is ${value}.`;
}

function messageForNested(pattern) {
  const [first] = pattern.properties;
  if (first?.value?.type === 'ObjectPattern') return messageForNested(first.value);
  return `Cannot read properties of undefined (reading '${first?.key?.name}')`;
}

// The message for an object pattern that was given undefined or null.
function destructuring(file, text, line, column) {
  const { root } = treeOf(file, text);
  const at = offsetOf(text, line, column);
  if (root === undefined || at < 0) return undefined;
  const scope = functionAt(root, at);
  const parameter = scope?.params.find(
    (node) => (node.type === 'AssignmentPattern' ? node.left : node).type === 'ObjectPattern',
  );
  // Before the first statement of the function, the pattern is one of the parameters.
  if (parameter !== undefined && at <= (scope.body.body?.[0] ?? scope.body).start) {
    if (parameter.type === 'AssignmentPattern')
      return messageForPattern(parameter.left, undefined, '(intermediate value)'.repeat(3));
    const isNested = parameter.properties[0]?.value?.type === 'ObjectPattern';
    return isNested
      ? messageForNested(parameter.properties[0].value)
      : messageForPattern(parameter, undefined, 'undefined');
  }
  const candidates = [];
  for (const node of within(scope ?? root)) {
    if (node.type === 'VariableDeclarator' && node.id.type === 'ObjectPattern' && node.init !== null)
      candidates.push([node, node.id, node.init]);
    else if (node.type === 'AssignmentExpression' && node.left.type === 'ObjectPattern')
      candidates.push([node, node.left, node.right]);
    else if (node.type === 'ForOfStatement' && node.left.declarations?.[0].id.type === 'ObjectPattern') {
      candidates.push([node.left, node.left.declarations[0].id, undefined, '.for']);
    }
  }
  const hit = candidates.filter(([node]) => node.end >= at).sort(([a], [b]) => isEarlier(a, b))[0];
  return hit === undefined ? undefined : messageForPattern(hit[1], hit[2], hit[3]);
}

// ---- variables before their declaration ----

function namesOf(pattern, names = []) {
  if (pattern.type === 'Identifier') names.push(pattern.name);
  else for (const child of childrenOf(pattern)) namesOf(child, names);
  return names;
}

function lexicalNames(root) {
  const found = new Map(); // name -> where its declarations begin
  const add = (name, at) => found.set(name, [...(found.get(name) ?? []), at]);
  const walk = (node) => {
    if (node.type === 'ClassDeclaration' && node.id) add(node.id.name, node.id.start);
    if (node.type === 'VariableDeclaration' && node.kind !== 'var') {
      for (const { id } of node.declarations) for (const name of namesOf(id)) add(name, id.start);
    }
    for (const child of childrenOf(node)) walk(child);
  };
  walk(root);
  return found;
}

// Which variable was used before it had a value: the first at or behind the place that is declared
// further on, or outside.
function earlyName(file, text, line, column) {
  const { root } = treeOf(file, text);
  const at = offsetOf(text, line, column);
  if (root === undefined || at < 0) return undefined;
  const scope = functionAt(root, at) ?? root;
  const declared = lexicalNames(root);
  let outside;
  // columns of a rewritten text are not exact: if nothing else is found, a variable before the position counts
  let before;
  const references = [];
  for (const node of within(scope)) if (node.type === 'Identifier' && declared.has(node.name)) references.push(node);
  for (const { name, start, end } of references.sort(isEarlier)) {
    const places = declared.get(name);
    if (places.includes(start)) continue;
    const isLater =
      places.some((place) => place > start && place <= scope.end) ||
      places.some((place) => place < start && text.slice(place, start).trim() === `${name} extends`);
    if (isLater && end >= at) return name;
    if (isLater) before ??= name;
    else if (end >= at && places.every((place) => place < scope.start || place > scope.end)) outside ??= name;
  }
  return before ?? outside;
}

module.exports = { destructuring, earlyName };
