'use strict';

// --print shows the value when nothing is left to do, behind the program's listeners. --check reads from standard input, too.
const { spawnSync } = require('child_process');
const run = (args, input = '') => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, encoding: 'utf8' });
  console.log(args[0], JSON.stringify(args[1] ?? input), status, JSON.stringify(stdout), stderr.split('\n')[0].replaceAll(process.execPath, 'EXEC'));
};
run(['-p', 'setTimeout(console.log, 10, "t"); process.on("beforeExit", () => console.log("be")); process.on("exit", () => console.log("ex")); 5']);
run(['-p', 'setTimeout(() => process.exit(3), 10); process.on("exit", () => console.log("ex")); 5']);
run(['-p', 'process.exit(3); 5']);
run(['-p', 'let n = 0; process.on("beforeExit", () => { console.log("be"); if (n++ < 1) setTimeout(() => {}, 5); }); Promise.resolve(7)']);
run(['-p', 'Promise.resolve().then(() => 42)']);
run(['-p', 'new Promise((resolve) => setTimeout(resolve, 10, 5))']);
run(['-p', 'new Promise(() => {})']);
run(['-p', 'const o = { a: 1 }; setTimeout(() => { o.a = 2; }, 10); o']);
for (const option of ['-c', '--check']) for (const other of ['-e', '--eval', '-p']) run([option, other, '1']);
for (const option of ['-c', '-i', '-e1']) run(['--test', ...(option === '-e1' ? ['-e', '1'] : [option])]);
run(['-c'], 'throw new Error("not run")');
run(['-c'], 'var foo bar;');
run(['-c', '--input-type=module'], 'await 5; throw new Error("not run")');
run(['-c', '--input-type=module'], 'var foo bar;');
