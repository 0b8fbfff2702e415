'use strict';

// The contexts of node:vm: promises carry the current frame there, too (internal/async/promises). Contexts that are
// made before the first AsyncLocalStorage wait for it.

let follow; // once promises are followed
let waiting = []; // references, which do not keep a context alive
let limit = 16;

function begin(function_) {
  follow = function_;
  for (const reference of waiting) reference.deref()?.followPromises(follow);
  waiting = undefined;
}

function add(realm) {
  if (follow !== undefined) {
    realm.followPromises(follow);
    return;
  }
  waiting.push(new WeakRef(realm));
  if (waiting.length < limit) return;
  waiting = waiting.filter((reference) => reference.deref() !== undefined);
  limit = Math.max(16, 2 * waiting.length);
}

module.exports = { add, begin };
