'use strict';

// An ES module as a function. The engine's C interface knows no modules, so the text is parsed and rewritten:
//
//   import { a as b } from 'x'      each use of `b` becomes `__rota_0.a`, a getter on x's bindings: live
//   export let c                    stays `let c`, and the module offers a getter `() => c`
//   import.meta, import()           become names that the loader passes in
//
// A module without top-level await becomes a generator that yields once before its body: the first step makes its
// functions (hoisting, for cycles), the second runs it. One with top-level await becomes an async function.
// Replaced text keeps its line breaks, so that lines keep their numbers.

const helpers = require('internal/modules/helpers');
const { noteEdits } = require('internal/modules/columns');
const { editOrder, marksDelegation } = require('internal/modules/order_edits');

// The parser does not support the source phase (`import source x from`, `import.source()`): it gets blanks in place of
// the word, and code that handles an import looks at the text itself.
const kSourceImport = /\bimport(\s+)source(?=\s+(?!from\s*['"])[\p{ID_Start}$_][\p{ID_Continue}$]*\s+from\b)/gu;
const kSourceCall = /\bimport(\s*\.\s*)source(?=\s*\()/g;
const kSourceAhead = /^import\s*\.?\s*source\b/;
function blankSourcePhase(text) {
  if (!/\bimport\s*\.?\s*source\b/.test(text)) return text;
  const blank = (found) => `import${found.slice(6).replace(/\S/g, ' ')}`;
  return text.replace(kSourceImport, blank).replace(kSourceCall, blank);
}

function hasSourcePhase(text, masked, node) {
  return (
    text !== masked &&
    kSourceAhead.test(text.slice(node.start, node.end)) &&
    !kSourceAhead.test(masked.slice(node.start, node.end))
  );
}

function parse(text, url) {
  const acorn = helpers.getAcorn();
  try {
    return acorn.parse(blankSourcePhase(text), {
      ...helpers.kParseOptions,
      sourceType: 'module',
      allowAwaitOutsideFunction: true,
    });
  } catch (found) {
    if (typeof found.pos !== 'number') throw found;
    const error = new SyntaxError(found.message);
    require('internal/modules/syntax_error').fill(error, found, text, url);
    throw error;
  }
}

function looksLikeModule(text, isLikely = false) {
  if (!isLikely && !/\b(?:import|export|await)\b/.test(text)) return false;
  try {
    helpers.getAcorn().parse(blankSourcePhase(text), {
      ...helpers.kParseOptions,
      sourceType: 'module',
      allowAwaitOutsideFunction: true,
    });
    return true;
  } catch {
    return false;
  }
}

function breaks(text, start, end) {
  let count = '';
  for (let i = start; i < end; i++) if (text.charCodeAt(i) === 10) count += '\n';
  return count;
}

function applyEdits(text, edits) {
  edits.sort((a, b) => a.start - b.start || a.order - b.order);
  let result = '';
  let at = 0;
  for (const { start, end, replacement } of edits) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}

const kDelegation = /^yield\s*\*/;

// `yield* x` of an asynchronous generator: the engine would await too much (runtime/lib/order/async/delegate.js).
function editDelegation(text, node, importer, edit) {
  const found = marksDelegation ? kDelegation.exec(text.slice(node.start, node.end)) : null;
  if (found === null) return;
  const start = node.start + found[0].length;
  edit(start, start, ` ${importer}.delegate(`);
  edit(node.end, node.end, ')');
}

// -> whether there is one
function lowerScript(tree, text, edits) {
  const { Lowering } = require('internal/modules/using');
  const lowering = new Lowering(edits, '__rota_import__');
  const directives = tree.body.findLast((statement) => statement.directive !== undefined);
  const head = lowering.top(tree.body, text.length);
  const shebang = /^#!.*/.exec(text)?.[0].length ?? 0;
  if (head !== undefined)
    edits.push({
      start: directives?.end ?? shebang,
      end: directives?.end ?? shebang,
      replacement: `${shebang > 0 && !directives ? '\n' : ''}${head}`,
      order: -1,
    });
  for (const node of tree.body) lowering.visit(node);
  return lowering.found;
}

// Dynamic imports of a script or a CommonJS module, and delegations of asynchronous generators.
function rewriteScript(text, isScript, name, mayUse = false) {
  let tree;
  const masked = blankSourcePhase(text);
  try {
    const sourceType = isScript || !mayUse ? 'script' : 'commonjs';
    tree = helpers
      .getAcorn()
      .parse(masked, { ...helpers.kParseOptions, sourceType, allowReturnOutsideFunction: !isScript });
  } catch {
    return undefined; // the engine reports the error
  }
  const edits = [];
  const edit = (start, end, replacement) => edits.push({ start, end, replacement, order: edits.length });
  if (mayUse && lowerScript(tree, text, edits) === false) return undefined;
  editOrder(tree, text, '__rota_import__', edit);
  let inAsync = false;
  const visit = (node) => {
    const outside = inAsync;
    if (node.type === 'ImportExpression') edit(node.start, node.start + 6, '__rota_import__');
    else if (node.type === 'YieldExpression' && node.delegate && inAsync)
      editDelegation(text, node, '__rota_import__', edit);
    else if (node.body !== undefined && typeof node.async === 'boolean') inAsync = node.async;
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        for (const item of value)
          if (item !== null && typeof item === 'object' && typeof item.type === 'string') visit(item);
      } else if (typeof value.type === 'string') {
        visit(value);
      }
    }
    inAsync = outside;
  };
  visit(tree);
  if (edits.length === 0) return undefined;
  const code = applyEdits(text, edits);
  if (name) noteEdits(name, text, edits);
  return code;
}

// ---- names ----

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
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (Array.isArray(value)) for (const item of value) varNames(item, names);
    else if (value !== null && typeof value === 'object' && typeof value.type === 'string') varNames(value, names);
  }
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

function attributesOf(node) {
  if (!node.attributes?.length) return undefined;
  const result = { __proto__: null };
  for (const a of node.attributes) result[a.key.name ?? a.key.value] = a.value.value;
  return result;
}

function nameOf(node) {
  return node.type === 'Identifier' ? node.name : node.value;
}

const isIdentifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;
function member(object, name) {
  return isIdentifier.test(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
}

const kDefault = /^export(?:\s|\/\*[^]*?\*\/|\/\/.*)*default/;

function transform(text, url) {
  const masked = blankSourcePhase(text);
  const tree = parse(text, url);
  const edits = [];
  const edit = (start, end, replacement) => edits.push({ start, end, replacement, order: edits.length });

  let usingHead = '';
  if (/\busing\b/.test(text)) {
    const { Lowering } = require('internal/modules/using');
    const lowering = new Lowering(edits, '__rota_import');
    usingHead = lowering.top(tree.body, text.length) ?? '';
    for (const node of tree.body) lowering.visit(node);
  }

  editOrder(tree, text, '__rota_import', edit);

  const requests = []; // { specifier, attributes }
  const requestIndex = new Map();
  const imports = new Map(); // local name -> { request, name }; name '*' is the namespace
  const locals = []; // [exported name, expression]
  const indirect = []; // [exported name, request, imported name]
  const stars = [];
  const checks = []; // [request, name]: names that must exist
  const exportedLocals = [];
  let namedDefault = false;
  let defaultEnd; // edited last: what is around the end of the value comes before it
  let hasAwait = false;
  const awaits = []; // their positions, to report one that never ends

  function request(node) {
    const attributes = attributesOf(node);
    const isSource = hasSourcePhase(text, masked, node);
    const key = `${isSource ? 'source ' : ''}${node.source.value}\x00${attributes ? JSON.stringify(attributes) : ''}`;
    let index = requestIndex.get(key);
    if (index === undefined) {
      index = requests.length;
      requestIndex.set(key, index);
      requests.push({ specifier: node.source.value, attributes, isSource });
    }
    return index;
  }

  for (const node of tree.body) {
    switch (node.type) {
      case 'ImportDeclaration': {
        const index = request(node);
        for (const s of node.specifiers) {
          const name =
            s.type === 'ImportDefaultSpecifier'
              ? 'default'
              : s.type === 'ImportNamespaceSpecifier'
                ? '*'
                : nameOf(s.imported);
          imports.set(s.local.name, { request: index, name });
          if (name !== '*') checks.push([index, name, s.local.name]);
        }
        edit(node.start, node.end, breaks(text, node.start, node.end) || ';');
        break;
      }
      case 'ExportAllDeclaration': {
        const index = request(node);
        if (node.exported) indirect.push([nameOf(node.exported), index, '*']);
        else stars.push(index);
        edit(node.start, node.end, breaks(text, node.start, node.end) || ';');
        break;
      }
      case 'ExportNamedDeclaration':
        if (node.source) {
          const index = request(node);
          for (const s of node.specifiers) {
            indirect.push([nameOf(s.exported), index, nameOf(s.local)]);
            checks.push([index, nameOf(s.local), nameOf(s.local)]);
          }
          edit(node.start, node.end, breaks(text, node.start, node.end) || ';');
        } else if (node.declaration) {
          const d = node.declaration;
          const names =
            d.type === 'VariableDeclaration' ? d.declarations.flatMap((x) => patternNames(x.id, [])) : [d.id.name];
          for (const name of names) locals.push([name, name]);
          edit(node.start, d.start, breaks(text, node.start, d.start));
        } else {
          for (const s of node.specifiers) exportedLocals.push([nameOf(s.exported), s.local.name]);
          edit(node.start, node.end, breaks(text, node.start, node.end) || ';');
        }
        break;
      case 'ExportDefaultDeclaration': {
        const d = node.declaration;
        if ((d.type === 'FunctionDeclaration' || d.type === 'ClassDeclaration') && d.id) {
          locals.push(['default', d.id.name]);
          edit(node.start, d.start, breaks(text, node.start, d.start));
        } else if (d.type === 'FunctionDeclaration') {
          locals.push(['default', '__rota_default']);
          namedDefault = true;
          edit(node.start, d.start, breaks(text, node.start, d.start));
          const head = /^(?:async\b\s*)?function\b\s*\*?/.exec(text.slice(d.start, d.end))[0];
          edit(d.start + head.length, d.start + head.length, ' __rota_default');
        } else {
          locals.push(['default', '__rota_default']);
          // Parentheses around the value belong to it.
          const begin = node.start + kDefault.exec(text.slice(node.start, d.start))[0].length;
          edit(node.start, begin, `const __rota_default = {default: ${breaks(text, node.start, begin)}`);
          let end = node.end;
          if (text[end - 1] === ';') end--;
          defaultEnd = [end, node.end];
        }
        break;
      }
    }
  }
  for (const [exported, local] of exportedLocals) {
    const imported = imports.get(local);
    if (imported !== undefined) indirect.push([exported, imported.request, imported.name]);
    else locals.push([exported, local]);
  }

  // ---- uses ----
  const scopes = []; // sets of import names that are hidden
  const interesting = imports.size > 0;

  function enter(names) {
    if (!interesting) return 0;
    const hidden = names.filter((name) => imports.has(name));
    scopes.push(hidden.length > 0 ? new Set(hidden) : undefined);
    return 1;
  }
  function leave(count) {
    if (count) scopes.pop();
  }
  function lookup(name) {
    const found = interesting ? imports.get(name) : undefined;
    if (found === undefined) return undefined;
    for (const scope of scopes) if (scope?.has(name)) return undefined;
    return found;
  }
  function reference(found) {
    return found.name === '*' ? `__rota_${found.request}n.ns` : member(`__rota_${found.request}`, found.name);
  }

  let functionDepth = 0;
  let constructed; // the name at the beginning of what `new` is applied to
  let inAsync = false;
  let ownArguments = 0; // functions around that have their own `arguments`

  function visitFunction(node) {
    const names = [];
    const inner = []; // a default value of a parameter does not see declarations of the body
    if (interesting) {
      for (const p of node.params) patternNames(p, names);
      if (node.type === 'FunctionExpression' && node.id) names.push(node.id.name);
      if (node.body.type === 'BlockStatement') {
        for (const s of node.body.body) varNames(s, inner);
        lexicalNames(node.body.body, inner);
      }
    }
    const entered = enter(names);
    const outside = inAsync;
    inAsync = node.async;
    functionDepth++;
    const isArrow = node.type === 'ArrowFunctionExpression';
    if (!isArrow) ownArguments++;
    for (const p of node.params) visit(p);
    const enteredBody = enter(inner);
    if (node.body.type === 'BlockStatement') visitList(node.body.body);
    else visit(node.body);
    leave(enteredBody);
    if (!isArrow) ownArguments--;
    functionDepth--;
    inAsync = outside;
    leave(entered);
  }

  const listed = new Set(); // where expression statements in a list of statements begin

  function visitList(list) {
    for (const item of list) {
      if (item === null) continue;
      if (item.type === 'ExpressionStatement') listed.add(item.start);
      visit(item);
    }
  }

  function visit(node) {
    switch (node.type) {
      case 'Identifier': {
        // A module has no `arguments`; the function that is made from it must not show its own.
        if (node.name === 'arguments' && ownArguments === 0) edit(node.start, node.end, '__rota_arguments');
        const found = lookup(node.name);
        if (found !== undefined)
          edit(node.start, node.end, node === constructed ? `(${reference(found)})` : reference(found));
        return;
      }
      case 'NewExpression': {
        // The call that replaces a namespace must not be taken for the call of `new`.
        let head = node.callee;
        while (head.type === 'MemberExpression' || head.type === 'TaggedTemplateExpression')
          head = head.object ?? head.tag;
        constructed = head;
        visit(node.callee);
        visitList(node.arguments);
        return;
      }
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
        return;
      case 'ExportNamedDeclaration':
        if (node.declaration) visit(node.declaration);
        return;
      case 'ExportDefaultDeclaration':
        visit(node.declaration);
        return;
      case 'MemberExpression':
        if (!node.computed && node.object.type === 'Identifier' && node.property.type === 'Identifier') {
          // ns.name uses the binding directly
          const found = lookup(node.object.name);
          if (found !== undefined && found.name === '*') {
            edit(node.object.start, node.object.end, `__rota_${found.request}`);
            return;
          }
        }
        visit(node.object);
        if (node.computed) visit(node.property);
        return;
      case 'CallExpression':
      case 'TaggedTemplateExpression': {
        const callee = node.callee ?? node.tag;
        const found = callee.type === 'Identifier' ? lookup(callee.name) : undefined;
        // A bracket at a line's start would continue the line before it, if that has no semicolon.
        if (found !== undefined)
          edit(callee.start, callee.end, `${listed.has(callee.start) ? ';' : ''}(0,${reference(found)})`);
        else visit(callee);
        if (node.arguments) visitList(node.arguments);
        else visit(node.quasi);
        return;
      }
      case 'Property':
        if (node.shorthand) {
          const value = node.value;
          const id = value.type === 'AssignmentPattern' ? value.left : value;
          const found = id.type === 'Identifier' ? lookup(id.name) : undefined;
          if (found !== undefined) edit(id.start, id.end, `${id.name}: ${reference(found)}`);
          if (value.type === 'AssignmentPattern') visit(value.right);
          return;
        }
        if (node.computed) visit(node.key);
        visit(node.value);
        return;
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
        if (node.computed) visit(node.key);
        if (node.value) {
          functionDepth++;
          visit(node.value);
          functionDepth--;
        }
        return;
      case 'StaticBlock': {
        const names = [];
        if (interesting) {
          for (const s of node.body) varNames(s, names);
          lexicalNames(node.body, names);
        }
        const entered = enter(names);
        functionDepth++;
        visitList(node.body);
        functionDepth--;
        leave(entered);
        return;
      }
      case 'LabeledStatement':
        visit(node.body);
        return;
      case 'BreakStatement':
      case 'ContinueStatement':
        return;
      case 'MetaProperty':
        if (node.meta.name === 'import') edit(node.start, node.end, '__rota_meta');
        return;
      case 'YieldExpression':
        // The order matters if an edit inside of the delegated expression begins or ends at the same position.
        if (node.delegate && inAsync) editDelegation(text, node, '__rota_import', edit);
        if (node.argument) visit(node.argument);
        return;
      case 'ImportExpression':
        edit(node.start, node.start + 6, '__rota_import');
        visit(node.source);
        if (node.options) visit(node.options);
        return;
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        visitFunction(node);
        return;
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const entered = enter(node.id ? [node.id.name] : []);
        if (node.superClass) visit(node.superClass);
        visitList(node.body.body);
        leave(entered);
        return;
      }
      case 'BlockStatement': {
        const entered = enter(interesting ? lexicalNames(node.body, []) : []);
        visitList(node.body);
        leave(entered);
        return;
      }
      case 'SwitchStatement': {
        visit(node.discriminant);
        const entered = enter(interesting ? node.cases.flatMap((c) => lexicalNames(c.consequent, [])) : []);
        for (const c of node.cases) {
          if (c.test) visit(c.test);
          visitList(c.consequent);
        }
        leave(entered);
        return;
      }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement': {
        const head = node.init ?? node.left;
        const names =
          head?.type === 'VariableDeclaration' && head.kind !== 'var'
            ? head.declarations.flatMap((d) => patternNames(d.id, []))
            : [];
        const entered = enter(names);
        if (node.await && functionDepth === 0) hasAwait = true;
        if (head) visit(head);
        if (node.test) visit(node.test);
        if (node.update) visit(node.update);
        if (node.right) visit(node.right);
        visit(node.body);
        leave(entered);
        return;
      }
      case 'CatchClause': {
        const entered = enter(node.param ? patternNames(node.param, []) : []);
        if (node.param) visit(node.param);
        visit(node.body);
        leave(entered);
        return;
      }
      case 'AwaitExpression':
        if (functionDepth > 0) {
          visit(node.argument);
          return;
        }
        // It notes its number before it waits: if it never ends, the program is told which it was.
        hasAwait = true;
        edit(node.start + 5, node.start + 5, ` __rota_import.at(${awaits.length},`);
        awaits.push(node.start);
        visit(node.argument);
        edit(node.end, node.end, ')');
        return;
      case 'VariableDeclaration':
        if (node.kind === 'await using' && functionDepth === 0) hasAwait = true;
        visitList(node.declarations);
        return;
    }
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
  visitList(tree.body);
  if (defaultEnd !== undefined) edit(...defaultEnd, '}.default;');

  const getters = locals.map(([name, local]) => `${JSON.stringify(name)}: () => ${local}`).join(', ');
  const parameters = ['__rota_export', '__rota_meta', '__rota_import'];
  for (let i = 0; i < requests.length; i++) parameters.push(`__rota_${i}`, `__rota_${i}n`);
  const kind = hasAwait ? 'async function' : 'function*';
  const head =
    `(${kind} __rota_module__(${parameters.join(', ')}) {'use strict';${usingHead}` +
    `__rota_export({__proto__: null, ${getters}}${namedDefault ? ', __rota_default' : ''});${hasAwait ? '' : 'yield;'}`;
  let body = applyEdits(text, edits);
  noteEdits(url, text, edits);
  if (body.startsWith('#!')) body = `//${body}`;
  return {
    code: `${head}${body}\n})`,
    headLength: head.length,
    requests,
    localNames: locals.map(([name]) => name),
    indirect,
    stars,
    checks,
    hasAwait,
    awaits: awaits.map((start) => {
      const lines = text.slice(0, start).split('\n');
      return { line: lines.length, column: lines[lines.length - 1].length + 1 };
    }),
  };
}

module.exports = { transform, parse, looksLikeModule, rewriteScript };
