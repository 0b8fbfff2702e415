'use strict';
// process.versions: the versions that the libraries report.
const names = ['node', 'acorn', 'amaro', 'ares', 'brotli', 'cldr', 'icu', 'llhttp', 'modules', 'napi', 'nghttp2', 'openssl', 'sqlite', 'tz', 'undici', 'unicode', 'uv', 'v8', 'zlib',
  'zstd'];
for (const name of names) console.log(name, typeof process.versions[name], /^\d/.test(process.versions[name]), Object.keys(process.versions).includes(name));
const { DatabaseSync } = require('node:sqlite');
console.log('sqlite', new DatabaseSync(':memory:').prepare('select sqlite_version() as version').get().version === process.versions.sqlite);
console.log('set', Reflect.set(process.versions, 'node', '1'));
console.log('inspected', /openssl: '\d/.test(require('util').inspect(process.versions)), JSON.parse(JSON.stringify(process.versions)).zlib === process.versions.zlib);
