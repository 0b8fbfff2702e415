// A child that is forked from the code of -e runs its script, not that code again.
'use strict';
const { spawnSync } = require('child_process');

if (process.send) {
  process.send(process.execArgv);
  return;
}
const code = `
  if (process.env.FORKED) process.exit(7); // the code ran again
  const options = { env: { ...process.env, FORKED: 'yes' } };
  const child = require('child_process').fork(${JSON.stringify(__filename)}, options);
  child.on('message', (words) => console.log('the child was given', words));
  child.on('exit', (code) => console.log('exit', code, process._eval.length > 0));
`;
for (const words of [['-e', code], ['--no-warnings', '-e', code], ['--no-warnings', '-p', `${code}; 1`]]) {
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  process.stdout.write(stdout + stderr);
}
console.log('_eval' in process);
