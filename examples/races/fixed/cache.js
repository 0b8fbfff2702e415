'use strict';
// A race: look, then act. The value is loaded once if the second reader comes when the first has it, and twice if not; here the
// second load makes a second connection, and the first is never closed. Whether 300 ms suffice to read a file is up to the machine.
//
//   rota fuzz examples/races/cache.js

const assert = require('assert');
const fs = require('fs');

let loading;
let connections = 0;

function withSettings(use) {
  loading ??= new Promise((resolve, reject) => {
    fs.readFile(__filename, 'utf8', function onSettings(error, text) {
      if (error) return reject(error);
      resolve({ size: text.length, connection: ++connections });
    });
  });
  loading.then(use);
}

withSettings(function first() {});
setTimeout(function later() {
  withSettings(function second() {
    assert.strictEqual(connections, 1, 'connected twice');
  });
}, 300);
