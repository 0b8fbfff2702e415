'use strict';

// The options that the program was started with, from NODE_OPTIONS and from the command line, for those who look for a few of them.

// NODE_OPTIONS: words between blanks. Double quotes hold blanks together, and in them a backslash takes the next letter as it is.
function environmentWords() {
  const text = process.env.NODE_OPTIONS;
  if (!text) return [];
  return (text.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [])
    .map((word) => word.replace(/"((?:\\.|[^"\\])*)"/g, (_, inner) => inner.replace(/\\(.)/g, '$1')));
}

const words = () => [...environmentWords(), ...process.execArgv];

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

module.exports = { words, hasFlag, valuesOf, preloads };
