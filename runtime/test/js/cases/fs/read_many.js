// Many whole files read at once: each gives its own contents, independent of the others and of its directory.
const fs = require('fs');
const os = require('os');
const path = require('path');

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'many-'));
const mark = (n, size) => Buffer.alloc(size, `${n},`);
const sizes = [0, 1, 600, 4095, 4096, 4097, 20000, 65535, 65536, 65537, 200000];
for (const directory of ['a', 'b', 'a/deep']) {
  fs.mkdirSync(path.join(root, directory));
  sizes.forEach((size, n) => fs.writeFileSync(path.join(root, directory, `${n}`), mark(`${directory}${n}`, size)));
}
fs.symlinkSync('a', path.join(root, 'link'));
fs.symlinkSync('../b/2', path.join(root, 'a', 'other'));

let left = 0;
const wrong = [];
const told = new Map();
function read(name, expected, options) {
  left++;
  fs.readFile(name, options, (error, data) => {
    left--;
    if (error) told.set(`${path.relative(root, name) || 'root'} ${error.code} ${error.syscall}`, true);
    else if (Buffer.compare(Buffer.from(data), expected) !== 0) wrong.push(name);
    else if (typeof data !== 'string' && data.buffer.byteLength !== data.length && data.length > 0) wrong.push(`${name} shares its memory`);
    if (left === 0) end();
  });
}
for (let round = 0; round < 40; round++) {
  for (const directory of ['a', 'b', 'a/deep']) {
    sizes.forEach((size, n) => {
      if (size > 5000 && round % 8 !== 0) return;
      read(path.join(root, directory, `${n}`), mark(`${directory}${n}`, size), round % 3 === 1 ? 'utf8' : undefined);
    });
  }
  read(path.join(root, 'link', '2'), mark('a2', 600));
  read(path.join(root, 'a', 'other'), mark('b2', 600));
  read(`${root}/a/../b/2`, mark('b2', 600));
  read(`${root}//b//3`, mark('b3', 4095));
  read(`${root}/b/3/`, null); // a file is no directory
  read(`${root}/b/`, null);
  read(`${root}/b`, null);
  read(`${root}/none/1`, null);
  read(`${root}/none/2`, null);
  read(`${root}/a/none`, null);
  read(`${root}/a/1/2`, null);
  read(`${root}/a/1/3`, null);
}
// Too long for any file system; and so many that a batch is full of them.
read(path.join(root, 'x'.repeat(5000)), null);
for (let i = 0; i < 100; i++) read(`${root}/${'a/../'.repeat(500)}b/2`, mark('b2', 600));
// Those with no directory in their name.
process.chdir(path.join(root, 'b'));
for (let i = 0; i < 100; i++) read('2', mark('b2', 600));

function end() {
  process.chdir(os.tmpdir());
  fs.rmSync(root, { recursive: true });
  console.log(wrong);
  for (const line of [...told.keys()].sort()) console.log(line.length < 100 ? line : `${line.slice(0, 10)}... ${line.slice(-20)}`);
}
