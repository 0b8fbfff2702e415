'use strict';

// A link that may not be read tells nothing, also where it leads to what may be read: neither to realpath nor to the module loaders. And which references
// `has` takes.
const fs = require('fs');
const path = require('path');
const { run, place } = require('./support/run');

fs.mkdirSync(path.join(place, 'open'));
fs.mkdirSync(path.join(place, 'closed'));
fs.writeFileSync(path.join(place, 'open/f.js'), 'module.exports = 5');
fs.symlinkSync('../open/f.js', path.join(place, 'closed/back.js'));
fs.symlinkSync('../open', path.join(place, 'closed/directory'));
fs.symlinkSync('../closed/back.js', path.join(place, 'open/twice.js'));
fs.symlinkSync('f.js', path.join(place, 'open/near.js'));
fs.writeFileSync(path.join(place, 'closed/plain'), '');

const code = `
  const fs = require('fs');
  const place = process.cwd();
  const shown = (value) => String(value).replaceAll(place, 'PLACE');
  const attempt = async (name, f) => {
    try {
      console.log(name, shown(await f()));
    } catch (error) {
      console.log(name, error.code, error.permission, shown(error.resource));
    }
  };
  (async () => {
    for (const name of ['open/f.js', 'open/near.js', 'open/twice.js', 'closed/back.js', 'closed/directory/f.js', 'closed/plain', 'closed/directory/../plain', 'closed/nothing']) {
      await attempt('realpath ' + name, () => fs.realpathSync(name));
      if (!name.endsWith('.js')) continue;
      await attempt('require  ' + name, () => require(place + '/' + name));
      await attempt('import   ' + name, async () => (await import(place + '/' + name)).default);
    }
    const { pathToFileURL } = require('url');
    for (const reference of [pathToFileURL('open/f.js'), pathToFileURL('closed/back.js'), new URL('http://a/b'), new URL('file:///a%2fb'), {}])
      await attempt('has', () => process.permission.has('fs.read', reference));
  })();
`;
const { stdout, stderr, status } = run(['--permission', '--no-warnings', '--allow-fs-read=PLACE/open'], code);
console.log(status, stderr);
console.log(stdout);
