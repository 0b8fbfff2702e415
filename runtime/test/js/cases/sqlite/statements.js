'use strict';
// Statements: rows as objects and arrays, parameters by position and by name, changes of the schema, iterators and their ends.
const { DatabaseSync, StatementSync } = require('node:sqlite');

const db = new DatabaseSync(':memory:');
function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.errcode, error.errstr);
  }
}

show('exec', () => db.exec('CREATE TABLE t(a INTEGER, b TEXT); INSERT INTO t VALUES (1, \'one\'), (2, \'two\'), (3, NULL)'));
show('all', () => db.prepare('SELECT * FROM t').all());
show('get', () => db.prepare('SELECT * FROM t WHERE a = ?').get(2));
show('none', () => db.prepare('SELECT * FROM t WHERE a = ?').get(9));
show('arrays', () => db.prepare('SELECT a, a, b FROM t', { returnArrays: true }).all());
show('same names', () => db.prepare('SELECT 1 AS x, 2 AS x, 3 AS "1", 4 AS __proto__').get());
show('run', () => db.prepare('INSERT INTO t VALUES (?, ?)').run(4, 'four'));
show('returning', () => db.prepare('INSERT INTO t VALUES (5, \'five\'), (6, \'six\') RETURNING a').all());
show('bigints', () => db.prepare('UPDATE t SET a = a + 10 WHERE a > 4', { readBigInts: true }).run());
show('columns', () => db.prepare('SELECT a AS x, b, a + 1 FROM t').columns());
show('texts', () => {
  const statement = db.prepare('SELECT $x, ? -- why');
  statement.get({ x: 'it\'s' }, 5);
  return [statement.sourceSQL, statement.expandedSQL];
});
show('a statement', () => db.prepare('SELECT 1'));
show('a database', () => db);

// ---- parameters ----
const pair = (sql, ...given) => show(JSON.stringify(given), () => db.prepare(sql).get(...given));
pair('SELECT ?1 AS a, $b AS b', { b: 1 }, 3);
pair('SELECT ? AS a, $b AS b, ? AS c', { $b: 1 }, 3, 4);
pair('SELECT $a AS a', { a: 1, $a: 2 });
pair('SELECT $a AS a', 7);
pair('SELECT $a AS a', null);
pair('SELECT $a AS a', { other: 1 });
pair('SELECT $a AS a, @a AS b', { a: 1 });
pair('SELECT $a AS a, $a AS b', { a: 1 });
pair('SELECT ? AS a', [1]);
pair('SELECT ? AS a', 1, 2);
show('bare switched off', () => {
  const statement = db.prepare('SELECT $a AS a', { allowBareNamedParameters: false });
  statement.setAllowUnknownNamedParameters(true);
  return [statement.get({ a: 1 }), statement.get({ $a: 1 })];
});

// ---- schema changes ----
const wide = db.prepare('SELECT * FROM t WHERE a = 1');
console.log(wide.get());
db.exec('ALTER TABLE t ADD COLUMN c DEFAULT 9');
console.log(wide.get(), wide.all(), [...wide.iterate()]);
console.log(wide.stat('reprepare'), wide.stat('run'));
wide.resetStats();
db.exec('ALTER TABLE t RENAME COLUMN c TO d');
console.log(wide.get(), wide.stat('run'));

// ---- iterators ----
const some = db.prepare('SELECT a FROM t ORDER BY a');
const rows = some.iterate();
console.log(rows, rows instanceof Iterator, rows.next(), rows.next());
show('other turn', () => some.get());
show('old iterator', () => rows.next());
show('its return', () => rows.return());
show('its next', () => rows.next());
for (const row of some.iterate()) {
  console.log('row', row);
  if (row.a === 2) break;
}
console.log(some.iterate().map((row) => row.a).toArray());
const left = some.iterate();
left.next();
some.close();
show('closed', () => left.next());
show('closed', () => some.get());
show('closed', () => some.sourceSQL);
show('closed', () => some.close());
show('disposed', () => some[Symbol.dispose]());

// ---- what is refused ----
show('empty', () => db.prepare(' -- nothing'));
show('no text', () => db.prepare(5));
show('syntax', () => db.prepare('SELEC 1'));
show('constructor', () => new StatementSync());
show('unique', () => db.exec('CREATE TABLE u(k PRIMARY KEY); INSERT INTO u VALUES (1); INSERT INTO u VALUES (1)'));
show('option', () => db.prepare('SELECT 1', { readBigInts: 1 }));
show('setting', () => db.prepare('SELECT 1').setReturnArrays(1));
show('counter', () => db.prepare('SELECT 1').stat('toString'));
const { close } = db;
close.call(db);
show('database closed', () => wide.get());
show('database closed', () => db.prepare('SELECT 1'));
show('database closed', () => db.isTransaction);
