'use strict';
// mkdirp issue 2: two calls find that the same folder is missing; the second mkdir fails with EEXIST, and so does its call.
// One part of a program makes its folder at once, another after its settings were read, which are in a file that a file names.

const fs = require('fs');
const path = require('path');
const { bug, folder, pick } = require('../driver.js');

path.exists = fs.exists; // mkdirp 0.0.1 is for a Node that had it there
const mkdirp = pick('mkdirp-0.0.1', 'mkdirp-0.5.6');
const base = path.join(folder(), 'data');
const settings = path.join(base, '..', 'settings');
fs.writeFileSync(settings, `${settings}-here`);
fs.writeFileSync(`${settings}-here`, 'cache');

function make(name) {
  (mkdirp.mkdirp ?? mkdirp)(path.join(base, name), 0o755, (error) => {
    if (error?.code === 'EEXIST') bug(`mkdirp says that ${name} exists, and it was not made`);
    else if (error) throw error;
  });
}

make('users');
fs.readFile(settings, 'utf8', (error, file) => {
  if (error) throw error;
  fs.readFile(file, 'utf8', (failure, name) => {
    if (failure) throw failure;
    make(name);
  });
});
