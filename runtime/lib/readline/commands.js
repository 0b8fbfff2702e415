'use strict';

// Commands of readline: questions, and the table of keys.
//
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

// The table of keys and commands. A chord is the key's name with C- (control), M- (alt) and S- (shift) before it; a
// command gets the interface's `hands`: its editor, and functions for what is beyond the line.

function chordOf(key) {
  return `${key.ctrl ? 'C-' : ''}${key.meta ? 'M-' : ''}${key.shift ? 'S-' : ''}${key.name}`;
}

const toStart = (hands) => hands.moved((editor) => editor.move(0));
const toEnd = (hands) => hands.moved((editor) => editor.move(editor.text.length));
const left = (hands) => hands.moved((editor) => editor.move(editor.charLeft()));
const right = (hands) => hands.moved((editor) => editor.move(editor.charRight()));
const wordLeft = (hands) => hands.moved((editor) => editor.move(editor.wordLeft()));
const wordRight = (hands) => hands.moved((editor) => editor.move(editor.wordRight()));
const eraseLeft = (hands) => hands.changed((editor) => editor.erase(editor.charLeft()));
const eraseRight = (hands) => hands.changed((editor) => editor.erase(editor.charRight()));
const eraseWordLeft = (hands) => hands.changed((editor) => editor.erase(editor.wordLeft()));
const eraseWordRight = (hands) => hands.changed((editor) => editor.erase(editor.wordRight()));
const killToStart = (hands) => hands.changed((editor) => editor.kill(0));
const killToEnd = (hands) => hands.changed((editor) => editor.kill(editor.text.length));

const commands = new Map(
  Object.entries({
    'C-a': toStart,
    home: toStart,
    'C-e': toEnd,
    end: toEnd,
    'C-b': left,
    left,
    'C-f': right,
    right,
    'C-left': wordLeft,
    'M-b': wordLeft,
    'M-left': wordLeft,
    'C-right': wordRight,
    'M-f': wordRight,
    'M-right': wordRight,
    'C-h': eraseLeft,
    backspace: eraseLeft,
    'S-backspace': eraseLeft,
    delete: eraseRight,
    'C-w': eraseWordLeft,
    'C-backspace': eraseWordLeft,
    'M-backspace': eraseWordLeft,
    'M-d': eraseWordRight,
    'C-delete': eraseWordRight,
    'M-delete': eraseWordRight,
    'C-u': killToStart,
    'C-S-backspace': killToStart,
    'C-k': killToEnd,
    'C-S-delete': killToEnd,
    'C-y': (hands) => hands.changed((editor) => editor.yank()),
    'M-y': (hands) => hands.changed((editor) => editor.yankPop()),
    'C-t': (hands) => hands.changed((editor) => editor.transpose()),
    'C-p': (hands) => hands.historyStep(1),
    up: (hands) => hands.historyStep(1),
    'C-n': (hands) => hands.historyStep(-1),
    down: (hands) => hands.historyStep(-1),
    'C-l': (hands) => hands.clearScreen(),
    'C-c': (hands) => hands.interrupt(),
    'C-d': (hands) => hands.endOrErase(),
    'C-z': (hands) => hands.suspend(),
    return: (hands) => hands.enter('\r'),
    'S-return': (hands) => hands.enter('\r'),
    enter: (hands) => hands.enter('\n'),
    tab: (hands, text) => hands.tab(text),
  }),
);

// Undo and redo have no letter: they are recognized by the sequence that the terminal sends.
const bySequence = new Map([
  ['\x1f', (hands) => hands.changed((editor) => editor.undo())],
  ['\x1e', (hands) => hands.changed((editor) => editor.redo())],
]);

// A command, or undefined for text that is to be inserted. A chord without a meaning is a command that does nothing.
function commandFor(key) {
  const special = bySequence.get(key.sequence);
  if (special !== undefined) return special;
  const command = commands.get(chordOf(key));
  if (command !== undefined) return command;
  if ((key.ctrl && key.name !== undefined && key.name.length === 1) || key.meta) return () => {};
  return undefined;
}

module.exports = { answerOf, commandFor };
