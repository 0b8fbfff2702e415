'use strict';

// The options that the program was started with, from NODE_OPTIONS and from the command line, for those who look for a few of them.

const binding = internalBinding('process');
const { isWorker } = internalBinding('runtime');

// As it was when the program began, or the thread: what a program puts there is meant for its children.
function environmentText() {
  if (isWorker) return process.env.NODE_OPTIONS;
  return (binding.optionsText ??= binding.envGet('NODE_OPTIONS') ?? '');
}

// NODE_OPTIONS: words between blanks. Double quotes hold blanks together, and in them a backslash takes the next letter as it is.
function environmentWords() {
  const text = environmentText();
  if (!text) return [];
  return (text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [])
    .map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => inner.replace(/\\(.)/g, '$1')));
}

let list;
const words = () => (list ??= [...environmentWords(), ...process.execArgv]);

// The options have changed since they were read: by a file of the environment, or for a thread.
function readAgain() {
  list = undefined;
  binding.optionsText = undefined;
}

const hasFlag = (name) => words().includes(name);

// All values of --name=value and --name value.
function valuesOf(name, list = words()) {
  const values = [];
  list.forEach((word, i) => {
    if (word.startsWith(`${name}=`)) values.push(word.slice(name.length + 1));
    else if (word === name && i + 1 < list.length) values.push(list[i + 1]);
  });
  return values;
}

// What is to be loaded first by NODE_OPTIONS (the command line's come after these), or by the options of a thread.
function preloads(list = environmentWords()) {
  return { requires: [...valuesOf('--require', list), ...valuesOf('-r', list)], imports: valuesOf('--import', list) };
}

module.exports = { words, environmentText, readAgain, hasFlag, valuesOf, preloads };
