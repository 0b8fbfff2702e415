'use strict';

// The package.json of a package that a program names is a file as any other; that of the package that a file belongs to is read without asking.
const fs = require('fs');
const path = require('path');
const { run, place } = require('./support/run');

for (const [name, text] of Object.entries({
  'ok/main.txt': '', 'secret/pkg/package.json': '{"name":"pkg","main":"hidden.js"}', 'secret/pkg/hidden.js': '', 'node_modules/hid/package.json': '{"exports":{".":"./hidden.js","./x":"./y.js"}}',
  'node_modules/hid/hidden.js': '', 'secret/node_modules/hid/package.json': '{"exports":"./hidden.js"}', 'secret/node_modules/hid/hidden.js': '', 'package.json': '{"type":"commonjs"}',
})) {
  fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
  fs.writeFileSync(path.join(place, name), text);
}
const code = `
  const D = __dirname, M = require('module');
  const lines = [];
  const tell = (name, error) => lines.push([name, error.code, error.permission, error.resource, error.message.split('\\n')[0]].join(' | '));
  const t = (name, way) => {
    try {
      const value = way();
      if (value?.then) value.then((found) => lines.push(name + ' fine ' + found), (error) => tell(name, error));
      else lines.push(name + ' fine ' + value);
    } catch (error) {
      tell(name, error);
    }
  };
  t('resolve directory', () => require.resolve(D + '/secret/pkg'));
  t('require directory', () => require(D + '/secret/pkg'));
  t('again', () => require(D + '/secret/pkg'));
  t('resolve file', () => require.resolve(D + '/secret/pkg/hidden.js'));
  t('require file', () => require(D + '/secret/pkg/hidden.js'));
  t('directory again', () => require(D + '/secret/pkg'));
  t('resolve paths', () => require.resolve('hid', { paths: [D + '/secret'] }));
  t('createRequire', () => M.createRequire(D + '/secret/x.js').resolve('hid'));
  t('createRequire sub', () => M.createRequire(D + '/secret/x.js').resolve('hid/x'));
  t('missing', () => require.resolve(D + '/secret/nope'));
  t('a directory without', () => require(D + '/secret/node_modules'));
  t('require package', () => require('hid'));
  t('require no package', () => require('nonesuch'));
  t('import directory', () => import(D + '/secret/pkg'));
  t('import file', () => import(D + '/secret/pkg/hidden.js'));
  t('import package', () => import('hid'));
  t('import part', () => import('hid/x'));
  t('import no package', () => import('nonesuch'));
  process.on('exit', () => console.log(lines.sort().join('\\n')));
`;
const { stdout, stderr, status } = run(['--permission', '--no-warnings', '--allow-fs-read=PLACE/ok'], code);
console.log(stdout, stderr, status);
