'use strict';

// A promise of an answer that a signal may cancel: `ask` is called with the function that takes the answer, `withdraw`
// when the answer is not wanted any more.

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');

function answerOf(signal, ask, withdraw) {
  const outcome = Promise.withResolvers();
  const watched = signal !== undefined && signal !== null;
  if (watched) validateAbortSignal(signal, 'options.signal');
  const giveUp = () => {
    withdraw();
    outcome.reject(new AbortError(undefined, { cause: signal.reason }));
  };
  if (watched && signal.aborted) {
    giveUp();
    return outcome;
  }
  if (watched) signal.addEventListener('abort', giveUp, { once: true });
  ask((line) => {
    if (watched) signal.removeEventListener('abort', giveUp);
    outcome.resolve(line);
  });
  return outcome;
}

module.exports = { answerOf };
