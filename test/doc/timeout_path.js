'use strict';
// The program of the path "setTimeout" in doc/ARCHITECTURE.md (test/doc/paths). It raises SIGWINCH where the path begins and
// at each place where JavaScript can look at its own stack; standard error gets the modules of these stacks, a line for each.
const fs = require('fs');
Error.stackTraceLimit = 50;
const stacks = [];

function mark() {
  const modules = [...new Error().stack.matchAll(/\(node:internal\/([\w/]+):\d/g)].map((match) => match[1]);
  stacks.push(modules.reverse().join(' '));
  process.kill(process.pid, 'SIGWINCH');
}

mark();
const delay = {
  valueOf() {
    mark();
    return 1;
  },
};
setTimeout(() => {
  process.nextTick(mark);
  mark();
}, delay);
process.on('exit', () => fs.writeSync(2, `${stacks.join('\n')}\n`));
