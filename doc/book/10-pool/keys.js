const { pbkdf2 } = require('node:crypto');

for (let i = 0; i < 6; i++) {
  pbkdf2('secret', 'salt', 40000, 32, 'sha256', function onKey() {
    console.log('a key');
  });
}
console.log('six jobs for the pool');
