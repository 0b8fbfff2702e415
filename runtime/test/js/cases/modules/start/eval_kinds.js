// Code of the command line: scripts, modules, and what cannot be parsed.
const { spawnSync } = require('node:child_process');

const run = (...options) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  const said = stderr.split('\n').filter((line) => /^\w*Error/.test(line));
  console.log(options.join(' '), '=>', status, JSON.stringify(stdout), said);
};

run('-p', '1 + 1');
run('-e', 'import fs from "node:fs"; console.log(typeof fs.readFile)');
run('-e', 'const fs = await import("node:fs"); console.log(typeof fs.readFile)');
run('-e', 'let x = ;');
run('-e', 'JSON.parse("{")');
run('-e', 'throw new SyntaxError("import")');
run('-e', 'eval("let y = ;")');
run('--input-type=module', '-e', 'console.log(typeof require, typeof import.meta.url)');
run('--input-type=commonjs', '-e', 'console.log(typeof require)');
