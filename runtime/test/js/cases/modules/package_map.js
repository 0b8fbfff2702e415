// --experimental-package-map
'use strict';
const { spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const os = require('os');
const folder = path.join(__dirname, 'support', 'package_map');
const run = (map, script) => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-warnings', '--experimental-package-map', map, path.join(folder, script)], { encoding: 'utf8' });
  console.log(status, stdout, /ERR_\w+\]: .*/.exec(stderr)?.[0].replaceAll(`${folder}/`, '').replace(map, 'MAP'));
};
run(path.join(folder, 'map.json'), 'app/main.mjs');
run(path.join(folder, 'map.json'), 'outside.mjs');
const bad = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'map-')), 'map.json');
for (const map of ['{', '{}', '{"packages":{"a":{}}}', '{"packages":{"a":{"url":"https://host/"}}}', '{"packages":{"a":{"url":"./a"},"b":{"url":"./a"}}}']) {
  fs.writeFileSync(bad, map);
  run(bad, 'app/main.mjs');
}
fs.rmSync(path.dirname(bad), { recursive: true });
run(bad, 'app/main.mjs');
