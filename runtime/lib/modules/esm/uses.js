'use strict';

// The body of a module: every use of an imported name becomes a member of the object that has the bindings of its
// module, so that bindings are live. `import.meta`, `import()`, top-level await and `arguments` are edited, too.
//
// Invariant: `#scopes` has, for each scope around the node that is visited, the names of imports that it hides.

const {
  editDelegation,
  eachChild,
  lexicalNames,
  member,
  patternNames,
  varNames,
} = require('internal/modules/esm/syntax');

const reference = ({ name, request }) => (name === '*' ? `__rota_${request}n.ns` : member(`__rota_${request}`, name));

class Uses {
  hasAwait = false; // at the top level
  awaits = []; // their positions, to report one that never ends
  #text;
  #imports; // local name -> { request, name }
  #edit;
  #hasImports;
  #scopes = [];
  #functionDepth = 0;
  #constructed; // the name at the beginning of what `new` is applied to
  #inAsync = false;
  #ownArguments = 0; // functions around that have their own `arguments`
  #listed = new Set(); // where expression statements in a list of statements begin
  #stepping; // a Stepping, if the module is to yield what it awaits
  #labelStart; // of the labels before the statement that is visited

  constructor(text, imports, edit, stepping) {
    this.#text = text;
    this.#imports = imports;
    this.#edit = edit;
    this.#hasImports = imports.size > 0;
    this.#stepping = stepping;
  }

  visit(node) {
    const visitor = visitors[node.type];
    if (visitor === undefined) this.visitChildren(node);
    else visitor(this, node);
  }

  visitList(list) {
    for (const item of list) {
      if (item === null) continue;
      if (item.type === 'ExpressionStatement') this.#listed.add(item.start);
      this.visit(item);
    }
  }

  visitChildren(node) {
    eachChild(node, (child) => this.visit(child));
  }

  visitIf(node) {
    if (node) this.visit(node);
  }

  // ---- scopes ----

  // Calls `inside` in a scope that declares the names. `namesOf` is called only if there are imports to hide.
  #within(namesOf, inside) {
    if (!this.#hasImports) {
      inside();
      return;
    }
    const hidden = namesOf().filter((name) => this.#imports.has(name));
    this.#scopes.push(hidden.length > 0 ? new Set(hidden) : undefined);
    inside();
    this.#scopes.pop();
  }

  #lookup(name) {
    const found = this.#hasImports ? this.#imports.get(name) : undefined;
    if (found === undefined) return undefined;
    for (const scope of this.#scopes) if (scope?.has(name)) return undefined;
    return found;
  }

  // ---- functions and blocks ----

