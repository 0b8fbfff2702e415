// Backups: progress, failures, and a database that is used and closed meanwhile.
import { backup, DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const directory = mkdtempSync(join(tmpdir(), 'backup-'));
const file = (name) => join(directory, name);
const db = new DatabaseSync(':memory:');
db.exec('CREATE TABLE t(a); INSERT INTO t SELECT zeroblob(20000)');
const size = (path) => new DatabaseSync(path).prepare('SELECT length(a) AS n FROM t').get().n;

console.log(backup.name, backup.length);
console.log(await backup(db, file('whole.db')), size(file('whole.db')));
const steps = [];
console.log(await backup(db, pathToFileURL(file('parts.db')), { rate: 2, progress: (step) => steps.push(step) }), steps, size(file('parts.db')));
for (const options of [{ source: 'nothing' }, { target: 'nothing' }, { rate: 1, progress() { throw new Error('mine'); } }]) {
  await backup(db, file('failed.db'), options).catch((error) => console.log(error.code, error.message, error.errcode));
}
await backup(db, file('no/such/directory.db')).catch((error) => console.log(error.code, error.message, error.errcode));
for (const given of [[], [db], [db, {}], [db, 'a\0b'], [db, 'x', 5], [db, 'x', { rate: 'x' }], [db, 'x', { rate: 0 }], [db, 'x', { progress: 5 }], [db, 'x', { source: 5 }]]) {
  try {
    backup(...given);
    console.log('begun');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
let ticks = 0;
const timer = setInterval(() => ticks++, 1);
const going = backup(db, file('closed.db'), { rate: 1, progress() {} });
db.close();
console.log(await going, size(file('closed.db')));
clearInterval(timer);
try {
  backup(db, file('never.db'));
} catch (error) {
  console.log(error.code, error.message);
}
rmSync(directory, { recursive: true });
