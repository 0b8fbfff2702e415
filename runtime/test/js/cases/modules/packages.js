console.log(require('main-only'), require('exports-map'), require('@scope/pkg'));
for (const id of ['exports-map/nope', 'exports-map/feature/private/x', 'exports-map/lib/own.cjs', 'not-there', './not-there', 'node:nope']) {
  try { console.log(require(id)); } catch (e) { console.log(e.code, e.message.split('\n')[0].replaceAll(__dirname, '')); }
}
console.log(require('exports-map/feature/a'), require('exports-map/package.json').name, require('exports-map/cond')[0]);
const m = require('esm-only'); m.up(); console.log(m.count, typeof m.default, m.__esModule);
console.log(require.resolve('main-only').replace(__dirname, ''), require.resolve.paths('x')[0].replace(__dirname, ''), require.resolve.paths('fs'));
console.log(module.id, module.children.length, module.paths[0].replace(__dirname, ''), require.main === module, module.loaded, require.cache[__filename] === module);
const { createRequire, builtinModules, isBuiltin } = require('module');
console.log(createRequire(__filename)('main-only'), isBuiltin('node:path'), isBuiltin('nope'), builtinModules.includes('path'));
require('./support/cycle_a.js');
