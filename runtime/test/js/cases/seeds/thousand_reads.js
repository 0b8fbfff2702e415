// A thousand reads at once, behind a pool of four or behind a ring: all of them come, and so do timers meanwhile.
const fs = require('fs');

let left = 1000;
for (let i = 0; i < 1000; i++) {
  fs.readFile(__filename, 'utf8', (err, text) => {
    if (err) throw err;
    if (!text.includes('A thousand reads')) throw new Error('not what is in the file');
    if (--left === 0) console.log('all are read');
  });
}
console.log('all are asked for');
