'use strict';

// Where an 'error' event without a listener was emitted. The stack of the error shows where it was made, which may be
// far from that place: a program that ends with it prints both.

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

// Appends the place to the error's stack. Only for an error that is about to be printed.
function append(error) {
  const place = places.get(error);
  if (place === undefined) return;
  const frames = place.stack.slice(place.stack.indexOf('\n    at '));
  error.stack = `${error.stack}\nEmitted 'error' event${place.kind} at:${frames}`;
}

module.exports = { note, append };
