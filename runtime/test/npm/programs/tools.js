// Compilers, bundlers, linters and test runners, called as people call them: typescript, ts-node, eslint, prettier, webpack, rollup,
// nyc and tar.
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const directory = path.resolve('made');
fs.rmSync(directory, { recursive: true, force: true });
fs.mkdirSync(directory);
const files = {
  'package.json': '{ "name": "made" }',
  'a.ts': 'import { b } from "./b";\nconst text: string = b(5);\nexport class K<T> { constructor(private v: T) {} async get(): Promise<T> { return this.v; } }\n' +
    'const wrong: number = "text";\nconsole.log(text, new K(1));\n',
  'b.ts': 'export enum E { A, B }\nexport function b(n: number): string { return `${n}${E[1]}`; }\n',
  'tsconfig.json': '{ "compilerOptions": { "target": "es2022", "module": "commonjs", "types": [] } }',
  'eslint.config.mjs': 'export default [{ rules: { semi: "error", eqeqeq: "error", "no-unused-vars": "warn", "no-undef": "error" } }];',
  'lint.js': 'var x = 1\nif (x == 2) { nowhere(); }\nlet y = 3;\n',
  'ugly.js': 'const a={b:1,c:[1,2,3]};async function  f( x ){return await x?.y??z}',
  'ugly.css': 'a{color:red;b:c}',
  'ugly.md': '# t\n* a\n* b\n',
  'main.js': 'import { twice } from "./twice.js"; import data from "./data.json"; import("./lazy.js").then((m) => console.log(m.default, twice(2), data.k));',
  'twice.js': 'export const twice = (x) => x * 2; export const unused = 1;',
  'lazy.js': 'export default "lazy";',
  'data.json': '{ "k": 7 }',
  'covered.js': 'function used(a) { if (a) { return 1; } else { return 2; } }\nfunction unused() { return 3; }\nconsole.log(used(true));\n',
};
for (const name in files) fs.writeFileSync(path.join(directory, name), files[name]);

function run(tool, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.resolve('node_modules', tool), ...args],
    { cwd: directory, encoding: 'utf8', env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } });
  console.log(`== ${tool} ${status}\n${stdout}${stderr}`.replaceAll(directory, '').replace(/\d+(?:\.\d+)? ?ms/g, 'some time'));
}
const show = (name) => console.log(name, fs.readFileSync(path.join(directory, name), 'utf8'));

run('typescript/bin/tsc', '-p', '.', '--declaration', '--sourceMap', '--strict');
for (const name of ['a.js', 'a.d.ts', 'a.js.map', 'b.js']) show(name);
run('ts-node/dist/bin.js', '-T', 'a.ts');
run('eslint/bin/eslint.js', 'lint.js');
run('eslint/bin/eslint.js', '--fix', 'lint.js');
show('lint.js');
run('prettier/bin/prettier.cjs', 'ugly.js', 'ugly.css', 'ugly.md');
run('rollup/dist/bin/rollup', 'twice.js', '-f', 'cjs');
run('nyc/bin/nyc.js', '--reporter=text', process.execPath, 'covered.js');

const webpack = require('webpack');
const tar = require('tar');
webpack({ mode: 'production', context: directory, entry: './main.js', target: 'node', output: { path: `${directory}/dist` } }, async (error, stats) => {
  console.log(error, stats.toString({ timings: false, version: false, colors: false }));
  show('dist/main.js');
  require(`${directory}/dist/main.js`);
  await tar.create({ gzip: true, file: `${directory}/t.tgz`, cwd: directory, portable: true }, ['a.ts', 'dist']);
  const names = [];
  await tar.list({ file: `${directory}/t.tgz`, onReadEntry: (entry) => names.push(entry.path) });
  console.log(names.sort());
});
