'use strict';
// Wrong arguments of every kind, in every place, for each function of fs: what is thrown, and in which order arguments are
// checked. One line for each function and place; the number stands for all the texts together (LIST=1 shows them).
const fs = require('fs');
const os = require('os');
const path = require('path');
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'arguments-'));
process.chdir(directory);
fs.writeFileSync('f', 'hello');
const fd = fs.openSync('f', 'r+');
const bytes = Buffer.alloc(4);
const wrong = [undefined, null, true, -1, 1.5, '', {}, [], 'a\0b', NaN, 2 ** 33];
const right = {
  access: ['f', 0], appendFile: ['f', 'x', {}], chmod: ['f', 0o644], chown: ['f', -1, -1], copyFile: ['f', 'g', 0], cp: ['f', 'h', {}],
  exists: ['f'], fchmod: [fd, 0o644], fchown: [fd, -1, -1], fdatasync: [fd], fstat: [fd], fsync: [fd], ftruncate: [fd, 3], futimes: [fd, 1, 1],
  glob: ['*', {}], lchown: ['f', -1, -1], link: ['f', 'zz'], lstat: ['f'], lutimes: ['f', 1, 1], mkdir: ['d', { recursive: true }],
  mkdtemp: ['t-', {}], open: ['f', 'r', 0o666], opendir: ['.', {}], read: [fd, bytes, 0, 4, 0], readFile: ['f', {}], readdir: ['.', {}],
  readlink: ['f', {}], readv: [fd, [bytes], 0], realpath: ['f', {}], rename: ['f', 'f'], rm: ['none', { force: true }], rmdir: ['none', {}],
  stat: ['f'], statfs: ['f'], symlink: ['f', 's', 'file'], truncate: ['f', 3], unlink: ['none'], utimes: ['f', 1, 1], write: [fd, bytes, 0, 4, 0],
  writeFile: ['f', 'hello', {}], writev: [fd, [bytes], 0],
};
function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16777619) >>> 0;
  return value.toString(16);
}
let lines = [];
function attempt(label, f) {
  let text;
  try {
    const result = f();
    if (typeof result === 'number' && label.includes('open')) fs.closeSync(result);
    if (result?.closeSync !== undefined) result.closeSync();
    text = 'accepted';
  } catch (error) {
    // What the system says to it depends on what came before.
    text = error.errno === undefined ? `${error.name} ${error.code} ${error.message}` : 'accepted';
  }
  lines.push(`${label}: ${text}`);
}
function flush(name) {
  if (process.env.LIST) console.log(lines.join('\n'));
  console.log(name, lines.length, hash(lines.join('\n')));
  lines = [];
}
for (const [name, given] of Object.entries(right)) {
  for (const form of [name, `${name}Sync`]) {
    const isSync = form !== name;
    const callback = isSync ? [] : [() => {}];
    if (!['realpathSync', 'existsSync'].includes(form)) attempt(`${form} nothing`, () => fs[form]());
    if (!isSync && !['rm', 'symlink', 'write', 'readFile', 'writeFile', 'appendFile', 'readv', 'writev'].includes(name)) {
      attempt(`${form} no callback`, () => fs[form](...given));
      attempt(`${form} no callback, nothing right`, () => fs[form](...given.map(() => undefined), undefined));
    }
    given.forEach((_, place) => {
      // What a file is made of first is told in words of another place.
      if (typeof given[place] === 'number' && place === 0) return;
      if (place === 0 && ['realpath', 'readFile', 'writeFile', 'appendFile'].includes(name)) return;
      for (const value of wrong) {
        if (name.endsWith('stat') || name === 'statfs') if (place === 1) continue;
        if (place > 0 && name.startsWith('ftruncate') && value === 2 ** 33) continue;
        if (name === 'truncate' && value === 2 ** 33) continue;
        if (name === 'cp' && isSync && place < 2 && typeof value === 'string') continue;
        const all = [...given];
        all[place] = value;
        attempt(`${form} ${place} ${String(JSON.stringify(value))}`, () => fs[form](...all, ...callback));
      }
    });
    flush(form);
  }
}
process.on('uncaughtException', () => {});
setTimeout(() => {
  process.chdir('/');
  fs.rmSync(directory, { recursive: true, force: true });
  process.exit(0);
}, 300);
