'use strict';
// A program that prints a line has loaded no library for what it does not use, and one that is needed later is loaded then.
const fs = require('fs');

const has = (name) => fs.readFileSync('/proc/self/maps', 'utf8').includes(`/${name}`);
const unwanted = ['libgio-2.0.so', 'libgobject-2.0.so', 'libsystemd.so', 'libmount.so', 'libgcrypt.so', 'libcrypto.so'];
console.log(unwanted.filter(has));
console.log(new Intl.DateTimeFormat('de', { dateStyle: 'full', timeZone: 'UTC' }).format(0));
console.log('ä'.localeCompare('z', 'de'), 'ä'.localeCompare('z', 'sv'));
console.log(require('zlib').gunzipSync(require('zlib').gzipSync('packed')).toString());
console.log(unwanted.filter(has));
console.log(['icu', 'cldr', 'tz', 'unicode', 'zlib', 'zstd'].filter((name) => !/^\d/.test(process.versions[name])));
