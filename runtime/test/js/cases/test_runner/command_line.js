// rota --test: which files, which tests, which exit code.
const { show } = require('./support/show.js');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const cwd = path.join(__dirname, 'support', 'files');
const brief = { cwd, keep: (line) => /ok \d|^✖|^✔|^ +✔|^▶|# (tests|pass|fail)|ℹ (tests|pass|fail)|^# not|^not a/.test(line) };
show(['--test'], brief);
show(['--test', 'a.test.js'], brief);
show(['--test', '*.test.mjs'], brief);
show(['--test', 'exits.js', 'b.test.js'], brief);
show(['--test', 'nowhere.js'], brief);
show(['--test', '*.nothing'], brief);
show(['--test', '--test-name-pattern=one', 'a.test.js', 'c.test.mjs'], brief);
show(['--test', '--test-name-pattern', '/TWO/i', 'a.test.js'], brief);
show(['--test', '--test-name-pattern=group first', 'a.test.js'], brief);
show(['--test', '--test-skip-pattern=two', 'a.test.js'], brief);
show(['--test', '--test-only', 'a.test.js'], brief);
show(['--test-only', 'a.test.js'], brief);
show(['--test', '--test-isolation=none', 'a.test.js'], brief);
show(['--test', '--test-shard=1/2', '--test-concurrency=1'], brief);
show(['--test', '--test-shard=2/2', '--test-concurrency=2'], brief);
show(['--test', '--test-reporter=tap', '--test-timeout=60000', 'c.test.mjs'], brief);

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'reports-'));
show(['--test', '--test-reporter=dot', '--test-reporter-destination=stdout', '--test-reporter=tap', `--test-reporter-destination=${folder}/tap`, 'a.test.js'],
  { cwd, keep: (line) => !line.startsWith('---') });
console.log(fs.readFileSync(`${folder}/tap`, 'utf8').split('\n').filter((line) => line.includes('ok ')).join('\n'));
fs.rmSync(folder, { recursive: true });
