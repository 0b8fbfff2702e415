// Files of every kind read in one turn: a pipe without a writer must not delay the others.
const fs = require('fs');
const os = require('os');
const path = require('path');
const { execFileSync } = require('child_process');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'special-'));
const at = (name) => path.join(folder, name);
fs.writeFileSync(at('small'), 'small');
fs.writeFileSync(at('empty'), '');
fs.writeFileSync(at('edge'), 'e'.repeat(16447));
fs.writeFileSync(at('edge1'), 'e'.repeat(16448));
fs.writeFileSync(at('large'), 'l'.repeat(300000));
fs.mkdirSync(at('folder'));
execFileSync('mkfifo', [at('pipe'), at('other')]);

const results = {};
let left = 0;
function read(name, file, then) {
  left++;
  fs.readFile(file, 'utf8', (error, text) => {
    results[name] = error ? `${error.code} ${error.syscall}` : `${text.length} ${text.slice(0, 5)}`;
    then?.();
    if (--left === 0) finish();
  });
}

function finish() {
  for (const name of Object.keys(results).sort()) console.log(name, results[name]);
  console.log(fs.readFileSync('/proc/self/status', 'utf8').includes('Pid:'), fs.readFileSync(at('empty')).length, fs.readFileSync('/dev/null').length);
  fs.rmSync(folder, { recursive: true });
}

read('pipe', at('pipe'));
for (const name of ['small', 'empty', 'edge', 'edge1', 'large', 'folder', 'missing', 'small/none', 'small', 'small']) read(name, at(name));
read('null', '/dev/null');
fs.readFile('/proc/self/status', 'utf8', (error, text) => {
  results.proc = text.includes('VmRSS');
});
read('other', at('other'));
read('last', at('small'), () => {
  fs.writeFile(at('pipe'), 'through the pipe', () => {
    fs.open(at('other'), 'w', (error, fd) => {
      fs.writeSync(fd, 'one ');
      setTimeout(() => {
        fs.writeSync(fd, 'two');
        fs.closeSync(fd);
      }, 20);
    });
  });
});
