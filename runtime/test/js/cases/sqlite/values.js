'use strict';
// Values there and back.
const { DatabaseSync } = require('node:sqlite');

const db = new DatabaseSync(':memory:');
function there(value, options) {
  const label = typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'symbol' : value;
  try {
    console.log(label, db.prepare('SELECT typeof(?1) AS type, ?1 AS value', options).get(value));
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}

for (const value of [5, 0.5, -0, NaN, Infinity, 1e300, 2 ** 53, 'text', '', 'sn\u2603w \ud83d\ude00', 'a\0b', '\ud800', true, false, null, undefined]) there(value);
for (const value of [5n, 2n ** 53n - 1n, 2n ** 53n, -(2n ** 63n), 2n ** 63n, -(2n ** 63n) - 1n]) there(value);
for (const value of [5n, 5, 2n ** 63n - 1n, -(2n ** 63n)]) there(value, { readBigInts: true });
const bytes = new Uint8Array([1, 2, 3, 254]);
db.exec('CREATE TABLE blobs(b BLOB)');
const insert = db.prepare('INSERT INTO blobs VALUES (?)');
for (const value of [bytes, bytes.subarray(1, 3), Buffer.from('buffer'), new DataView(bytes.buffer, 2), new Uint16Array(bytes.buffer), bytes.buffer,
  new SharedArrayBuffer(2), new Uint8Array(0)]) {
  insert.run(value);
}
console.log(db.prepare('SELECT b, length(b) AS n, typeof(b) AS t FROM blobs').all());
const row = db.prepare('SELECT b FROM blobs').get();
row.b[0] = 99;
console.log(db.prepare('SELECT b FROM blobs').get().b[0], row.b.buffer.byteLength);
for (const value of [Symbol('s'), () => {}, /x/, new Date(0), new Map()]) {
  try {
    insert.run({}, value);
    console.log('bound');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(db.prepare('SELECT cast(x\'ff41\' AS TEXT) AS broken, 9007199254740991 AS most, 1.0 AS whole, 1e999 AS endless').get());
const long = '\u2603'.repeat(50000);
console.log(db.prepare('SELECT ? AS v').get(long).v === long);
const wide = new DatabaseSync(':memory:');
wide.exec('CREATE TABLE k(key INTEGER PRIMARY KEY)');
try {
  wide.prepare('INSERT INTO k VALUES (?)').run(9007199254740993n);
} catch (error) {
  console.log(error.code, error.message);
}
console.log(wide.prepare('SELECT count(*) AS n FROM k').get());
const many = new DatabaseSync(':memory:');
many.exec('CREATE TABLE m(a, b, c, d, e); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO m SELECT i, i * 2, i || \'x\', NULL, i / 2.0 FROM n');
const all = many.prepare('SELECT * FROM m').all();
console.log(all.length, all[0], all[409], all[4999], all.every((each, i) => each.a === i + 1 && each.c === `${i + 1}x`));
