'use strict';

// Edits of a program's text for an engine with a wrong order of promise jobs: see internal/async/order. `wrong` lists
// its faults, as found by checks at the start (runtime/order/env.c).

const { wrongOrder = 0, delegatesUnmarked = false } = internalBinding('runtime');

const kForAwait = 1;
const kThenables = 2;
const kDelegation = 4;
const kContext = 8; // an await of a value that is no promise is not observed

const awaits = (wrongOrder & (kThenables | kContext)) !== 0;
const forAwaits = (wrongOrder & kForAwait) !== 0;
const delegates = (wrongOrder & kDelegation) !== 0;

const kAsync = /\basync\b/;
const kAwait = /\bawait\b/;
const kForAwaitText = /\bfor\s+await\b/;
const kYield = /\byield\b/;
const kYieldAll = /\byield\s*\*/;

function concerns(text) {
  return (
    (awaits && (kAwait.test(text) || (kAsync.test(text) && kYield.test(text)))) ||
    (forAwaits && kForAwaitText.test(text)) ||
    (delegates && kAsync.test(text) && kYieldAll.test(text))
  );
}

const isFunction = (node) =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';

function* children(node) {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === null || typeof value !== 'object') continue;
    if (Array.isArray(value)) {
      for (const item of value)
        if (item !== null && typeof item === 'object' && typeof item.type === 'string') yield item;
    } else if (typeof value.type === 'string') {
      yield value;
    }
  }
}

// Whether a function's own body has a node for which test(node) is true; nested functions do not count, except arrows
// for `super`.
function has(node, test, intoArrows = false) {
  for (const child of children(node)) {
    if (test(child)) return true;
    if (isFunction(child) && !(intoArrows && child.type === 'ArrowFunctionExpression')) continue;
    if (has(child, test, intoArrows)) return true;
  }
  return false;
}

const isDelegation = (node) => node.type === 'YieldExpression' && node.delegate;
const isForAwait = (node) => node.type === 'ForOfStatement' && node.await;
const isSuper = (node) => node.type === 'Super';

class OrderEdits {
  constructor(text, importer, edit) {
    this.text = text;
    this.importer = importer;
    this.edit = edit;
  }

  // `inside`: whether the surrounding function is an asynchronous generator, and whether it is driven.
  visit(node, inside = { generator: false, driven: false }, parent = undefined) {
    let around = inside;
    if (isFunction(node)) around = this.enter(node, parent);
    else this.change(node, inside);
    for (const child of children(node)) this.visit(child, around, node);
  }

  enter(node, parent) {
    const generator = node.async && node.generator;
    const driven =
      generator && delegates && has(node.body, isDelegation) && !has(node.body, isForAwait) && this.head(node, parent);
    return { generator, driven };
  }

  around(start, end, before, after) {
    this.edit(start, start, before);
    this.edit(end, end, after);
  }

  call(start, end, name) {
    this.around(start, end, ` ${this.importer}.${name}(`, ')');
  }

  // A request of a driven generator: `word` replaces the keyword and its operand.
  wish(node, length, name) {
    const { importer } = this;
    this.edit(node.start, node.start + length, `${importer}.given(yield ${importer}.${name}(`);
    this.edit(node.end, node.end, '))');
  }

  change(node, { generator, driven }) {
    switch (node.type) {
      case 'AwaitExpression':
        if (driven) this.wish(node, 5, 'toAwait');
        else if (awaits) this.call(node.start + 5, node.end, 'awaited');
        return;
      case 'ForOfStatement':
        if (node.await && forAwaits) this.around(node.right.start, node.right.end, `${this.importer}.iterable((`, '))');
        return;
      case 'YieldExpression':
        if (driven)
          this.wish(
            node,
            node.delegate ? kYieldAll.exec(this.text.slice(node.start, node.end))[0].length : 5,
            node.delegate ? 'toDelegate' : 'toYield',
          );
        else if (awaits && generator && !node.delegate && node.argument) this.call(node.start + 5, node.end, 'awaited');
        return;
      case 'ReturnStatement':
        if (!node.argument || !generator) return;
        if (driven)
          this.around(
            node.argument.start,
            node.argument.end,
            `${this.importer}.given(yield ${this.importer}.toAwait((`,
            ')))',
          );
        else if (awaits) this.around(node.argument.start, node.argument.end, `${this.importer}.awaited((`, '))');
        return;
    }
  }

  // An asynchronous generator function becomes a function that makes a driver. False: its head is not simple enough.
  head(node, parent) {
    const { text, importer } = this;
    const expected = node.params.findIndex(
      (param) => param.type === 'AssignmentPattern' || param.type === 'RestElement',
    );
    const names = Array.from({ length: expected === -1 ? node.params.length : expected }, (_, i) => `__rota_${i}`).join(
      ', ',
    );
    const body = (target) => `(${names}) { return ${importer}.generate(${target}, this, arguments, function* `;
    const method =
      (parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)) && parent.value === node;
    if (method) {
      const found = /^(static\s+)?async\s*\*\s*(\[\s*)?$/.exec(text.slice(parent.start, parent.key.start));
      if (found === null || has(node, isSuper, true)) return false;
      this.edit(parent.start, parent.key.start, `${found[1] ?? ''}${found[2] ?? ''}`);
      this.edit(node.start, node.start, body('undefined'));
    } else {
      const found = /^async\s+function\s*\*\s*([\p{ID_Continue}$]*)\s*(?=\()/u.exec(text.slice(node.start, node.end));
      if (found === null || found[1] !== (node.id?.name ?? '')) return false;
      this.edit(node.start, node.start + found[0].length, `function ${found[1]}${body('new.target')}`);
    }
    this.edit(node.end, node.end, '); }');
    return true;
  }
}

function editOrder(tree, text, importer, edit) {
  if (concerns(text)) new OrderEdits(text, importer, edit).visit(tree);
}

// Whether the engine has been repaired such that it must be told the operand of a yield* (internal/async/delegate).
const marksDelegation = !delegatesUnmarked;

module.exports = { concerns, editOrder, marksDelegation };
