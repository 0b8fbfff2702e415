// The error of a JSON file has its position.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'json-'));
const texts = ['', '{', '{a', '{"a', '{"a"', '{"a":', '{"a":1', '{"a":1,}', '{"a":1 "b"}', '[1,]', '[1 2]', '"a\n"', '"\\x"', '"\\u12"', '-a', '1.',
  '1e', '01', 'nulx', 'undefined', '1 2', '{} x', '{\n  "a": 1,\n  b: 2\n}', 'a'.repeat(80), `["${'b'.repeat(50)}", x${'c'.repeat(50)}]`];
texts.forEach((text, i) => {
  const file = path.join(folder, `${i}.json`);
  fs.writeFileSync(file, text);
  try {
    console.log(require(file));
  } catch (error) {
    console.log(error.name, error.message.replace(file, ''));
  }
});
fs.rmSync(folder, { recursive: true });
import('data:application/json,{', { with: { type: 'json' } }).catch((error) => console.log(error.name, error.message));
