'use strict';

// Converts an ES module to a function, by the fast path: the text is rewritten in C (runtime/modules), and the engine
// compiles the result. If either of them fails, the parser (internal/modules/esm/transform) does it: it supports rare
// syntax, and finds the message for an error. Both give the same text.

const { rewrite, evaluate } = internalBinding('modules');
const { concerns, marksDelegation } = require('internal/modules/order_edits');
const { editedFiles, noteEdits } = require('internal/modules/columns');

function requestOf([specifier, ...given]) {
  let attributes;
  for (let i = 0; i < given.length; i += 2) {
    attributes ??= { __proto__: null };
    attributes[given[i]] = given[i + 1];
  }
  return { specifier, attributes, isSource: false };
}

// The edits are computed again when they are needed: for a stack, or a function's text.
function editsOf(text, isCommonJS) {
  const [, notes] = rewrite(text, isCommonJS, marksDelegation, true);
  return JSON.parse(notes).edits.map(([start, end, replacement]) => ({ start, end, replacement }));
}

// -> { compiled, ... } as of transform(), or undefined
function compileFast(text, url) {
  const found = concerns(text) ? undefined : rewrite(text, false, marksDelegation, false);
  if (found === undefined) return undefined;
  let compiled;
  try {
    compiled = evaluate(found[0], url);
  } catch {
    return undefined;
  }
  const result = JSON.parse(found[1]);
  result.compiled = compiled;
  result.requests = result.requests.map(requestOf);
  return result;
}

// By the parser, unless the compile cache has the result.
function compileSlowly(text, url) {
  const cache = require('internal/modules/compile_cache');
  const known = cache.current() === undefined || concerns(text) ? undefined : cache.read('module', text);
  if (known !== undefined) {
    const { edits, ...result } = JSON.parse(known);
    noteEdits(url, text, edits);
    for (const request of result.requests) if (request.attributes) Object.setPrototypeOf(request.attributes, null);
    return result;
  }
  const result = require('internal/modules/esm/transform').transform(text, url);
  if (cache.current() !== undefined && !concerns(text)) {
    const edits = editedFiles.get(url).edits.map(({ start, end, replacement }) => ({ start, end, replacement }));
    cache.write('module', text, JSON.stringify({ ...result, edits }));
  }
  return result;
}

let last; // a text that was compiled only to see whether it is a module is usually needed next

// { compiled or code, headLength, requests, localNames, indirect, stars, checks, hasAwait, awaits }
function compileModule(text, url) {
  const known = last;
  last = undefined;
  const result = known?.text === text && known.url === url ? known.result : compileFast(text, url);
  if (result === undefined) return compileSlowly(text, url);
  noteEdits(url, text, () => editsOf(text, false));
  return result;
}

// Whether the text can be a module: it uses syntax of modules, and has no error.
function looksLikeModule(text, url, isLikely = false) {
  if (!isLikely && !/\b(?:import|export|await)\b/.test(text)) return false;
  const result = compileFast(text, url);
  if (result === undefined) return require('internal/modules/esm/transform').looksLikeModule(text);
  last = { text, url, result };
  return true;
}

// Dynamic imports of a script or a CommonJS module, and delegations of asynchronous generators. -> the rewritten text;
// null: nothing to rewrite; undefined: the parser must do it
function rewriteCommonJS(text, name) {
  if (concerns(text)) return undefined;
  const found = rewrite(text, true, marksDelegation, false);
  if (!found) return found;
  if (name) noteEdits(name, text, () => editsOf(text, true));
  return found[0];
}

module.exports = { compileModule, looksLikeModule, rewriteCommonJS };
