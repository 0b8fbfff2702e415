'use strict';
// node-archiver pull request 388: of the files of an archive the one that is missing is looked for last to end; then the archive never ends.

const fs = require('fs');
const path = require('path');
const { Writable } = require('stream');
const { bug, folder, pick } = require('../driver.js');

const archiver = pick('archiver-3.0.0', 'archiver-4.0.0');
const base = folder();
for (const name of ['a', 'b']) fs.writeFileSync(path.join(base, name), name);
const archive = archiver('zip');
let ended = false;
archive.on('warning', () => {});
archive.on('end', () => { ended = true; });
archive.pipe(new Writable({ write: (chunk, encoding, done) => done() }));
for (const name of ['a', 'missing', 'b']) archive.file(path.join(base, name), { name });
archive.finalize();
process.on('beforeExit', () => {
  if (!ended) bug('the archive does not end');
});