  function(node) {
    const { body, params } = node;
    const isBlock = body.type === 'BlockStatement';
    const outside = this.#inAsync;
    const isArrow = node.type === 'ArrowFunctionExpression';
    const namesOfHead = () => {
      const names = [];
      for (const param of params) patternNames(param, names);
      if (node.type === 'FunctionExpression' && node.id) names.push(node.id.name);
      return names;
    };
    this.#within(namesOfHead, () => {
      this.#inAsync = node.async;
      this.#functionDepth++;
      if (!isArrow) this.#ownArguments++;
      for (const param of params) this.visit(param);
      // A default value of a parameter does not see declarations of the body.
      this.#within(
        () => (isBlock ? namesOfBody(body.body) : []),
        () => {
          if (isBlock) this.visitList(body.body);
          else this.visit(body);
        },
      );
      if (!isArrow) this.#ownArguments--;
      this.#functionDepth--;
      this.#inAsync = outside;
    });
  }

  class(node) {
    this.#within(
      () => (node.id ? [node.id.name] : []),
      () => {
        this.visitIf(node.superClass);
        this.visitList(node.body.body);
      },
    );
  }

  classMember(node) {
    if (node.computed) this.visit(node.key);
    if (!node.value) return;
    this.#functionDepth++;
    this.visit(node.value);
    this.#functionDepth--;
  }

  staticBlock(node) {
    this.#within(
      () => namesOfBody(node.body),
      () => {
        this.#functionDepth++;
        this.visitList(node.body);
        this.#functionDepth--;
      },
    );
  }

  block(node) {
    this.#within(
      () => lexicalNames(node.body, []),
      () => this.visitList(node.body),
    );
  }

  switch(node) {
    this.visit(node.discriminant);
    this.#within(
      () => node.cases.flatMap(({ consequent }) => lexicalNames(consequent, [])),
      () => {
        for (const { test, consequent } of node.cases) {
          this.visitIf(test);
          this.visitList(consequent);
        }
      },
    );
  }

  for(node) {
    const head = node.init ?? node.left;
    const declares = head?.type === 'VariableDeclaration' && head.kind !== 'var';
    const start = this.#labelStart ?? node.start;
    this.#labelStart = undefined;
    if (node.await && this.#functionDepth === 0) {
      this.hasAwait = true;
      this.#stepping?.lowerLoop(node, start);
    }
    this.#within(
      () => (declares ? head.declarations.flatMap(({ id }) => patternNames(id, [])) : []),
      () => {
        this.visitIf(head);
        this.visitIf(node.test);
        this.visitIf(node.update);
        this.visitIf(node.right);
        this.visit(node.body);
      },
    );
  }

  catch(node) {
    this.#within(
      () => (node.param ? patternNames(node.param, []) : []),
      () => {
        this.visitIf(node.param);
        this.visit(node.body);
      },
    );
  }

  labeled(node) {
    const isLoop = node.body.type === 'ForOfStatement' || node.body.type === 'LabeledStatement';
    this.#labelStart = isLoop ? (this.#labelStart ?? node.start) : undefined;
    this.visit(node.body);
  }

  // ---- names ----

  identifier(node) {
    // A module has no `arguments`; the function that is made from it must not show its own.
    if (node.name === 'arguments' && this.#ownArguments === 0) this.#edit(node.start, node.end, '__rota_arguments');
    const found = this.#lookup(node.name);
    if (found === undefined) return;
    this.#edit(node.start, node.end, node === this.#constructed ? `(${reference(found)})` : reference(found));
  }

  new(node) {
    // The call that replaces a namespace must not be taken for the call of `new`.
    let head = node.callee;
    while (head.type === 'MemberExpression' || head.type === 'TaggedTemplateExpression') head = head.object ?? head.tag;
    this.#constructed = head;
    this.visit(node.callee);
    this.visitList(node.arguments);
  }

  member(node) {
    const { object, property } = node;
    if (!node.computed && object.type === 'Identifier' && property.type === 'Identifier') {
      // ns.name uses the binding directly
      const found = this.#lookup(object.name);
      if (found !== undefined && found.name === '*') {
        this.#edit(object.start, object.end, `__rota_${found.request}`);
        return;
      }
    }
    this.visit(object);
    if (node.computed) this.visit(property);
  }

  call(node) {
    const callee = node.callee ?? node.tag;
    const found = callee.type === 'Identifier' ? this.#lookup(callee.name) : undefined;
    if (found === undefined) {
      this.visit(callee);
    } else {
      this.#edit(callee.start, callee.end, `${this.#before(callee)}(0,${reference(found)})`);
    }
    if (node.arguments) this.visitList(node.arguments);
    else this.visit(node.quasi);
  }

  // A bracket at a line's start would continue the line before it, if that has no semicolon.
  #before(node) {
    return this.#listed.has(node.start) ? ';' : '';
  }

  property(node) {
    const { value } = node;
    if (!node.shorthand) {
      if (node.computed) this.visit(node.key);
      this.visit(value);
      return;
    }
    const id = value.type === 'AssignmentPattern' ? value.left : value;
    const found = id.type === 'Identifier' ? this.#lookup(id.name) : undefined;
    if (found !== undefined) this.#edit(id.start, id.end, `${id.name}: ${reference(found)}`);
    if (value.type === 'AssignmentPattern') this.visit(value.right);
  }

  // ---- what the loader passes in ----

  meta(node) {
    if (node.meta.name === 'import') this.#edit(node.start, node.end, '__rota_meta');
  }

  import(node) {
    this.#edit(node.start, node.start + 6, '__rota_import');
    this.visit(node.source);
    this.visitIf(node.options);
  }

  yield(node) {
    // The order matters if an edit inside of the delegated expression begins or ends at the same position.
    if (node.delegate && this.#inAsync) editDelegation(this.#text, node, '__rota_import', this.#edit);
    this.visitIf(node.argument);
  }

  await(node) {
    if (this.#functionDepth > 0) {
      this.visit(node.argument);
      return;
    }
    // It notes its number before it waits: if it never ends, the program is told which it was.
    this.hasAwait = true;
    if (this.#stepping !== undefined) this.#edit(node.start, node.start + 5, `${this.#before(node)}(yield`);
    this.#edit(node.start + 5, node.start + 5, ` __rota_import.at(${this.awaits.length},`);
    this.awaits.push(node.start);
    this.visit(node.argument);
    this.#edit(node.end, node.end, this.#stepping === undefined ? ')' : '))');
  }

  variables(node) {
    if (node.kind === 'await using' && this.#functionDepth === 0) this.hasAwait = true;
    this.visitList(node.declarations);
  }
}

function namesOfBody(body) {
  const names = [];
  for (const statement of body) varNames(statement, names);
  return lexicalNames(body, names);
}

const nothing = () => {};
const anyFunction = (uses, node) => uses.function(node);
const anyClass = (uses, node) => uses.class(node);
const anyMember = (uses, node) => uses.classMember(node);
const anyFor = (uses, node) => uses.for(node);
const anyCall = (uses, node) => uses.call(node);
const ofDeclaration = (uses, node) => uses.visitIf(node.declaration);

// By the type of a node; one that is not listed is visited child by child.
const visitors = {
  __proto__: null,
  Identifier: (uses, node) => uses.identifier(node),
  NewExpression: (uses, node) => uses.new(node),
  ImportDeclaration: nothing,
  ExportAllDeclaration: nothing,
  ExportNamedDeclaration: ofDeclaration,
  ExportDefaultDeclaration: ofDeclaration,
  MemberExpression: (uses, node) => uses.member(node),
  CallExpression: anyCall,
  TaggedTemplateExpression: anyCall,
  Property: (uses, node) => uses.property(node),
  MethodDefinition: anyMember,
  PropertyDefinition: anyMember,
  AccessorProperty: anyMember,
  StaticBlock: (uses, node) => uses.staticBlock(node),
  LabeledStatement: (uses, node) => uses.labeled(node),
  BreakStatement: nothing,
  ContinueStatement: nothing,
  MetaProperty: (uses, node) => uses.meta(node),
  YieldExpression: (uses, node) => uses.yield(node),
  ImportExpression: (uses, node) => uses.import(node),
  FunctionDeclaration: anyFunction,
  FunctionExpression: anyFunction,
  ArrowFunctionExpression: anyFunction,
  ClassDeclaration: anyClass,
  ClassExpression: anyClass,
  BlockStatement: (uses, node) => uses.block(node),
  SwitchStatement: (uses, node) => uses.switch(node),
  ForStatement: anyFor,
  ForInStatement: anyFor,
  ForOfStatement: anyFor,
  CatchClause: (uses, node) => uses.catch(node),
  AwaitExpression: (uses, node) => uses.await(node),
  VariableDeclaration: (uses, node) => uses.variables(node),
};

module.exports = { Uses };
