const fs = require('node:fs');

fs.readFile(__filename, function onRead() {
  setTimeout(function onTimeout() {
    console.log('setTimeout');
  }, 0);
  setImmediate(function onImmediate() {
    console.log('setImmediate');
  });
});
