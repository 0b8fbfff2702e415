'use strict';

// The options of the program, from NODE_OPTIONS and from the command line, for modules that look for a few of them.

const binding = internalBinding('process');
const { isWorker } = internalBinding('runtime');

// The value when the program, or the thread, began: changes by the program are meant for its children.
function environmentText() {
  if (isWorker) return process.env.NODE_OPTIONS;
  return (binding.optionsText ??= binding.envGet('NODE_OPTIONS') ?? '');
}

// A thread's NODE_OPTIONS: words between blanks. Double quotes enclose blanks; inside of them a backslash escapes the
// next character.
function environmentWords() {
  if (!isWorker) return binding.optionWords.slice(0, binding.environmentWordCount);
  const text = environmentText();
  if (!text) return [];
  return (text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? []).map((word) =>
    word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => inner.replace(/\\(.)/g, '$1')),
  );
}

let list;
// The options of the process were read in C, which gives them one form: --name, --no-name, --name=value.
const words = () => (list ??= isWorker ? [...environmentWords(), ...process.execArgv] : binding.optionWords);

// The options have changed since they were read: by an environment file, or for a thread.
function readAgain() {
  list = undefined;
  binding.optionsText = undefined;
}

// If an option and its opposite are given, the last one counts.
function hasFlag(name) {
  const at = words().lastIndexOf(name);
  if (at === -1) return false;
  return words().lastIndexOf(name.startsWith('--no-') ? `--${name.slice(5)}` : `--no-${name.slice(2)}`) < at;
}

// All values of --name=value and --name value.
function valuesOf(name, list = words()) {
  const values = [];
  list.forEach((word, i) => {
    if (word.startsWith(`${name}=`)) values.push(word.slice(name.length + 1));
    else if (word === name && i + 1 < list.length) values.push(list[i + 1]);
  });
  return values;
}

// Modules that NODE_OPTIONS preloads (those of the command line come after these), or the options of a thread.
function preloads(list = environmentWords()) {
  return { requires: [...valuesOf('--require', list), ...valuesOf('-r', list)], imports: valuesOf('--import', list) };
}

module.exports = { words, environmentText, readAgain, hasFlag, valuesOf, preloads };
