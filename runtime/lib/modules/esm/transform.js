'use strict';

// An ES module as a function. The engine's C interface knows no modules, so the text is parsed and rewritten:
//
//   import { a as b } from 'x'      each use of `b` becomes `__rota_0.a`, a getter on x's bindings: live
//   export let c                    stays `let c`, and the module offers a getter `() => c`
//   import.meta, import()           become names that the loader passes in
//
// A module without top-level await becomes a generator that yields once before its body: the first step makes its
// functions (hoisting, for cycles), the second runs it. One with top-level await becomes an async function. If others
// in a cycle need its functions before it runs, it becomes such a generator, too (internal/modules/esm/link).
// Replaced text keeps its line breaks, so that lines keep their numbers.

const helpers = require('internal/modules/helpers');
const { noteEdits } = require('internal/modules/columns');
const { editOrder } = require('internal/modules/order_edits');
const { Declarations } = require('internal/modules/esm/declarations');
const { editDelegation, blankSourcePhase, eachChild } = require('internal/modules/esm/syntax');
const { Stepping } = require('internal/modules/esm/stepping');
const { Uses } = require('internal/modules/esm/uses');

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
    eachChild(node, visit);
    inAsync = outside;
  };
  visit(tree);
  if (edits.length === 0) return undefined;
  const code = applyEdits(text, edits);
  if (name) noteEdits(name, text, edits);
  return code;
}

// Lowers declarations with `using`. -> what must stand at the head of the module
function lowerModule(tree, text, edits, isStepped) {
  if (!/\busing\b/.test(text)) return '';
  const { Lowering } = require('internal/modules/using');
  const lowering = new Lowering(edits, '__rota_import', isStepped ? 'yield' : 'await');
  const head = lowering.top(tree.body, text.length) ?? '';
  for (const node of tree.body) lowering.visit(node);
  return head;
}

function headOf({ locals, requests, namedDefault }, isAsync, usingHead) {
  const getters = locals.map(([name, local]) => `${JSON.stringify(name)}: () => ${local}`).join(', ');
  const parameters = ['__rota_export', '__rota_meta', '__rota_import'];
  for (let i = 0; i < requests.length; i++) parameters.push(`__rota_${i}`, `__rota_${i}n`);
  const kind = isAsync ? 'async function' : 'function*';
  return (
    `(${kind} __rota_module__(${parameters.join(', ')}) {'use strict';${usingHead}` +
    `__rota_export({__proto__: null, ${getters}}${namedDefault ? ', __rota_default' : ''});${isAsync ? '' : 'yield;'}`
  );
}

function placeOf(text, start) {
  const lines = text.slice(0, start).split('\n');
  return { line: lines.length, column: lines[lines.length - 1].length + 1 };
}

// `isStepped`: a module with top-level await as a generator that yields what it awaits.
function transform(text, url, isStepped = false) {
  const tree = parse(text, url);
  const edits = [];
  const edit = (start, end, replacement) => edits.push({ start, end, replacement, order: edits.length });
  const usingHead = lowerModule(tree, text, edits, isStepped);
  const stepping = isStepped ? new Stepping(text, edits) : undefined;
  editOrder(tree, text, '__rota_import', edit);
  const declarations = new Declarations(text, blankSourcePhase(text), edit);
  declarations.collect(tree.body);
  const uses = new Uses(text, declarations.imports, edit, stepping);
  uses.visitList(tree.body);
  if (declarations.defaultEnd !== undefined) edit(...declarations.defaultEnd, '}.default;');
  stepping?.moveTargets(applyEdits);
  const head = headOf(declarations, uses.hasAwait && !isStepped, usingHead);
  let body = applyEdits(text, edits);
  noteEdits(url, text, edits);
  if (body.startsWith('#!')) body = `//${body}`;
  return {
    code: `${head}${body}\n})`,
    headLength: head.length,
    requests: declarations.requests,
    localNames: declarations.locals.map(([name]) => name),
    indirect: declarations.indirect,
    stars: declarations.stars,
    checks: declarations.checks,
    hasAwait: uses.hasAwait,
    awaits: uses.awaits.map((start) => placeOf(text, start)),
  };
}

module.exports = { transform, parse, looksLikeModule, rewriteScript };
