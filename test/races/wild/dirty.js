'use strict';
// dirty 1.1.3: a value that is set while the file is loaded is replaced by the older one of the file. Its documents say that writing
// before the event 'load' is fine. If the new line is written before the file has been read to its end, it is read, too, and wins.

const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { Dirty } = require('dirty-1.1.3');
const folder = require('./scratch.js');

const file = path.join(folder, 'data');
fs.writeFileSync(file, '{"key":"key","val":"old"}\n');

const data = new Dirty(file);
data.set('key', 'new');
data.on('load', function loaded() {
  assert.strictEqual(data.get('key'), 'new', 'the older value is back');
});
