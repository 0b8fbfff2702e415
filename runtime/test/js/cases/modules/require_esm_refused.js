// --no-experimental-require-module: the advice in the error.
'use strict';
const { execFileSync } = require('child_process');
const code = `for (const file of ['./support/typed/plain.js', './support/typed/module.js', './support/hooks/dep.mjs']) {
  try {
    console.log(require(file));
  } catch (error) {
    console.log(error.name, error.code, error.message.replaceAll(process.cwd(), ''));
  }
}`;
console.log(execFileSync(process.execPath, ['--no-experimental-require-module', '-e', code], { encoding: 'utf8', cwd: __dirname }));
