'use strict';

// Ways around permissions that were tried: other spellings of a path, links, descriptors, directories of /proc, the loaders of modules. Node's answers, those that
// let something through among them, are ours.
const fs = require('fs');
const path = require('path');
const { place, run } = require('./support/run');

for (const name of ['ok', 'secret']) fs.mkdirSync(path.join(place, name));
fs.writeFileSync(path.join(place, 'secret/s'), 'TOPSECRET');
fs.writeFileSync(path.join(place, 'ok/f'), 'fine');
fs.symlinkSync('../secret', path.join(place, 'ok/out'));
fs.linkSync(path.join(place, 'secret/s'), path.join(place, 'ok/hard'));

// A file of its own, as text in text would need more backslashes.
const code = fs.readFileSync(path.join(__dirname, 'support/ways.js'), 'utf8');
const { stdout, status } = run(['--permission', '--no-warnings', '--allow-fs-read=PLACE/ok', '--allow-fs-write=PLACE/ok'], code);
console.log(stdout.split('\n').sort().join('\n'), status);
console.log(fs.readdirSync(path.join(place, 'secret')), fs.readFileSync(path.join(place, 'secret/s'), 'utf8'));
