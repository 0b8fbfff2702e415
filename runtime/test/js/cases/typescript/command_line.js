// TypeScript on the command line: files, -e, standard input, options.
const { spawnSync } = require('node:child_process');

const run = (options, input) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8', input });
  const said = stderr.split('\n').filter((line) => /^\w*Error/.test(line));
  console.log(options.join(' '), '=>', status, JSON.stringify(stdout), said);
};

run(['-e', 'const x: number = 1; console.log(x)']);
run(['-p', 'const x: number = 2; x']);
run(['-e', 'import fs from "node:fs"; const x: string = typeof fs; console.log(x)']);
run(['--input-type=module-typescript', '-e', 'import fs from "node:fs"; const x: string = typeof fs; console.log(x)']);
run(['--input-type=commonjs-typescript', '-e', 'const x: string = typeof require; console.log(x)']);
run(['--input-type=commonjs', '-e', 'const x: string = ""']);
run(['--input-type=module', '-e', 'let x: string = ""']);
run(['--no-strip-types', '-e', 'let x: string = ""']);
run(['-e', 'enum A { b }']);
run(['--input-type=module-typescript', '-e', 'enum A { b }']);
run(['--no-strip-types', '-p', 'process.features.typescript']);
run(['--experimental-strip-types', '-p', 'process.features.typescript']);
run(['-'], 'let z: number = 3; console.log(z)');
run(['support/common.cts']);
run(['support/enumeration.ts']);
run(['support/broken.ts']);
run(['support/names.ts']);
