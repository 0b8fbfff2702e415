// The output for a program with a syntax error: the underlined place, and the message.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { spawnSync } = require('child_process');

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'shown-'));
let count = 0;

function show(text, extension) {
  const file = path.join(directory, `program${++count}.${extension}`);
  fs.writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  const told = stderr.replaceAll(directory, '').replace(/\(node:\d+\)/, '(node)');
  console.log(`---- ${text}`);
  console.log(told.split('\n').filter((line) => !/^ +at .*node:/.test(line) && !line.startsWith('Node.js v')).join('\n').trimEnd());
  console.log(`exit code ${status}`);
}

for (const text of [
  'let a = foo bar;', 'let a = 12 345;', 'let a = "x" "y";', 'if (x) { else }', 'var class = 1;', "let x = 'abc", 'foo(1, 2', 'const y;',
  'let value = 1;\nlet value = 2;', 'let o = { a: 1 b: 2 };', 'class A { constructor() {} constructor() {} }', 'a ?? b || c', 'let let = 1',
  'function f() { return await g(); }', 'const f = () => {\n  const z = await fetch("x");\n  return z;\n}', '[1].forEach(x => { await x; })',
  'function f() { for await (const x of y) {} }',
]) show(text, 'js');
for (const text of ['await 1', 'import x from "y"', 'export default 3']) show(text, 'cjs');
for (const text of ['let a = foo bar;', 'function f() { await 1 }', 'const a = ;']) show(text, 'mjs');

fs.rmSync(directory, { recursive: true });
