'use strict';

// What still runs when a line, or the end of the input, ends the REPL.

const { spawnSync } = require('child_process');

const inputs = {
  'a tick': 'process.nextTick(() => console.log("tick"))\n.exit\n',
  'a line after the end': '.exit\nconsole.log("after")\n',
  'a tick, a reaction, an immediate': 'process.nextTick(() => console.log("tick")); Promise.resolve().then(() => console.log("reaction"));' +
    'setImmediate(() => console.log("immediate")); 1\n.exit\n',
  'the end of the input': 'process.nextTick(() => console.log("tick")); setImmediate(() => console.log("immediate")); 1',
};

for (const [name, input] of Object.entries(inputs)) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-i'], { input, encoding: 'utf8' });
  console.log(`${name}: ${status}\n${stdout.replace(/^Welcome.*\n/, '')}${stderr}\n`);
}
