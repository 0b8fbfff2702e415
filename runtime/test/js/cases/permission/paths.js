'use strict';

// The paths that an option covers: directories, files, common beginnings, files that do not exist yet, relative paths, links.
const fs = require('fs');
const path = require('path');
const { run, place } = require('./support/run');

fs.mkdirSync(path.join(place, 'd/sub'), { recursive: true });
for (const file of ['d/f', 'd/sub/g', 'd/ff']) fs.writeFileSync(path.join(place, file), file);
fs.symlinkSync('d', path.join(place, 'link'));

const asked = ['PLACE', 'PLACE/d', 'PLACE/d/', 'PLACE/d/f', 'PLACE/d/ff', 'PLACE/d/f/x', 'PLACE/d/sub/g', 'PLACE/d/not', 'PLACE/dx', 'PLACE/dx/y', 'd/f', './d/../d/f',
  'd/../../other', 'PLACE//d//f', 'PLACE/link', 'PLACE/link/f', 'PLACE/no', 'PLACE/no/', 'PLACE/no/x', 'PLACE/nox', 'PLACE/main.js', '/', '/etc', ''];
const code = `
  const [, , ...asked] = process.argv;
  console.log(asked.filter((each) => process.permission.has('fs.read', each)).join(' '));
  console.log(process.permission.has('fs.read'), process.permission.has('fs'), process.permission.has('fs.write', asked[1]));
`;
for (const options of [[], ['PLACE/d'], ['PLACE/d/'], ['PLACE/d/*'], ['d'], ['./d'], ['d*'], ['d*x'], ['PLACE/*/g'], ['PLACE/d/f'], ['PLACE/no'], ['PLACE/no/'], ['PLACE/no/*'],
  ['PLACE/link'], ['PLACE//d/../d'], ['PLACE/d,PLACE/no'], ['*'], ['**'], ['/*'], ['/'], ['PLACE/no', 'PLACE/d/f', 'PLACE/nox*']]) {
  const { stdout, status } = run(['--permission', ...options.map((each) => `--allow-fs-read=${each}`)], code, { args: asked.map((each) => each.replaceAll('PLACE', place)) });
  console.log(options.join(' ') || 'nothing', status);
  console.log(stdout);
}

// What is read, not only asked: the script itself, what -r names, other modules, links that lead out.
const read = (options, code) => {
  const { stdout, stderr, status } = run(options, code);
  console.log(status, stdout, /code: '\w+'/.exec(stderr)?.[0], /resource: '.*'/.exec(stderr)?.[0]);
};
fs.writeFileSync(path.join(place, 'other.js'), 'console.log("other")');
fs.writeFileSync(path.join(place, 'package.json'), '{"type":"commonjs"}');
read(['--permission'], 'console.log(__filename.length > 0)');
read(['--permission'], 'require("./other")');
read(['--permission', '-r', './other.js'], 'console.log("main")');
read(['--permission', '--allow-fs-read=PLACE/other.js'], 'require("./other")');
read(['--permission'], 'import("./other.js").catch((error) => console.log(error.code, error.permission))');
read(['--permission'], 'console.log(require.resolve("./other").length > 0)');
read(['--permission', '--allow-fs-read=PLACE/link'], 'console.log(require("fs").readFileSync("link/f", "utf8"))');
read(['--permission', '--allow-fs-read=PLACE/link'], 'console.log(require("fs").readFileSync("d/f", "utf8"))');
read(['--permission', '--allow-fs-read=PLACE/d'], 'console.log(require("fs").readdirSync("d"))');
read(['--permission', '--allow-fs-write=PLACE/d'], 'require("fs").writeFileSync("d/new", "x"); require("fs").mkdirSync("d/e/f/g", { recursive: true }); console.log("written")');
read(['--permission', '--allow-fs-write=PLACE/d'], 'require("fs").readFileSync("d/new")');
read(['--permission', '--allow-fs-read=PLACE/d', '--allow-fs-write=PLACE/d/f'], 'const fs = require("fs"); fs.copyFileSync("d/ff", "d/f"); console.log("copied"); fs.renameSync("d/f", "d/h")');
read(['--permission', '--allow-fs-read=*', '--allow-fs-write=*'], 'const fs = require("fs"); fs.symlinkSync("d/f", "l2"); console.log(fs.readlinkSync("l2"))');
