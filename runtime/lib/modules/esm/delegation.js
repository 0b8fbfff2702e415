'use strict';

// `yield* x` of an asynchronous generator: an engine whose order has been repaired would await too much, so it is told
// the operand (runtime/lib/async/delegate.js).

const { marksDelegation } = require('internal/modules/order_edits');

const kYieldStar = /^yield\s*\*/;

function editDelegation(text, node, importer, edit) {
  const found = marksDelegation ? kYieldStar.exec(text.slice(node.start, node.end)) : null;
  if (found === null) return;
  const start = node.start + found[0].length;
  edit(start, start, ` ${importer}.delegate(`);
  edit(node.end, node.end, ')');
}

module.exports = { editDelegation };
