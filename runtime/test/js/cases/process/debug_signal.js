'use strict';
// SIGUSR1 does not end a program, unless --disable-sigusr1 was given; one that listens to it gets it.
const { spawn } = require('child_process');

function run(options, code) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [...options, '-e', code], { stdio: ['pipe', 'pipe', 'ignore'] });
    let text = '';
    child.stdout.on('data', (chunk) => {
      if (text === '') {
        child.kill('SIGUSR1');
        setTimeout(() => child.stdin.end(), 300);
      }
      text += chunk;
    });
    child.on('close', (status, signal) => resolve([text.trim().split('\n').join(' '), status, signal]));
  });
}

// The debugger of Node takes a port; this one is free as a rule, and nobody looks whether it was.
const wait = 'process.stdin.resume().on("end", () => { console.log("ended"); process.exit(3); }); console.log("ready");';
(async () => {
  console.log(await run(['--inspect-port=0'], wait));
  console.log(await run(['--disable-sigusr1'], wait));
  console.log(await run([], `process.on("SIGUSR1", () => console.log("heard")); ${wait}`));
})();
