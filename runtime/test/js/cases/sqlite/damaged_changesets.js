'use strict';
// Changesets and patchsets with any one byte changed, or cut off: applying them ends, one way or another.
const { DatabaseSync } = require('node:sqlite');

function make() {
  const database = new DatabaseSync(':memory:');
  database.exec("create table t(a primary key, b); create table u(x integer primary key, y text, z blob); insert into u values (1, 'a', x'01'), (2, 'b', x'02')");
  return database;
}

const source = make();
const session = source.createSession();
source.exec("insert into t values (1, 2), ('text', 3.5); update u set y = 'new' where x = 1; delete from u where x = 2");
for (const bytes of [session.changeset(), session.patchset()]) {
  const outcomes = new Set();
  let count = 0;
  const apply = (damaged) => {
    const database = make();
    count++;
    try {
      outcomes.add(typeof database.applyChangeset(damaged, { onConflict: () => 0 }));
    } catch (error) {
      outcomes.add(error.code);
    }
    database.close();
  };
  for (let i = 0; i < bytes.length; i++) {
    apply(bytes.subarray(0, i));
    for (const bits of [0xff, 0x01, 0x80, 0x7f]) {
      const damaged = Buffer.from(bytes);
      damaged[i] ^= bits;
      apply(damaged);
    }
  }
  console.log(count, [...outcomes].sort().join(' '));
}
