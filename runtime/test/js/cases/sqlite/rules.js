'use strict';
// The authorizer, what may not be done meanwhile, limits, and options of a database.
const { DatabaseSync, constants } = require('node:sqlite');

function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message.split('\n')[0], error.errcode);
  }
}

const db = new DatabaseSync(':memory:');
db.exec('CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)');
const idle = db.prepare('SELECT a FROM t');
const rows = idle.iterate();
rows.next();
db.setAuthorizer((...given) => {
  console.log('asked', given);
  return constants.SQLITE_OK;
});
show('select', () => db.prepare('SELECT a FROM t').all());
show('insert', () => db.exec('INSERT INTO t VALUES (3)'));
db.setAuthorizer(() => constants.SQLITE_IGNORE);
show('ignored', () => db.prepare('SELECT a FROM t').all());
db.setAuthorizer(() => constants.SQLITE_DENY);
show('denied', () => db.prepare('SELECT a FROM t'));
for (const answer of ['0', undefined, 1.5, 3, -1]) {
  db.setAuthorizer(() => answer);
  show(String(answer), () => db.exec('SELECT 1'));
}
db.setAuthorizer(() => { throw new Error('mine'); });
show('throws', () => db.prepare('SELECT 1'));
let first = true;
db.setAuthorizer(() => {
  if (first) {
    first = false;
    const tags = () => db.createTagStore();
    for (const [name, action] of Object.entries({ prepare: () => db.prepare('SELECT 1'), exec: () => db.exec('SELECT 1'), tags, close: () => db.close(),
      again: () => db.setAuthorizer(null), run: () => idle.run(), next: () => rows.next(), stop: () => rows.return(), finalize: () => idle.close(),
      session: () => db.createSession(), copy: () => db.serialize(), limit: () => { db.limits.length = 5; }, open: () => db.isOpen, where: () => db.location() })) {
      show(name, action);
    }
  }
  return constants.SQLITE_OK;
});
db.exec('SELECT 1');
db.setAuthorizer(null);
show('afterwards', () => rows.next());
for (const wrong of [undefined, 5, {}, 'x']) show(typeof wrong, () => db.setAuthorizer(wrong));

// ---- limits ----
console.log(Object.keys(db.limits), db.limits.attach, db.limits.column);
const small = new DatabaseSync(':memory:', { limits: { column: 3, attach: 0, compoundSelect: 2 } });
console.log(small.limits.column, small.limits.attach, small.limits.compoundSelect);
show('columns', () => small.exec('CREATE TABLE t(a, b, c, d)'));
small.limits.column = Infinity;
console.log(small.limits.column);
for (const wrong of [-1, 1.5, '1', null, -Infinity, 2 ** 40]) show(String(wrong), () => { small.limits.length = wrong; });
for (const limits of [5, null, { length: 'x' }, { length: -1 }, { length: Infinity }]) show('option', () => new DatabaseSync(':memory:', { limits }));

// ---- a database ----
show('no new', () => DatabaseSync());
for (const path of [undefined, 5, {}, 'a\0b', Buffer.from('a\0b'), new URL('http://example.com/')]) show('path', () => new DatabaseSync(path));
for (const options of [null, 5, { open: 1 }, { readOnly: 'x' }, { timeout: 0.5 }, { defensive: 1 }, { readBigInts: null }]) show('options', () => new DatabaseSync(':memory:', options));
show('nowhere', () => new DatabaseSync('/nowhere/at/all.db'));
const later = new DatabaseSync(':memory:', { open: false });
console.log(later.isOpen);
show('not open', () => later.exec('SELECT 1'));
show('open', () => later.open());
show('open', () => later.open());
console.log(later.isOpen, later.isTransaction);
later.exec('BEGIN');
console.log(later.isTransaction, later.location());
later[Symbol.dispose]();
later[Symbol.dispose]();
show('close', () => later.close());
show('foreign keys', () => new DatabaseSync(':memory:').exec('CREATE TABLE p(id PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id)); INSERT INTO c VALUES (1)'));
show('no foreign keys', () => new DatabaseSync(':memory:', { enableForeignKeyConstraints: false }).exec('CREATE TABLE p(id PRIMARY KEY); CREATE TABLE c(p REFERENCES p(id)); INSERT INTO c VALUES (1)'));
show('quotes', () => new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true }).prepare('SELECT "x" AS v').get());
show('extension', () => db.loadExtension('x'));
show('extensions', () => db.enableLoadExtension(true));
show('extensions', () => db.prepare('SELECT load_extension(?)').get('x'));
show('extension', () => new DatabaseSync(':memory:', { allowExtension: true }).loadExtension('/nowhere/extension'));
show('defaults', () => new DatabaseSync(':memory:', { readBigInts: true, returnArrays: true }).prepare('SELECT 1, 2').get());
show('only with its scheme', () => require('sqlite'));
console.log(constants.SQLITE_CHANGESET_ABORT, constants.SQLITE_SAVEPOINT, constants.SQLITE_RECURSIVE, Object.getPrototypeOf(constants));
