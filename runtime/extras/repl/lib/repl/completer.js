'use strict';

// Candidates for a completion at the cursor: a command, a module, a file, a property, a name. An expression is
// evaluated only if that has no side effects: names, literals and properties, but no calls.

const path = require('path');
const { parse } = require('internal/repl/text');

const keywords = (
  'async await break case catch const continue debugger default delete do else export false finally for function if ' +
  'import in ' +
  'instanceof let new null return switch this throw true try typeof var void while with yield'
).split(' ');

function fitting(words, start) {
  const lower = start.toLowerCase();
  return words.filter((word) => word.toLowerCase().startsWith(lower));
}

function isName(key) {
  return typeof key === 'string' && /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u.test(key);
}

// ---- modules and files ----

// The names in a directory that continue what was typed; a directory itself is opened.
function filesBelow(typed) {
  const fs = require('fs');
  const base = typed.endsWith('/') ? '' : path.basename(typed);
  const list = (directory, head, start) =>
    fs
      .readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.name.startsWith(start))
      .map((entry) => head + entry.name + (entry.isDirectory() ? '/' : ''))
      .sort();
  try {
    if (base !== '' && base !== '.' && fs.statSync(typed, { throwIfNoEntry: false })?.isDirectory())
      return [list(typed, `${base}/`, ''), base];
    return [list(base === '' ? typed : path.dirname(typed), '', base), base];
  } catch {
    return [[], base];
  }
}

function modulesFor(typed, context) {
  const { builtinModules } = require('module');
  if (/^\.{0,2}\//.test(typed) || typed === '.' || typed === '..') {
    const [names] = filesBelow(typed);
    const head = typed.slice(0, typed.lastIndexOf('/') + 1);
    return names.map((name) => head + name.replace(/\.(?:js|json|node)$/, ''));
  }
  const installed = [];
  for (const directory of context.module?.paths ?? [])
    installed.push(...filesBelow(`${directory}/`)[0].map((name) => name.replace(/\/$/, '')));
  const words = typed.startsWith('node:')
    ? builtinModules.map((id) => (id.startsWith('node:') ? id : `node:${id}`))
    : [...builtinModules, ...installed];
  return [...new Set(words.filter((word) => word.startsWith(typed) && !word.startsWith('_') && !word.startsWith('.')))];
}

// ---- expressions ----

const closers = { ']': '[', ')': '(' };

