'use strict';

// The ways of loading an addon, and their errors.

const fs = require('fs'), os = require('os'), path = require('path');
const { createRequire } = require('module');
const file = process.argv[2].replace('loading', 'values');
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'addon-'));
const report = (name, run) => {
  try {
    console.log(name, run());
  } catch (error) {
    console.log(name, error.name, error.code, error.message.replaceAll(directory, 'DIR').replaceAll(path.dirname(file), 'BUILD'));
  }
};

process.on('exit', () => fs.rmSync(directory, { recursive: true }));
fs.writeFileSync(path.join(directory, 'bad.node'), 'this is no shared object, but long enough to have a header'.repeat(9));
const absent = path.join(directory, 'absent.node');
report('require', () => require(file) === require(file));
report('createRequire', () => createRequire(__filename)(file) === require(file));
report('without its ending', () => require(file.slice(0, -5)) === require(file));
report('not there', () => process.dlopen({ exports: {} }, absent));
report('no library', () => require(path.join(directory, 'bad.node')));
report('no addon', () => process.dlopen({ exports: {} }, file.replace('values', 'plain')));
report('no beginning', () => require(file.replace('values', 'plain')));
report('too little', () => process.dlopen({ exports: {} }));
report('no module', () => process.dlopen(null, file));
report('flags', () => {
  const module = { exports: {} };
  process.dlopen(module, file, os.constants.dlopen.RTLD_NOW);
  return Object.keys(module.exports).length === Object.keys(require(file)).length && module.exports !== require(file);
});
report('old way', () => require(file.replace('values', 'registered')).old);
report('old way again', () => {
  delete require.cache[file.replace('values', 'registered')];
  return require(file.replace('values', 'registered')).old;
});
report('throws', () => require(file.replace('values', 'throwing')));
import(file).then((namespace) => console.log(Object.keys(namespace), namespace.default === require(file)));
