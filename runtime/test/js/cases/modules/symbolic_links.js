// Modules that are found through symbolic links: of a folder above, of the folder, of the file; and with links kept.
const fs = require('fs');
const path = require('path');
const os = require('os');
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'links-')));
const at = (...names) => path.join(folder, ...names);
const write = (name, text) => (fs.mkdirSync(path.dirname(at(name)), { recursive: true }), fs.writeFileSync(at(name), text));
write('real/package/index.js', 'exports.name = __filename; exports.other = require("./other").name;');
write('real/package/other.js', 'exports.name = __filename;');
write('real/package/esm.mjs', 'export const name = import.meta.filename; export { name as other } from "./other.mjs";');
write('real/package/other.mjs', 'export const name = import.meta.url;');
fs.mkdirSync(at('app/node_modules'), { recursive: true });
fs.symlinkSync(at('real'), at('linked'));
fs.symlinkSync('../../real/package', at('app/node_modules/package'));
fs.symlinkSync(at('real/package/other.js'), at('app/file.js'));
fs.symlinkSync('file.js', at('app/again.js'));
fs.symlinkSync('nowhere.js', at('app/broken.js'));
const show = (value) => console.log(JSON.stringify(value).replaceAll(folder, ''));
show(require(at('linked/package')));
show(require(at('real/package')) === require(at('linked/package')));
show(require(at('app/file.js')).name);
show([require.resolve(at('app/again')), require.resolve('package', { paths: [at('app')] })]);
try { require(at('app/broken')); } catch (error) { show(error.code); }
(async () => {
  for (const name of ['linked/package/esm.mjs', 'app/node_modules/package/esm.mjs', 'real/package/other.mjs']) show(await import(at(name)));
  show((await import(at('app/again.js'))).default.name);
  const run = (...options) => show(String(require('child_process').execFileSync(process.execPath, [...options, '-p', `require(${JSON.stringify(at('linked/package'))})`])));
  run();
  run('--preserve-symlinks');
  fs.rmSync(folder, { recursive: true });
})();
