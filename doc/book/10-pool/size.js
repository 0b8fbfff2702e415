process.env.UV_THREADPOOL_SIZE = '1'; // before the pool gets its first job

const { pbkdf2 } = require('node:crypto');

for (const number of [1, 2, 3]) {
  pbkdf2('secret', 'salt', 20000, 32, 'sha256', function onKey() {
    console.log(`key ${number}`);
  });
}
