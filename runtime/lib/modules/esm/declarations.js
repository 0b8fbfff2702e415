'use strict';

// The import and export declarations of a module: what it requests and offers, and the edits that remove the
// declarations from its text.

const { hasSourcePhase, breaks, nameOf, patternNames } = require('internal/modules/esm/syntax');

const kDefault = /^export(?:\s|\/\*[^]*?\*\/|\/\/.*)*default/;
const kFunctionHead = /^(?:async\b\s*)?function\b\s*\*?/;

function attributesOf(node) {
  if (!node.attributes?.length) return undefined;
  const result = { __proto__: null };
  for (const a of node.attributes) result[a.key.name ?? a.key.value] = a.value.value;
  return result;
}

function importedName(specifier) {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  return specifier.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(specifier.imported);
}

class Declarations {
  requests = []; // { specifier, attributes, isSource }
  imports = new Map(); // local name -> { request, name }; name '*' is the namespace
  locals = []; // [exported name, expression]
  indirect = []; // [exported name, request, imported name]
  stars = [];
  checks = []; // [request, name, local name]: names that must exist
  namedDefault = false;
  defaultEnd = undefined; // where the default's value ends; edited last: what is around its end comes before it
  #text;
  #masked;
  #edit;
  #requestIndex = new Map();
  #exportedLocals = [];

  // `masked` is the text without the word `source` of the source phase.
  constructor(text, masked, edit) {
    this.#text = text;
    this.#masked = masked;
    this.#edit = edit;
  }

  collect(body) {
    for (const node of body) {
      if (node.type === 'ImportDeclaration') this.#import(node);
      else if (node.type === 'ExportAllDeclaration') this.#exportAll(node);
      else if (node.type === 'ExportNamedDeclaration') this.#exportNamed(node);
      else if (node.type === 'ExportDefaultDeclaration') this.#exportDefault(node);
    }
    for (const [exported, local] of this.#exportedLocals) {
      const imported = this.imports.get(local);
      if (imported !== undefined) this.indirect.push([exported, imported.request, imported.name]);
      else this.locals.push([exported, local]);
    }
  }

  #request(node) {
    const attributes = attributesOf(node);
    const isSource = hasSourcePhase(this.#text, this.#masked, node);
    const key = `${isSource ? 'source ' : ''}${node.source.value}\x00${attributes ? JSON.stringify(attributes) : ''}`;
    let index = this.#requestIndex.get(key);
    if (index === undefined) {
      index = this.requests.length;
      this.#requestIndex.set(key, index);
      this.requests.push({ specifier: node.source.value, attributes, isSource });
    }
    return index;
  }

  // Only the line breaks stay.
  #remove(node) {
    this.#edit(node.start, node.end, breaks(this.#text, node.start, node.end) || ';');
  }

  // The declaration stays, without `export`.
  #uncover(node) {
    const { start } = node.declaration;
    this.#edit(node.start, start, breaks(this.#text, node.start, start));
  }

  #import(node) {
    const index = this.#request(node);
    for (const specifier of node.specifiers) {
      const name = importedName(specifier);
      this.imports.set(specifier.local.name, { request: index, name });
      if (name !== '*') this.checks.push([index, name, specifier.local.name]);
    }
    this.#remove(node);
  }

  #exportAll(node) {
    const index = this.#request(node);
    if (node.exported) this.indirect.push([nameOf(node.exported), index, '*']);
    else this.stars.push(index);
    this.#remove(node);
  }

  #exportNamed(node) {
    const { declaration } = node;
    if (node.source) {
      const index = this.#request(node);
      for (const { exported, local } of node.specifiers) {
        this.indirect.push([nameOf(exported), index, nameOf(local)]);
        this.checks.push([index, nameOf(local), nameOf(local)]);
      }
      this.#remove(node);
    } else if (declaration) {
      const names =
        declaration.type === 'VariableDeclaration'
          ? declaration.declarations.flatMap(({ id }) => patternNames(id, []))
          : [declaration.id.name];
      for (const name of names) this.locals.push([name, name]);
      this.#uncover(node);
    } else {
      for (const { exported, local } of node.specifiers) this.#exportedLocals.push([nameOf(exported), local.name]);
      this.#remove(node);
    }
  }

  #exportDefault(node) {
    const { type, id } = node.declaration;
    const isFunction = type === 'FunctionDeclaration';
    if (id && (isFunction || type === 'ClassDeclaration')) {
      this.locals.push(['default', id.name]);
      this.#uncover(node);
      return;
    }
    this.locals.push(['default', '__rota_default']);
    if (isFunction) this.#nameFunction(node);
    else this.#nameValue(node);
  }

  #nameFunction(node) {
    const { start, end } = node.declaration;
    this.namedDefault = true;
    this.#uncover(node);
    const at = start + kFunctionHead.exec(this.#text.slice(start, end))[0].length;
    this.#edit(at, at, ' __rota_default');
  }

  // Parentheses around the value belong to it.
  #nameValue(node) {
    const text = this.#text;
    const begin = node.start + kDefault.exec(text.slice(node.start, node.declaration.start))[0].length;
    this.#edit(node.start, begin, `const __rota_default = {default: ${breaks(text, node.start, begin)}`);
    this.defaultEnd = [text[node.end - 1] === ';' ? node.end - 1 : node.end, node.end];
  }
}

module.exports = { Declarations };
