'use strict';

// What else needs permission, what the options allow, what they warn of, and what is given up for good.
const { run, place } = require('./support/run');

const kTry = `
  const show = (error) => error === undefined ? 'fine' : [error.code, error.permission, error.resource === undefined ? undefined : error.resource.replace(process.execPath, 'EXEC'),
    error.message].join(' | ');
  const attempt = (name, run) => { try { run(); console.log(name, 'fine'); } catch (error) { console.log(name, show(error)); } };
`;
const code = `${kTry}
  const children = require('child_process');
  attempt('spawn', () => children.spawn('true'));
  attempt('spawnSync', () => children.spawnSync('true'));
  attempt('exec', () => children.exec('true'));
  attempt('execFileSync', () => children.execFileSync('true'));
  attempt('fork', () => children.fork('/none.js').on('error', () => {}));
  attempt('execve', () => { if (!process.permission.has('child')) process.execve('/bin/true', ['true'], {}); });
  attempt('worker', () => new (require('worker_threads').Worker)('0', { eval: true }));
  attempt('wasi', () => { new (require('node:wasi').WASI)({ version: 'preview1' }); });
  attempt('inspector', () => { new (require('node:inspector').Session)().connect(); });
  attempt('dlopen', () => process.dlopen({ exports: {} }, '/none.node'));
  attempt('binding', () => process.binding('util'));
  attempt('report', () => { if (!process.permission.has('fs.write')) process.report.writeReport('/etc/report'); });
  attempt('environment file', () => process.loadEnvFile('/etc/none.env'));
  attempt('key store', () => require('crypto').createPrivateKey(new URL('file:///etc/none.pem')));
  attempt('extension', () => { const database = new (require('node:sqlite').DatabaseSync)(':memory:', { allowExtension: true }); database.loadExtension('none'); });
  attempt('heap snapshot', () => { if (!process.permission.has('fs.write')) require('v8').writeHeapSnapshot('/etc/none'); });
  attempt('trace events', () => { if (!process.permission.has('fs.write')) require('trace_events').createTracing({ categories: ['node'] }).enable(); });
  console.log(['fs', 'fs.read', 'fs.write', 'child', 'worker', 'inspector', 'wasi', 'addon', 'net', 'ffi', 'openssl.store', 'none', ''].filter((scope) => process.permission.has(scope)).join());
`;
const none = run(['--permission'], code);
console.log(none.stdout, none.status);
for (const option of ['--allow-child-process', '--allow-worker', '--allow-wasi', '--allow-inspector', '--allow-addons', '--allow-openssl-store', '--allow-net', '--allow-ffi', '--allow-fs-read=*', '--allow-fs-write=*']) {
  const { stdout, stderr, status } = run(['--permission', option], code);
  // An addon that is not there has an error of the system's.
  console.log(option, status, stdout.split('\n').filter((line) => !none.stdout.includes(line)).map((line) => line.replace(/(ERR_DLOPEN_FAILED).*/, '$1').replace(/(key store error:).*/, '$1')));
  console.log(stderr.split('\n').filter((line) => /flag/.test(line)));
}
for (const options of [['--allow-fs-read=*'], ['--allow-worker'], ['--permission', '--no-permission', '--allow-net'], ['--permission', '--allow-fs-read=a,b']]) {
  const { stderr, status } = run(options, 'console.log(typeof process.permission)');
  console.log(options.join(' '), status, /ERR_MISSING_OPTION\]: .*|Warning: .*/.exec(stderr)?.[0]);
}

// Given up, and asked with the wrong things.
const dropped = run(['--permission', '--allow-fs-read=PLACE', '--allow-fs-read=/etc/*', '--allow-fs-write=PLACE', '--allow-worker'], `${kTry}
  const { permission } = process;
  const fs = require('fs');
  const dc = require('diagnostics_channel');
  for (const name of ['fs', 'worker']) dc.subscribe('node:permission-model:' + name, (message) => console.log(name, JSON.stringify(message).replaceAll(__dirname, 'PLACE')));
  attempt('write', () => fs.writeFileSync('file', 'x'));
  permission.drop('fs.write', '/etc');
  console.log(permission.has('fs.write', 'file'));
  permission.drop('fs.write', __dirname);
  console.log(permission.has('fs.write', 'file'), permission.has('fs.read', 'file'), permission.has('fs.read', '/etc/x'));
  permission.drop('fs.read', '/etc/*');
  console.log(permission.has('fs.read', '/etc/x'), permission.has('fs.read', 'file'));
  permission.drop('worker');
  attempt('worker', () => new (require('worker_threads').Worker)('0', { eval: true }));
  permission.drop('none');
  for (const wrong of [[null], [1], ['fs.read', {}], ['fs.read', 1]]) attempt('wrong', () => permission.drop(...wrong));
  for (const wrong of [[null, ''], [], ['fs', {}]]) attempt('wrong', () => permission.has(...wrong));
  console.log(permission.has('fs.write', Buffer.from('x')), Object.getOwnPropertyDescriptor(process, 'permission').writable, Object.keys(permission));
`);
console.log(dropped.stdout.replaceAll(place, 'PLACE'), dropped.status);
console.log('permission' in process, process.permission);

// Only told of.
const audit = run(['--permission-audit'], `${kTry}
  const dc = require('diagnostics_channel');
  for (const name of ['fs', 'child', 'worker', 'wasi']) dc.subscribe('node:permission-model:' + name, (message) => console.log(name, JSON.stringify(message)));
  const fs = require('fs');
  attempt('read', () => fs.readFileSync('/etc/passwd'));
  attempt('child', () => require('child_process').spawnSync('true'));
  attempt('descriptor', () => fs.fsyncSync(1));
  attempt('binding', () => process.binding('util'));
`);
console.log(audit.stdout, audit.status);
