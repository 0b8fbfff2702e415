'use strict';

// What packages still take from process.binding.
const { spawnSync, execFileSync } = require('child_process');

const binding = process.binding('spawn_sync');
const { spawn } = binding;
binding.spawn = function(options) {
  console.log('seen', options.args.slice(1), options.envPairs.includes('GIVEN=1'));
  options.envPairs.push('ADDED=2');
  return spawn.call(this, options);
};
console.log(spawnSync('sh', ['-c', 'echo $GIVEN $ADDED'], { env: { ...process.env, GIVEN: '1' }, encoding: 'utf8' }).stdout);
binding.spawn = spawn;
console.log(execFileSync('echo', ['plain'], { encoding: 'utf8' }));
console.log('fs' in process.binding('natives'), process.binding('constants').os.signals.SIGINT, process.binding('uv').errname(-2));
console.log(process.binding('uv').UV_ENOENT, process.binding('util').isDate(new Date()));
try {
  process.binding('nothing');
} catch (error) {
  console.log(error.message);
}

// Options of V8's: listed without waiting for standard input, and one that means something.
const listed = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', timeout: 20_000 });
console.log(listed.status, /^ {2}--expose-gc/m.test(listed.stdout));
const limited = spawnSync(process.execPath, ['--stack-trace-limit=1', '-p', 'new Error("x").stack.split("\\n").length'], { encoding: 'utf8' });
console.log(limited.stdout);
