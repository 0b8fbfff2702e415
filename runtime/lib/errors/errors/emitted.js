'use strict';

// Where an 'error' event was emitted that nobody heard. The stack of its error shows where that was made, which may be
// long before and far away: a program that dies of it prints both.

const places = new WeakMap(); // error -> { emitter's kind, stack }

// `above`: the function that emits, which is not shown.
function note(error, emitter, above) {
  const place = { kind: kindOf(emitter) };
  Error.captureStackTrace(place, above);
  places.set(error, place);
}

function kindOf(emitter) {
  try {
    const { name } = emitter.constructor;
    return name === 'EventEmitter' ? '' : ` on ${name} instance`;
  } catch {
    return ''; // it need not have a constructor
  }
}

// The error's stack goes on with the place. For an error that is printed, and nothing else any more.
function append(error) {
  const place = places.get(error);
  if (place === undefined) return;
  const frames = place.stack.slice(place.stack.indexOf('\n    at '));
  error.stack = `${error.stack}\nEmitted 'error' event${place.kind} at:${frames}`;
}

module.exports = { note, append };
