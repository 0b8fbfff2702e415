'use strict';

// A promise of an answer, which a signal may take back: `ask` gets what takes the answer, `withdraw` is called when it
// is not wanted any more.

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
