'use strict';

// Libraries read variables of the environment that name files with code: tables of iconv, OpenSSL's configuration. What a program writes there
// under --permission does not reach them; the program and its children see it.
const fs = require('fs');
const path = require('path');
const { run, place } = require('./support/run');

fs.mkdirSync(path.join(place, 'tables'));
const sets = ['BIG5', 'KOI8-R', 'GB18030', 'EUC-KR', 'SHIFT_JIS'];
fs.writeFileSync(path.join(place, 'tables/gconv-modules'), sets.map((name) => `module ${name}// INTERNAL NONE 1\nmodule INTERNAL ${name}// NONE 1\n`).join(''));
fs.writeFileSync(path.join(place, 'tables/openssl.cnf'), `nodejs_conf = a\nopenssl_conf = a\n[a]\nproviders = b\n[b]\nnone = c\n[c]\nmodule = ${place}/tables/none.so\nactivate = 1\n`);
const code = `
  Object.assign(process.env, { GCONV_PATH: __dirname + '/tables', OPENSSL_CONF: __dirname + '/tables/openssl.cnf', OPENSSL_MODULES: __dirname + '/tables', OTHER: 'x' });
  delete process.env.GONE;
  const bytes = new Uint8Array([0xa4, 0xa4]);
  for (const name of ['big5', 'koi8-r', 'gb18030', 'euc-kr']) console.log(name, new TextDecoder(name).decode(bytes));
  console.log(require('crypto').createHash('sha1').update('a').digest('hex'));
  console.log(process.env.OTHER, process.env.GONE, 'GONE' in process.env, Object.keys(process.env).filter((name) => /^(OTHER|GONE|KEPT)$/.test(name)), process.env.KEPT);
  process.env.HOME = '/nowhere';
  console.log(require('os').homedir());
  process.env.TZ = 'Asia/Tokyo';
  console.log(new Date(0).getHours());
  if (process.permission.has('child')) {
    console.log(String(require('child_process').execSync('echo $OTHER-$GONE-$KEPT-$HOME')));
    new (require('worker_threads').Worker)('console.log(process.env.OTHER, process.env.GONE, process.env.KEPT)', { eval: true });
  }
`;
for (const options of [[], ['--allow-child-process', '--allow-worker']]) {
  const { stdout, stderr, status } = run(['--permission', '--no-warnings', '--allow-fs-read=PLACE', ...options], code, { env: { GONE: 'g', KEPT: 'k', TZ: 'UTC' } });
  console.log(stdout, stderr, status);
}
