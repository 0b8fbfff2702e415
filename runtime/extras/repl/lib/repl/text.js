'use strict';

// Classifies the text that was typed: complete or unfinished, an expression or statements, with a
// top-level await or without.

const kOptions = { ecmaVersion: 'latest', allowHashBang: true, allowAwaitOutsideFunction: true };

function parse(code) {
  return require('internal/deps/acorn').parse(code, kOptions);
}

// A syntax error that more text could correct: the parser reached the end and expected more.
function isUnfinished(code) {
  try {
    parse(code);
    return false;
  } catch (error) {
    if (/^Unterminated (?:template|comment)/.test(error.message)) return true;
    if (/^Unterminated string/.test(error.message)) return /\\\r?\n?$/.test(code);
    return error.pos >= code.trimEnd().length && /^Unexpected token|^Unexpected end/.test(error.message);
  }
}

// `{ a: 1 }` is parsed as an object first, then as a block.
function asExpression(code) {
  if (!/^\s*\{/.test(code) || /;\s*$/.test(code)) return undefined;
  const wrapped = `(${code.trimEnd()})\n`;
  try {
    parse(wrapped);
    return wrapped;
  } catch {
    return undefined;
  }
}

function namesIn(pattern, into) {
  switch (pattern?.type) {
    case 'Identifier':
      into.add(pattern.name);
      break;
    case 'ObjectPattern':
      for (const each of pattern.properties) namesIn(each.value ?? each.argument, into);
      break;
    case 'ArrayPattern':
      for (const each of pattern.elements) namesIn(each, into);
      break;
    case 'AssignmentPattern':
      namesIn(pattern.left, into);
      break;
    case 'RestElement':
      namesIn(pattern.argument, into);
      break;
  }
}

const isFunction = (node) => /Function|^Class/.test(node.type);

function awaits(node) {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(awaits);
  if (typeof node.type !== 'string' || isFunction(node)) return false;
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return true;
  return Object.values(node).some(awaits);
}

class Edits {
  #code;
  #list = [];

  constructor(code) {
    this.#code = code;
  }

  replace(start, end, text) {
    this.#list.push([start, end, text]);
  }

  apply() {
    let out = '';
    let at = 0;
    for (const [start, end, text] of this.#list.sort((a, b) => a[0] - b[0] || a[1] - b[1])) {
      out += this.#code.slice(at, start) + text;
      at = end;
    }
    return out + this.#code.slice(at);
  }
}

// Declarations become assignments to names of the context, so that they survive the function around them.
function declarationEdits(node, edits, names) {
  for (const each of node.declarations) {
    namesIn(each.id, names);
    edits.replace(each.start, each.start, each.init === null ? `void (` : '(');
    edits.replace(each.end, each.end, ')');
  }
  edits.replace(node.start, node.declarations[0].start, '');
}

// Text with a top-level await, as a function that returns { value }: { names, code }, or undefined if there is none.
function withAwait(code) {
  if (!/\bawait\b/.test(code) || require('internal/process/flags').hasFlag('--no-experimental-repl-await'))
    return undefined;
  let program;
  try {
    program = parse(code);
  } catch {
    return undefined;
  }
  if (!awaits(program.body)) return undefined;
  const edits = new Edits(code);
  const names = new Set();
  let hoisted = '';
  const last = program.body.at(-1);
  for (const node of program.body) {
    if (node.type === 'VariableDeclaration') declarationEdits(node, edits, names);
    else if (node.type === 'ClassDeclaration') {
      names.add(node.id.name);
      edits.replace(node.start, node.start, `${node.id.name} = `);
      edits.replace(node.end, node.end, ';');
    } else if (node.type === 'FunctionDeclaration') hoisted += `globalThis.${node.id.name} = ${node.id.name};`;
    else if (node === last && node.type === 'ExpressionStatement') {
      edits.replace(node.expression.start, node.expression.start, 'return { value: (');
      edits.replace(node.expression.end, node.end, ') };');
    }
  }
  return { names: [...names], code: `(async () => { ${hoisted}${edits.apply()}\n})()` };
}

// At a prompt a name may be declared again, and the later one counts: top-level declarations become variables.
function withVariables(code) {
  if (!/\b(?:let|const|class)\b/.test(code)) return code;
  let program;
  try {
    program = parse(code);
  } catch {
    return code; // the engine reports the error
  }
  const edits = new Edits(code);
  for (const node of program.body) {
    if (node.type === 'VariableDeclaration' && node.kind !== 'var')
      edits.replace(node.start, node.start + node.kind.length, 'var');
    else if (node.type === 'ClassDeclaration') {
      edits.replace(node.start, node.start, `var ${node.id.name} = `);
      edits.replace(node.end, node.end, '; void 0;');
    }
  }
  return edits.apply();
}

// A replacement for import statements, which are allowed only in modules: the same with import().
function dynamicImports(code) {
  let tree;
  try {
    tree = require('internal/deps/acorn').parse(code, { ...kOptions, sourceType: 'module' });
  } catch {
    return undefined;
  }
  return tree.body
    .filter(({ type }) => type === 'ImportDeclaration')
    .map(dynamicImport)
    .join(' ');
}

function dynamicImport({ specifiers, source, attributes = [] }) {
  const options = attributes
    .map(({ key, value }) => `${key.name ?? JSON.stringify(key.value)}: ${JSON.stringify(value.value)}`)
    .join(', ');
  const attributed = options === '' ? '' : `, { with: { ${options} } }`;
  const imported = `await import(${JSON.stringify(source.value)}${attributed});`;
  const whole = specifiers.find(({ type }) => type === 'ImportNamespaceSpecifier')?.local.name;
  const named = specifiers
    .filter(({ type }) => type !== 'ImportNamespaceSpecifier')
    .map(({ type, imported: from, local }) => {
      const name = type === 'ImportDefaultSpecifier' ? 'default' : (from.name ?? JSON.stringify(from.value));
      return name === local.name ? name : `${name}: ${local.name}`;
    });
  const pattern = `{ ${named.join(', ')} }`;
  if (whole !== undefined)
    return `const ${whole} = ${imported}${named.length === 0 ? '' : ` const ${pattern} = ${whole};`}`;
  return named.length === 0 ? imported : `const ${pattern} = ${imported}`;
}

module.exports = { dynamicImports, isUnfinished, asExpression, withAwait, withVariables, parse };
