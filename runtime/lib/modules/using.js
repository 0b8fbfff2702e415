'use strict';

// `using` and `await using`, which the engine cannot parse. A block that declares such becomes
//
//   { const r = resources(); try { ... const x = r.use(value); ... } catch (e) { r.fail(e); } finally { r.end(); } }
//
// on the same lines. The rest is done by internal/async/using. Scripts come here only when the engine has refused them.

const { kLast } = require('internal/modules/esm/syntax');

const isUsing = (node) =>
  node?.type === 'VariableDeclaration' && (node.kind === 'using' || node.kind === 'await using');
const mustWait = (declarations) => declarations.some(({ kind }) => kind === 'await using');

// An anonymous function takes the name of its variable if it directly follows it.
function isNameless({ type, id }) {
  return type === 'ArrowFunctionExpression' || ((type === 'FunctionExpression' || type === 'ClassExpression') && !id);
}

class Lowering {
  #edits;
  #importer;
  #topAwait; // what stands for `await` outside of all functions
  #count = 0;
  #functionDepth = 0;

  constructor(edits, importer, topAwait = 'await') {
    this.#edits = edits;
    this.#importer = importer;
    this.#topAwait = topAwait;
  }

  get found() {
    return this.#count > 0;
  }

  #insert(at, replacement, order = this.#edits.length) {
    this.#edits.push({ start: at, end: at, replacement, order });
  }

  #open(at) {
    const name = `__rota_using_${this.#count++}`;
    this.#insert(at, `const ${name}=${this.#importer}.using();try{`);
    return name;
  }

  #close(at, name, waits, start, tail = '') {
    const word = this.#functionDepth === 0 ? this.#topAwait : 'await';
    const end = waits
      ? `while(${name}.step())try{${word} ${name}.value}catch(${name}_e){${name}.fail(${name}_e)}${name}.end()`
      : `${name}.end()`;
    this.#insert(at, `}catch(${name}_e){${name}.fail(${name}_e)}finally{${end}}${tail}`, kLast - start);
  }

  #declare(node, name) {
    const isLater = node.kind === 'await using';
    // `await` and `using` may be on two lines.
    this.#edits.push({
      start: node.start,
      end: node.declarations[0].id.start,
      replacement: 'const ',
      order: this.#edits.length,
    });
    for (const { id, init } of node.declarations) {
      if (init === null) continue;
      const inner = isNameless(init) ? [`{${id.name}:`, `}.${id.name}`] : ['', ''];
      this.#insert(init.start, `${name}.${isLater ? 'useLater' : 'use'}(${inner[0]}`);
      this.#insert(init.end, `${inner[1]})`);
    }
  }

  // Statements between two positions.
  #list(body, from, to) {
    const own = body.filter(isUsing);
    if (own.length === 0) return;
    const name = this.#open(from);
    for (const node of own) this.#declare(node, name);
    this.#close(to, name, mustWait(own), from);
  }

  #block(node) {
    const directives = node.body.findLast((statement) => statement.directive !== undefined);
    this.#list(node.body, directives?.end ?? node.start + 1, node.end - 1);
  }

  // for (using x = a; ...): one resource for the whole loop. A label belongs to the loop.
  #loop(node, start) {
    const name = this.#open(start);
    this.#edits.at(-1).replacement = `{${this.#edits.at(-1).replacement}`;
    this.#declare(node.init, name);
    this.#close(node.end, name, mustWait([node.init]), start, '}');
  }

  // for (using x of y): one for each iteration.
  #turns(node) {
    const { left, body } = node;
    const variable = left.declarations[0].id;
    const name = `__rota_using_${this.#count++}`;
    this.#edits.push({
      start: left.start,
      end: variable.end,
      replacement: `const ${name}_v`,
      order: this.#edits.length,
    });
    this.#insert(
      body.start,
      `{const ${name}=${this.#importer}.using();try{const ${variable.name}=${name}.` +
        `${left.kind === 'await using' ? 'useLater' : 'use'}(${name}_v);`,
    );
    this.#close(body.end, name, mustWait([left]), body.start, '}');
  }

  visit(node, labelStart) {
    switch (node.type) {
      case 'BlockStatement':
      case 'StaticBlock':
        if (node.type === 'StaticBlock') this.#list(node.body, node.body[0]?.start ?? node.end - 1, node.end - 1);
        else this.#block(node);
        break;
      case 'ForStatement':
        if (isUsing(node.init)) this.#loop(node, labelStart ?? node.start);
        break;
      case 'ForOfStatement':
        if (isUsing(node.left)) this.#turns(node);
        break;
      default:
    }
    const isFunction = node.body !== undefined && typeof node.async === 'boolean';
    if (isFunction) this.#functionDepth++;
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (value === null || typeof value !== 'object') continue;
      if (Array.isArray(value)) {
        for (const item of value) if (typeof item?.type === 'string') this.visit(item);
      } else if (typeof value.type === 'string') {
        this.visit(value, node.type === 'LabeledStatement' ? (labelStart ?? node.start) : undefined);
      }
    }
    if (isFunction) this.#functionDepth--;
  }

  // The body of a module or of a CommonJS file. -> the text before and after the whole
  top(body, length) {
    const own = body.filter(isUsing);
    if (own.length === 0) return undefined;
    const name = `__rota_using_${this.#count++}`;
    for (const node of own) this.#declare(node, name);
    this.#close(length, name, mustWait(own), 0);
    return `const ${name}=${this.#importer}.using();try{`;
  }
}

module.exports = { Lowering };
