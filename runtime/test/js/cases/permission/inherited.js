'use strict';

// Threads and children have the permissions of their maker.
const { run, place } = require('./support/run');

const threads = run(['--permission', '--allow-worker', '--no-warnings', '--allow-fs-read=PLACE'], `
  const { Worker, isMainThread } = require('worker_threads');
  const look = (name) => {
    const { permission } = process;
    const tries = [() => require('fs').readFileSync('/etc/passwd'), () => require('child_process').spawnSync('true')].map((each) => { try { each(); return 'fine'; } catch (error) { return error.code; } });
    console.log(name, permission.has('worker'), permission.has('fs.read', __filename), permission.has('fs.read', '/etc'), ...tries);
  };
  look(isMainThread ? 'main' : 'thread');
  if (isMainThread) new Worker(__filename);
`);
console.log(threads.stdout, threads.status);

const child = "console.log(process.env.NODE_OPTIONS?.replaceAll(process.cwd(), 'PLACE'), typeof process.permission, process.permission?.has('fs.read', '/etc'), process.permission?.has('child'))";
const children = run(['--permission', '--allow-child-process', '--no-warnings', '--allow-fs-read=PLACE', '--allow-fs-write=PLACE/x'], `
  const { spawnSync, execSync, fork } = require('child_process');
  const code = ${JSON.stringify(child)};
  const show = (...args) => console.log(String(spawnSync(...args).stdout).trim());
  show(process.execPath, ['-e', code]);
  show(process.execPath, ['-e', code], { env: {} });
  show(process.execPath, ['-e', code], { env: { NODE_OPTIONS: '--no-warnings' } });
  show(process.execPath, ['-e', code], { env: { NODE_OPTIONS: '--title=--permission' } });
  show(process.execPath, ['-e', code], { env: { NODE_OPTIONS: '--permission --allow-fs-read=/etc' } });
  show(process.execPath, ['--permission', '-e', code]);
  show(process.execPath, ['--permission-audit', '-e', code]);
  console.log(String(execSync('echo "$NODE_OPTIONS"')).replaceAll(__dirname, 'PLACE').trim());
  console.log(process.env.NODE_OPTIONS);
`);
console.log(children.stdout.replaceAll(place, 'PLACE'), children.status);

// By the environment: it counts, and the command line may say otherwise.
for (const [options, variable] of [[[], '--permission'], [['--no-permission'], '--permission'], [['--permission'], '--no-permission'], [[], '--permission --allow-fs-read=/etc'],
  [['--allow-fs-read=/etc'], '--permission']]) {
  const { stdout, status } = run(options, "console.log(typeof process.permission, process.permission?.has('fs.read', '/etc/x'))", { env: { NODE_OPTIONS: variable } });
  console.log(options.join(), variable, stdout.trim(), status);
}
