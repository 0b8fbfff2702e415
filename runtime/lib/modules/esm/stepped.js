'use strict';

// Modules with top-level await in a cycle. Other modules of the cycle may call their functions before they run, so the
// functions must exist when the cycle is linked. An async function cannot stop before its body; a generator can. So
// such a module is compiled once more, as a generator that yields what it awaits (internal/modules/esm/link drives it).
// Other modules stay async functions: the engine's own await is faster, and nothing needs their functions earlier.

const { evaluate } = internalBinding('modules');

// The records of a list that are in a cycle of imports with others, by Tarjan's algorithm.
function inCycles(list) {
  const members = new Set(list);
  const places = new Map(); // record -> { index, low, isOpen }
  const stack = [];
  const found = new Set();
  const visit = (record) => {
    const place = { index: places.size, low: places.size, isOpen: true };
    places.set(record, place);
    stack.push(record);
    for (const dependency of record.dependencies) {
      if (!members.has(dependency)) continue;
      const known = places.get(dependency);
      if (known === undefined) place.low = Math.min(place.low, visit(dependency).low);
      else if (known.isOpen) place.low = Math.min(place.low, known.index);
    }
    if (place.low === place.index) {
      const component = stack.splice(stack.indexOf(record));
      for (const member of component) {
        places.get(member).isOpen = false;
        if (component.length > 1) found.add(member);
      }
    }
    return place;
  };
  for (const record of list) if (!places.has(record)) visit(record);
  return found;
}

// -> the function that makes the generator; undefined: the parser does not know the syntax that the engine has accepted
function compileStepped(record) {
  const { transform } = require('internal/modules/esm/transform');
  const stacks = require('internal/process/stacks');
  let result;
  try {
    result = transform(record.text, record.url, true);
  } catch {
    return undefined;
  }
  stacks.registerSource(record.url, result.headLength, record.text);
  return evaluate(result.code, record.url);
}

module.exports = { compileStepped, inCycles };
