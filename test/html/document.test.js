'use strict';
// doc/BROWSER_LOOP.md shows what the programs print today.

const { assert, finish, test } = require('../timeline/harness.js');
const { made, page } = require('./document.js');
const fs = require('fs');

test('doc/BROWSER_LOOP.md is not stale', () => {
  assert.strictEqual(fs.readFileSync(page, 'utf8'), made(), 'node test/html/document.js writes it anew');
});

finish();
