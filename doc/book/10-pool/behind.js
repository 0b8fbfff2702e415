const { pbkdf2 } = require('node:crypto');
const { deflate } = require('node:zlib');

let keys = 0;
for (let i = 0; i < 4; i++) {
  pbkdf2('secret', 'salt', 100000, 32, 'sha512', function onKey() {
    keys++;
  });
}
deflate('some bytes', function onDeflated() {
  console.log('a small job had to wait for a key:', keys > 0);
});
setImmediate(function immediate() {
  console.log('the loop goes on; keys that are done:', keys);
});
