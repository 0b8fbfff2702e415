'use strict';

// More ways around permissions: reports, snapshots, caches, maps of sources, loaders, workers, databases, sockets, test runners. Node's answers are ours.
// Where Node lets SQLite open files that are not allowed, rota does not: runtime/test/permission/gates.js.
const fs = require('fs');
const path = require('path');
const { place, run } = require('./support/run');

for (const name of ['ok', 'secret']) fs.mkdirSync(path.join(place, name));
fs.writeFileSync(path.join(place, 'secret/s'), 'secret = TOPSECRET(1)');
const code = fs.readFileSync(path.join(__dirname, 'support/more.js'), 'utf8');
const { stdout, stderr, status } = run(['--permission', '--no-warnings', '--allow-fs-read=PLACE/ok', '--allow-fs-write=PLACE/ok'], code);
console.log(stdout, stderr, status);
console.log(fs.readdirSync(path.join(place, 'secret')), fs.readdirSync(path.join(place, 'ok')), fs.readdirSync(place));
