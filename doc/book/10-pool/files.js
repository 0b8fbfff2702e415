const fs = require('node:fs');

let left = 8;
for (let i = 0; i < 8; i++) {
  fs.readFile(__filename, function onRead() {
    if (--left > 0) return;
    console.log('eight files have been read');
    setTimeout(function onTimeout() {
      console.log('a timer needs no thread');
    }, 5);
  });
}
