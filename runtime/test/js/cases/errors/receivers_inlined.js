'use strict';

// Functions that compiled code has inlined: a stack names the type of their receiver, or none, and never another one.

class Made {
  check(n) {
    return n % 997 === 0 ? new Error('hot') : undefined;
  }
  get checked() {
    return this.check(997);
  }
  static look(made) {
    return made.check(1994);
  }
}
const holder = {
  made: new Made(),
  ask(n) {
    return this.made.check(n);
  },
};
function start(n) {
  return holder.ask(n);
}

const expected = /^ +at (?:Made\.)?check .*\n +at (?:(?:Object\.)?ask|(?:get )?checked|(?:Made\.|Function\.)?look) /;
let made = 0;
let wrong = 0;
for (let i = 0; i < 300000; i++) {
  for (const error of [start(i), i % 1000 === 0 ? holder.made.checked : undefined, i % 1001 === 0 ? Made.look(holder.made) : undefined]) {
    if (error === undefined) continue;
    made++;
    const lines = error.stack.slice(error.stack.indexOf('\n') + 1);
    if (!expected.test(lines) || /Object\.(?:start|check|look)/.test(lines)) wrong++;
  }
}
console.log(made, wrong);
