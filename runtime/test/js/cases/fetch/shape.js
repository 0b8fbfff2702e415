// The shape of fetch and its classes, and the options that switch them off.
const { spawnSync } = require('node:child_process');
console.log(fetch.constructor.name, fetch.length, fetch.name);
const promise = fetch();
console.log(promise instanceof Promise);
promise.catch((error) => console.log(error.name, error.message));
const run = (...args) => console.log(spawnSync(process.execPath, [...args, '-p', '[typeof WebSocket, typeof CloseEvent, typeof fetch]'], { encoding: 'utf8' }).stdout);
run();
run('--no-experimental-websocket');
const called = [];
new Event('x', { get cancelable() { return called.push('cancelable'); }, get bubbles() { return called.push('bubbles'); } });
console.log(called);
