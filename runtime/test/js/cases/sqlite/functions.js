'use strict';
// Functions, aggregates and window functions of the program, their results, and their exceptions.
const { DatabaseSync } = require('node:sqlite');

const db = new DatabaseSync(':memory:');
db.exec('CREATE TABLE t(k, n); INSERT INTO t VALUES (\'a\', 4), (\'b\', 5), (\'c\', 3), (\'d\', 8), (\'e\', 1)');
function show(label, action) {
  try {
    console.log(label, action());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.errcode);
  }
}
const value = (expression) => db.prepare(`SELECT ${expression} AS v`).get().v;

show('define', () => db.function('add', (a, b) => a + b));
show('call', () => value('add(1, 2)'));
show('too few', () => value('add(1)'));
show('any number', () => db.function('count_all', { varargs: true }, (...given) => given.length));
show('any number', () => [value('count_all()'), value('count_all(1, \'x\', NULL, x\'00\')')]);
show('bigints', () => db.function('kind', { useBigIntArguments: true }, (given) => typeof given) || value('kind(5)'));
show('too large', () => db.function('plain', (given) => typeof given) || value('plain(9007199254740992)'));
for (const [name, result] of Object.entries({ nothing: undefined, nil: null, number: 1, text: 'x', big: 5n, huge: 2n ** 64n, yes: true,
  bytes: new Uint8Array([1, 2]), buffer: new ArrayBuffer(2), symbol: Symbol('s'), object: {}, promise: Promise.resolve(1) })) {
  show(name, () => db.function(`give_${name}`, () => result) || value(`give_${name}()`));
}
show('throws', () => db.function('throws', () => { throw new RangeError('mine'); }) || value('throws()'));
show('throws a number', () => {
  db.function('throws', () => { throw 5; });
  try {
    return value('throws()');
  } catch (error) {
    return `caught ${error}`;
  }
});
show('changes nothing', () => db.exec('UPDATE t SET n = throws() WHERE k = \'a\''));
show('direct only', () => {
  db.function('direct', { directOnly: true, deterministic: true }, () => 1);
  db.exec('CREATE TABLE g(a, b GENERATED ALWAYS AS (direct()))');
});
show('inner statement', () => db.function('lookup', (k) => db.prepare('SELECT n FROM t WHERE k = ?').get(k).n) || value('lookup(\'d\')'));

let own;
db.function('again', (n) => {
  show('itself', () => own.get());
  show('close it', () => own.close());
  show('close all', () => db.close());
  return n;
});
own = db.prepare('SELECT again(n) AS v FROM t WHERE k = \'a\'');
show('outer', () => own.get());

show('sum', () => db.aggregate('total_of', { start: 0, step: (sum, n) => sum + n }));
show('sum', () => db.prepare('SELECT total_of(n) AS v FROM t').get());
show('of nothing', () => db.prepare('SELECT total_of(n) AS v FROM t WHERE k = \'z\'').get());
show('groups', () => db.prepare('SELECT k > \'b\' AS late, total_of(n) AS v FROM t GROUP BY late').all());
show('list', () => db.aggregate('listed', { start: () => [], step: (list, n) => [...list, n], result: (list) => list.join('+') }));
show('list', () => db.prepare('SELECT listed(n) AS v, listed(k) AS w FROM t').get());
show('no window', () => db.prepare('SELECT listed(n) OVER (ORDER BY k) FROM t').all());
let results = 0;
show('window', () => db.aggregate('window_sum', { start: 0, step: (sum, n) => sum + n, inverse: (sum, n) => sum - n, result: (sum) => { results++; return sum; } }));
show('window', () => db.prepare('SELECT k, window_sum(n) OVER (ORDER BY k ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS v FROM t').all());
show('results', () => results);
show('as a sum', () => db.prepare('SELECT window_sum(n) AS v FROM t').get());
for (const part of ['start', 'step', 'result']) {
  const parts = { start: () => 0, step: (sum, n) => sum + n, result: (sum) => sum };
  parts[part] = () => { throw new Error(`in ${part}`); };
  show(part, () => db.aggregate('failing', parts) || db.prepare('SELECT failing(n) AS v FROM t').get());
}
show('no start', () => db.aggregate('x', { step: () => 0 }));
show('no step', () => db.aggregate('x', { start: 0 }));
show('no name', () => db.function());
show('no function', () => db.function('x', {}));
show('options', () => db.function('x', null, () => {}));
show('option', () => db.function('x', { varargs: 1 }, () => {}));
