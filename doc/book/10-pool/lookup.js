const dns = require('node:dns');

dns.lookup('localhost', function onAddress(error, address) {
  console.log('found:', error === null && typeof address === 'string');
});
console.log('asked');
