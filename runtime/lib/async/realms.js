'use strict';

// The contexts of node:vm: promises carry the current frame there, too (internal/async/promises). Contexts that are
// made before the first AsyncLocalStorage wait for it.

let follow; // once promises are followed
let living = []; // references, which do not keep a context alive
let limit = 16;

function begin(function_) {
  follow = function_;
  for (const reference of living) reference.deref()?.followPromises(follow);
}

function prune() {
  living = living.filter((reference) => reference.deref() !== undefined);
}

function add(realm) {
  if (follow !== undefined) realm.followPromises(follow);
  living.push(new WeakRef(realm));
  if (living.length < limit) return;
  prune();
  limit = Math.max(16, 2 * living.length);
}

function count() {
  prune();
  return living.length;
}

module.exports = { add, begin, count };
