'use strict';
// Sessions and changesets, serialized databases, template literals, the channel of queries.
const { DatabaseSync, Session, constants } = require('node:sqlite');
const channel = require('node:diagnostics_channel');

function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.errcode, error.errstr);
  }
}
const make = (rows = '') => {
  const db = new DatabaseSync(':memory:');
  db.exec(`CREATE TABLE t(k INTEGER PRIMARY KEY, v TEXT); CREATE TABLE u(k INTEGER PRIMARY KEY); ${rows}`);
  return db;
};
const rows = (db) => JSON.stringify(db.prepare('SELECT * FROM t ORDER BY k').all());
const hex = (bytes) => Buffer.from(bytes).toString('hex');

const from = make();
const session = from.createSession();
const narrow = from.createSession({ table: 'u' });
from.exec('INSERT INTO t VALUES (1, \'one\'), (2, \'two\'); INSERT INTO u VALUES (7)');
from.exec('UPDATE t SET v = \'TWO\' WHERE k = 2');
const changes = session.changeset();
console.log(changes instanceof Uint8Array, hex(changes), hex(session.patchset()), hex(narrow.changeset()));
const to = make();
show('apply', () => to.applyChangeset(changes));
console.log(rows(to), to.prepare('SELECT * FROM u').all());
const busy = make('INSERT INTO t VALUES (1, \'other\')');
show('aborted', () => busy.applyChangeset(changes));
console.log(rows(busy));
show('omitted', () => busy.applyChangeset(changes, { onConflict: (kind) => { console.log('conflict', kind); return constants.SQLITE_CHANGESET_OMIT; } }));
console.log(rows(busy));
show('replaced', () => busy.applyChangeset(changes, { onConflict: () => constants.SQLITE_CHANGESET_REPLACE, filter: (table) => { console.log('table', table); return table === 't'; } }));
console.log(rows(busy));
for (const answer of [-1, {}, null, '0', Promise.resolve(0)]) show('answer', () => make('INSERT INTO t VALUES (1, \'x\')').applyChangeset(changes, { onConflict: () => answer }));
show('throws', () => make('INSERT INTO t VALUES (1, \'x\')').applyChangeset(changes, { onConflict() { throw new Error('mine'); } }));
show('filter throws', () => make().applyChangeset(changes, { filter() { throw new Error('mine'); } }));
show('broken', () => make().applyChangeset(new Uint8Array([1, 2, 3])));
for (const [given, options] of [[null], [changes, null], [changes, { filter: 1 }], [changes, { onConflict: null }]]) show('arguments', () => make().applyChangeset(given, options));
for (const options of [null, { table: 1 }, { db: 1 }]) show('options', () => from.createSession(options));
show('close', () => session.close());
show('closed', () => session.changeset());
show('closed', () => session.close());
show('disposed', () => session[Symbol.dispose]());
show('constructor', () => new Session());
from.close();
show('database closed', () => narrow.changeset());
from.open();
show('database opened', () => narrow.changeset());

// ---- serialized ----
const bytes = to.serialize();
console.log(bytes.length, Buffer.from(bytes.subarray(0, 15)).toString());
const clone = new DatabaseSync(':memory:');
const old = clone.prepare('SELECT 1');
clone.deserialize(bytes);
clone.exec('INSERT INTO t VALUES (3, \'three\')');
console.log(rows(clone), rows(to));
show('old', () => old.get());
show('empty', () => new DatabaseSync(':memory:').serialize().length);
for (const given of [[], ['x'], [new Uint8Array(0)], [bytes, 5], [bytes, { dbName: 5 }]]) show('arguments', () => clone.deserialize(...given));
show('serialize', () => clone.serialize(5));

// ---- template literals ----
const db = make();
const sql = db.createTagStore(2);
console.log(sql, sql.db === db, sql.capacity, sql.size);
show('run', () => sql.run`INSERT INTO t VALUES (${1}, ${'one'})`);
show('run', () => sql.run`INSERT INTO t VALUES (${2}, ${'two'})`);
show('get', () => sql.get`SELECT * FROM t WHERE k = ${2}`);
console.log(sql.size);
show('all', () => sql.all`SELECT k FROM t`);
console.log(sql.size);
show('iterate', () => [...sql.iterate`SELECT k FROM t WHERE k > ${0}`]);
show('mixed', () => sql.get`SELECT ?, ${1}`);
show('names', () => sql.get`SELECT ${{ a: 1 }}`);
show('nothing', () => sql.get` `);
show('no literal', () => sql.get('SELECT 1'));
show('error', () => sql.get`SELECT nothing`);
sql.clear();
console.log(sql.size);
for (const size of [0, 1.5, 'x', null, NaN]) show(String(size), () => db.createTagStore(size));

// ---- who listens ----
const listen = ({ sql: text, database, duration }) => console.log('ran', text, database === db, typeof duration);
channel.subscribe('sqlite.db.query', listen);
db.exec('SELECT 1; SELECT 2');
db.prepare('SELECT ? AS v').get('x');
const iterator = db.prepare('SELECT k FROM t').iterate();
iterator.next();
iterator.return();
channel.unsubscribe('sqlite.db.query', listen);
db.exec('SELECT 3');
