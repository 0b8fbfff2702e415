// Errors of asynchronous operations have no frames, as none is the program's; those of synchronous ones have the program's.
const fs = require('fs');
const none = '/none/of/these';
const shown = (error) => (/\n {4}at async /.test(error.stack) ? 'waited for' : error.stack.split('\n').length);
const lines = {};
let open = 0;
const hear = (name) => {
  open++;
  return (error) => {
    lines[name] = shown(error);
    if (--open === 0) for (const key of Object.keys(lines).sort()) console.log(key, lines[key]);
  };
};
for (const [name, ...args] of [
  ['access'], ['stat'], ['readFile'], ['readFile', 'utf8'], ['writeFile', 'text'], ['appendFile', 'text'], ['opendir'], ['readdir'],
  ['readdir', { withFileTypes: true }], ['readdir', { recursive: true }], ['rename', `${none}2`], ['copyFile', `${none}2`], ['truncate'], ['rmdir'], ['realpath'],
  ['unlink'], ['mkdir'], ['lchown', 0, 0], ['utimes', 1, 1], ['readlink'], ['symlink', none], ['open'], ['rm'],
]) {
  fs[name](none, ...args, hear(`${name} ${args.map((arg) => JSON.stringify(arg))}`));
}
const buffer = Buffer.alloc(4);
fs.read(9999, buffer, hear('read'));
fs.write(9999, buffer, hear('write'));
fs.readv(9999, [buffer], hear('readv'));
fs.writev(9999, [buffer], hear('writev'));
fs.fstat(9999, hear('fstat'));
fs.close(9999, hear('close'));
fs.promises.opendir(none).catch(hear('promises.opendir'));
fs.createReadStream(none).on('error', hear('stream'));
const limit = Error.stackTraceLimit;
fs.stat(none, (error) => {
  console.log(error, limit === Error.stackTraceLimit);
  try {
    fs.statSync(none);
  } catch (inner) {
    console.log(inner.stack.includes('late_errors.js:'));
  }
  Object.freeze(Error);
  fs.stat(none, (late) => console.log(late.code, limit === Error.stackTraceLimit));
});
