// Modules that NODE_OPTIONS preloads come first.
'use strict';
const { execFileSync } = require('child_process');
const says = (text) => `data:text/javascript,console.log('${text}')`;
const run = (options, ...args) => console.log(execFileSync(process.execPath, ['--no-warnings', ...args],
  { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: options } }));
run(`--import=${says('environment')}`, '--import', says('argument'), '-e', 'console.log("code")');
run('--import ../support/says.cjs', '--import=../support/says.cjs?again', '-e', 'console.log("code")');
run('--require ../support/says.cjs', '-e', 'console.log("code")');
run('-r ../support/says.cjs', '../support/hooks/inner.js');
run('--input-type=module', '-e', 'import "fs"; console.log(typeof require, import.meta.main)');
