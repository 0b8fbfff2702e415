'use strict';

// A C++ addon: work on the thread pool, by callback and by promise.

const bcrypt = require('bcrypt');

const hash = bcrypt.hashSync('secret', 4);
console.log(hash.length, hash.slice(0, 7), bcrypt.compareSync('secret', hash), bcrypt.compareSync('other', hash), bcrypt.getRounds(hash));
// One after the other: two jobs of the pool end in no order.
bcrypt.hash('again', 4).then((text) => bcrypt.compare('again', text)).then((same) => {
  console.log('promise', same);
  bcrypt.hash('bad', 'no salt', (error) => console.log('callback', error.message));
});
