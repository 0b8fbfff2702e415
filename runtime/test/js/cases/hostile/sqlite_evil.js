'use strict';

// Functions of SQL that close the database they run in, and values that cannot be bound.
const { DatabaseSync } = require('node:sqlite');
const d = new DatabaseSync(':memory:');
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, typeof r);
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
d.exec('create table t(a,b)');
d.function('boom', () => {
  d.close();
});
t('close inside', () => d.prepare('select boom()').all());
const e = new DatabaseSync(':memory:');
e.exec('create table t(a);insert into t values(1),(2),(3)');
e.function('re', (x) => {
  e.exec('delete from t');
  return x;
});
t('delete inside', () => e.prepare('select re(a) from t').all().length);
t('big', () => e.prepare('select ?').get(2n ** 70n));
t('sym', () => e.prepare('select ?').get(Symbol()));
t('named', () =>
  e.prepare('select $a').get({
    get $a() {
      throw new Error('g');
    },
  }),
);
t('proxy', () =>
  e.prepare('select $a').get(
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error('k');
        },
      },
    ),
  ),
);
t('blob', () => {
  const a = new ArrayBuffer(8);
  const v = new Uint8Array(a);
  structuredClone(a, { transfer: [a] });
  return e.prepare('select ? as x').get(v).x.length;
});
t('iter', () => {
  const i = e.prepare('select 1 union select 2').iterate();
  i.next();
  e.close();
  return i.next();
});
t('after', () => e.prepare('x'));
t('agg', () => {
  const g = new DatabaseSync(':memory:');
  g.aggregate('ag', {
    start: 0,
    step() {
      g.close();
      throw new Error('s');
    },
  });
  return g.prepare('select ag(1)').get();
});
t('ser', () => {
  const g = new DatabaseSync(':memory:');
  return g.applyChangeset(new Uint8Array(1000).fill(65));
});
t('text', () => new DatabaseSync(':memory:').exec('select \0'));
