// Snapshots: missing, written, compared.
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'snapshots-'));
const file = path.join(folder, 'case.js');
const write = (value) => fs.writeFileSync(file, `
const { suite, test } = require('node:test');
suite('suite', () => {
  test('with \`ticks\` and \${braces}', (t) => {
    t.assert.snapshot({ value: ${value}, text: 'a\\nb \\\\ \` \${c}' });
    t.assert.snapshot(5, { serializers: [(each) => each * 2, String] });
  });
});
test('file', (t) => t.assert.fileSnapshot('as it is \`', ${JSON.stringify(path.join(folder, 'below', 'one.txt'))}));
`);
const run = (...args) => {
  const { status, stdout } = spawnSync(process.execPath, [...args, '--test-reporter=tap', file], { encoding: 'utf8' });
  console.log(args, status, stdout.match(/^ *(not )?ok .*$/gm), stdout.match(/code: .*/g), /Missing snapshots/.test(stdout));
};
write(1);
run();
run('--test-update-snapshots');
console.log(fs.readFileSync(`${file}.snapshot`, 'utf8'), fs.readFileSync(path.join(folder, 'below', 'one.txt'), 'utf8'));
run();
write(2);
run();
fs.rmSync(folder, { recursive: true });
