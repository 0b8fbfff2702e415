'use strict';

// If a callback keeps working, its file operations are done when the loop polls next: their callbacks come before an immediate.
// Writing a whole file is one such step, as reading one is.
const fs = require('fs');
const path = require('path');
const { tmpdir } = require('os');

const file = path.join(tmpdir(), `rota-busy-${process.pid}`);
fs.writeFileSync(file, 'text');
let fd = fs.openSync(file, 'r+');

// It sleeps, so that the others have the processor for themselves.
const word = new Int32Array(new SharedArrayBuffer(4));
const busy = () => Atomics.wait(word, 0, 0, 150);

const operations = {
  stat: (done) => fs.stat(file, done),
  open: (done) => fs.open(file, (error, made) => { fs.closeSync(made); done(error); }),
  read: (done) => fs.read(fd, Buffer.alloc(4), 0, 4, 0, done),
  close: (done) => fs.close(fd, done),
  readFile: (done) => fs.readFile(file, 'utf8', done),
  'promises.readFile': (done) => fs.promises.readFile(file).then(() => done(null), done),
  writeFile: (done) => fs.writeFile(file, 'other', done),
  'writeFile with a signal': (done) => fs.writeFile(file, 'other', { signal: new AbortController().signal }, done),
  appendFile: (done) => fs.appendFile(file, Buffer.from('more'), done),
  'promises.writeFile': (done) => fs.promises.writeFile(file, 'third').then(() => done(null), done),
  'promises.appendFile': (done) => fs.promises.appendFile(file, '!').then(() => done(null), done),
  'writeFile nowhere': (done) => fs.writeFile('/nonexistent/file', '', done),
  'readFile from nowhere': (done) => fs.readFile('/nonexistent/file', done),
  unlink: (done) => fs.unlink(file, done),
};

const names = Object.keys(operations);
function next() {
  const name = names.shift();
  if (name === undefined) return;
  if (name === 'unlink') console.log(fs.readFileSync(file, 'utf8'));
  let left = 2;
  const said = (what, error) => {
    console.log(name, what, error ? `${error.code} ${error.syscall} ${error.path}` : '');
    if (--left === 0) setTimeout(next, 1);
  };
  operations[name]((error) => said('done', error));
  busy();
  setImmediate(said, 'immediate');
}
setTimeout(next, 1);
