// Endlessly recursive asynchronous functions: the outermost promise is rejected. Promises that are rejected at the end of the
// stack are not reported.
const { spawnSync } = require('child_process');
const programs = {
  unhandled: 'async function f() { await f(); } f();',
  handled:
    'async function f() { await f(); } f().then(() => console.log("ok"), (e) => console.log(e instanceof RangeError, e.message))',
  returned: 'const f = async () => f(); process.on("exit", (code) => console.log("exit", code)); f();',
  heard:
    'process.on("unhandledRejection", (e) => console.log(e.message)); const f = async () => f(); f(); setTimeout(console.log, 1, "later");',
  executors: 'function f() { return new Promise(() => f()); } f(); setTimeout(console.log, 1, "later");',
  finally: 'const f = async () => { try { await f(); } finally { await 1; } }; f();',
  inside: 'function r() { r(); } async function g() { r(); } g();',
};
for (const [name, text] of Object.entries(programs)) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  console.log(name, status, signal, JSON.stringify(stdout), /Maximum call stack size exceeded/.test(stderr));
}

// Each rejection that nobody handled when it happened has a number.
process.on('warning', (warning) => console.log(warning.name, warning.message.match(/rejection id: \d+/)?.[0]));
Promise.reject(new Error('one')).catch(() => {});
const late = Promise.reject(new Error('two'));
process.once('unhandledRejection', () => setImmediate(() => late.catch(() => {})));
