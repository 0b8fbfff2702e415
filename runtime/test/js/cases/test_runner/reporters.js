// What each reporter makes of tests that end in every way.
const { show } = require('./support/show.js');
for (const reporter of ['tap', 'spec', 'dot']) show([`--test-reporter=${reporter}`, 'mixed.js']);
show(['--test-reporter=junit', 'mixed.js'], { keep: (line) => /^\t*<[^!]/.test(line) });
show(['--test', '--test-reporter=tap', 'files/a.test.js', 'files/b.test.js']);
