'use strict';

// The options that the program was started with, from NODE_OPTIONS and from the command line, for those who look for a few of them.

const words = () => [...(process.env.NODE_OPTIONS ?? '').split(/\s+/).filter(Boolean), ...process.execArgv];

const hasFlag = (name) => words().includes(name);

// All values of --name=value and --name value.
function valuesOf(name) {
  const list = words();
  const values = [];
  list.forEach((word, i) => {
    if (word.startsWith(`${name}=`)) values.push(word.slice(name.length + 1));
    else if (word === name && i + 1 < list.length) values.push(list[i + 1]);
  });
  return values;
}

module.exports = { hasFlag, valuesOf };
