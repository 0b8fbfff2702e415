'use strict';

// A program that replaces the compiler gets a file's text as it is, with types.
const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');

Module._extensions['.ts'] = (module, filename) => {
  const compile = module._compile;
  module._compile = function(code, name, ...others) {
    console.log(JSON.stringify(code), others);
    return compile.call(this, 'module.exports = "compiled";\nmodule.exports.line = new Error("x").stack.split("\\n")[1];', name);
  };
  return Module._extensions['.js'](module, filename);
};
console.log(require('../support/kinds.ts'));

// A long text has import(), too.
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'rota-'));
fs.writeFileSync(path.join(directory, 'other.mjs'), 'export const value = 5;');
fs.writeFileSync(path.join(directory, 'long.js'), `/*${' '.repeat(300_000)}*/
exports.load = () => import('./other.mjs');
exports.wait = async () => { await undefined; return (await import('./other.mjs')).value; };`);
const long = require(path.join(directory, 'long.js'));
(async () => {
  console.log((await long.load()).value, await long.wait());
  await new Promise((resolve) => setTimeout(resolve, 1));
  console.log((await long.load()).value);
  fs.rmSync(directory, { recursive: true });
})();