// Where the chain of properties that ends at `end` begins: names, dots and balanced brackets.
function chainStart(text, end) {
  let at = end;
  while (at > 0) {
    const character = text[at - 1];
    if (/[\p{ID_Continue}$\u200c\u200d.?]/u.test(character)) {
      if (character === '?' && text[at] !== '.') break;
      at--;
    } else if (character === ']' || character === ')') {
      const open = opening(text, at - 1);
      if (open === -1) break;
      at = open;
    } else if (/["'`]/.test(character)) {
      const open = text.lastIndexOf(character, at - 2);
      if (open === -1) break;
      at = open;
    } else {
      break;
    }
  }
  return at;
}

function opening(text, at) {
  const stack = [];
  for (let i = at; i >= 0; i--) {
    const character = text[i];
    if (character in closers) stack.push(closers[character]);
    else if (character === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return i;
    } else if (/["'`]/.test(character)) {
      const open = text.lastIndexOf(character, i - 1);
      if (open === -1) return -1;
      i = open;
    }
  }
  return -1;
}

const harmless = new Set([
  'Identifier',
  'Literal',
  'TemplateLiteral',
  'TemplateElement',
  'MemberExpression',
  'BinaryExpression',
  'ChainExpression',
  'ThisExpression',
  'ArrayExpression',
  'UnaryExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ParenthesizedExpression',
]);

function isHarmless(node) {
  if (node === null || typeof node !== 'object') return true;
  if (Array.isArray(node)) return node.every(isHarmless);
  if (typeof node.type !== 'string') return true;
  if (!harmless.has(node.type) || (node.type === 'UnaryExpression' && node.operator === 'delete')) return false;
  return Object.values(node).every(isHarmless);
}

// Reading must not call a getter of the program.
function runsGetter(node, evaluate, code) {
  if (node.type === 'ChainExpression') return runsGetter(node.expression, evaluate, code);
  if (node.type !== 'MemberExpression') return false;
  if (runsGetter(node.object, evaluate, code)) return true;
  const object = evaluate(code.slice(node.object.start, node.object.end));
  if (object === null || object === undefined) return false;
  const key = node.computed ? evaluate(code.slice(node.property.start, node.property.end)) : node.property.name;
  if (require('util').types.isProxy(object)) return true;
  for (let at = Object(object); at !== null; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined)
      return (
        found.get !== undefined &&
        !/\[native code\]/.test(Function.prototype.toString.call(found.get)) &&
        !isOurs(found.get)
      );
  }
  return false;
}

// Accessors of built-in modules and lazily loaded globals are harmless.
function isOurs(getter) {
  return getter.length === 0 && !/\bset\b/.test(getter.name);
}

function keysOf(object) {
  const groups = [];
  for (let at = Object(object); at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    const many = (ArrayBuffer.isView(at) || Array.isArray(at)) && at.length > 1e4;
    const keys = Object.getOwnPropertyNames(many ? keyHolder(at) : at)
      .filter(isName)
      .sort();
    if (keys.length > 0) groups.push(keys);
  }
  return groups;
}

// The named properties of an object that may have a million indices.
function keyHolder(list) {
  const holder = {};
  for (const key of Reflect.ownKeys(list).slice(list.length)) if (typeof key === 'string') holder[key] = list[key];
  return holder;
}

class Completer {
  #server;

  constructor(server) {
    this.#server = server;
  }

  // Gives [candidates, what they complete].
  find(text) {
    const command = /^\s*\.(\w*)$/.exec(text);
    if (command !== null) {
      const names = Object.keys(this.#server.commands).filter((name) => name.startsWith(command[1]));
      return [names.map((name) => name), command[1]];
    }
    const required = /\b(?:require|import)\s*\(\s*(['"`])([^'"`]*)$/.exec(text);
    if (required !== null) return [modulesFor(required[2], this.#server.context), required[2]];
    const file = /\bfs(?:\.promises)?\s*\.\s*[a-zA-Z]+\(\s*["'](.*)$/.exec(text);
    if (file !== null) return filesBelow(file[1]);
    return this.#expression(text);
  }

  #expression(text) {
    if (/[^\p{ID_Continue}$.\])]$/u.test(text) && text !== '') return [[], text];
    const start = chainStart(text, text.length);
    const chain = text.slice(start).replace(/^[.?]+(?=\.)/, '');
    const dot = chain.lastIndexOf('.');
    const bracket = Math.max(chain.lastIndexOf(']'), chain.lastIndexOf(')'));
    if (dot !== -1 && dot > bracket) return this.#members(chain, dot);
    if (bracket !== -1) return [[], text];
    return this.#names(chain);
  }

  #members(chain, dot) {
    const typed = chain.slice(dot + 1);
    const optional = chain[dot - 1] === '?';
    const base = chain.slice(0, optional ? dot - 1 : dot);
    let groups = [];
    try {
      const program = parse(base);
      const node = program.body[0]?.expression;
      const evaluate = (code) => this.#server._evaluateQuietly(code);
      if (program.body.length === 1 && node !== undefined && isHarmless(node) && !runsGetter(node, evaluate, base)) {
        const value = evaluate(base);
        if (value !== null && value !== undefined) groups = keysOf(value);
      }
    } catch {
      // no such name, or it cannot be read
    }
    const head = chain.slice(0, dot + 1);
    return [merge(groups.map((group) => fitting(group, typed).map((key) => head + key))), chain];
  }

  #names(typed) {
    const { context, useGlobal } = this.#server;
    const groups = [keywords];
    const own = keysOf(useGlobal ? globalThis : context);
    groups.push(...own);
    if (!useGlobal)
      groups.push(this.#server._evaluateQuietly('Object.getOwnPropertyNames(globalThis)').filter(isName).sort());
    groups.push(require('module').builtinModules.filter((id) => isName(id) && !id.startsWith('_')));
    return [merge(groups.map((group) => fitting(group, typed))), typed];
  }
}

// Groups one after the other, the nearest last, without names that an earlier one has.
function merge(groups) {
  const seen = new Set();
  const out = [];
  for (const group of groups) {
    const fresh = group.filter((word) => !seen.has(word));
    if (fresh.length === 0) continue;
    for (const word of fresh) seen.add(word);
    if (out.length > 0) out.unshift('');
    out.unshift(...fresh);
  }
  return out;
}

module.exports = { Completer };
