'use strict';
// runtime/doc/BROWSER_LOOP.md shows what the programs print today.

const { assert, finish, test } = require('../../../test/page/harness.js');
const { made, page } = require('./document.js');
const fs = require('fs');

test('runtime/doc/BROWSER_LOOP.md is not stale', () => {
  assert.strictEqual(fs.readFileSync(page, 'utf8'), made(), 'node runtime/test/html/document.js writes it anew');
});

finish();
