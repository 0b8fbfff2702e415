'use strict';
// A program that has used up its descriptors still gets what its runtime loads with the first use.
const fs = require('fs');
const { spawnSync } = require('child_process');

if (process.argv[2] === 'child') {
  const opened = [];
  try {
    while (opened.length < 200) opened.push(fs.openSync('/dev/null'));
  } catch (error) {
    if (error.code !== 'EMFILE') throw error;
  }
  const results = [
    new Date(0).toLocaleDateString('de', { timeZone: 'UTC', month: 'long' }),
    'ä'.localeCompare('z', 'de'),
    require('zlib').gunzipSync(require('zlib').gzipSync('packed')).toString(),
    require('crypto').createHash('sha256').update('a').digest('hex').slice(0, 8),
  ];
  for (const fd of opened) fs.closeSync(fd);
  console.log(results);
} else {
  // Node raises the soft limit to the hard one, and opens all 200.
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', 'ulimit -Sn 40 && exec "$0" "$1" child', process.execPath, __filename],
    { encoding: 'utf8' },
  );
  console.log(status, stdout, stderr);
}
