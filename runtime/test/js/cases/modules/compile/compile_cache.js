'use strict';

// The compile cache: what the functions answer, and that a program runs the same with it, without it, and with one whose
// files are damaged.
const fs = require('fs');
const os = require('os');
const path = require('path');
const module_ = require('module');
const { execFileSync } = require('child_process');

const directory = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'compile-cache-')));
const typed = path.join(directory, 'typed.ts');
fs.writeFileSync(typed, "const a: number = 1;\nlet s: string = 'text';\nconsole.log(a, s);\nexport type T = typeof a;\nexport {};\n");
const cache = path.join(directory, 'cache');

const environment = { ...process.env, NODE_COMPILE_CACHE: cache };
delete environment.NODE_DISABLE_COMPILE_CACHE;
const run = (env = environment) => execFileSync(process.execPath, ['--no-warnings', typed], { env, encoding: 'utf8' }).trim();
const entries = () => fs.readdirSync(cache, { recursive: true }).map((name) => path.join(cache, name)).filter((name) => fs.statSync(name).isFile());

console.log(run(), entries().length > 0);
console.log(run());
for (const name of entries()) fs.writeFileSync(name, fs.readFileSync(name).subarray(0, 40));
console.log(run());
for (const name of entries()) fs.writeFileSync(name, Buffer.concat([fs.readFileSync(name), Buffer.alloc(100)]));
console.log(run());
console.log(run({ ...environment, NODE_DISABLE_COMPILE_CACHE: '1' }));

const { constants, enableCompileCache, flushCompileCache, getCompileCacheDir } = module_;
console.log(constants, getCompileCacheDir());
for (const bad of [1, null, { directory: 5 }]) {
  try {
    enableCompileCache(bad);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
console.log(enableCompileCache(path.join(typed, 'below')), getCompileCacheDir());
process.env.NODE_DISABLE_COMPILE_CACHE = '1';
console.log(enableCompileCache(cache));
delete process.env.NODE_DISABLE_COMPILE_CACHE;
const first = enableCompileCache({ directory: cache });
console.log(first.status, first.directory === cache, path.dirname(getCompileCacheDir()) === cache);
const second = enableCompileCache();
console.log(second.status, second.directory === getCompileCacheDir(), flushCompileCache());
fs.rmSync(directory, { recursive: true });
