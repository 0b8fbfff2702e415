// -p prints the value when nothing is left to do, behind the program's own listeners.
'use strict';
const { spawnSync } = require('child_process');

const programs = [
  'setTimeout(() => console.log("timer"), 1); process.on("exit", () => console.log("exit")); 1',
  'process.prependListener("exit", () => console.log("first")); 2',
  'process.on("beforeExit", () => console.log("beforeExit")); 3',
  'const value = { a: 1 }; setTimeout(() => (value.a = 2), 1); value',
  'console.log(process.listenerCount("exit")); setImmediate(() => console.log(process.listenerCount("exit"))); 4',
  'process.on("exit", () => console.log("exit")); setImmediate(() => process.exit()); 7',
  'process.once("beforeExit", () => setImmediate(() => console.log("late"))); 8',
  'process.exit(3); 5',
  'process.nextTick(() => process.exit(4)); 6',
];
for (const program of programs) {
  const { stdout, status } = spawnSync(process.execPath, ['-p', program], { encoding: 'utf8' });
  console.log(program, '->', status);
  console.log(stdout);
}
