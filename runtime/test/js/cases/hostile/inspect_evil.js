'use strict';

// Objects that throw when they are inspected.
const u = require('util');
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, String(r).slice(0, 100));
  } catch (e) {
    console.log(n, 'threw', e.code || e.message);
  }
};
t('custom', () =>
  u.inspect({
    [u.inspect.custom]() {
      throw new Error('c');
    },
  }),
);
t('ctor', () =>
  u.inspect(
    Object.create({
      get constructor() {
        throw new Error('k');
      },
    }),
  ),
);
t('tag', () =>
  u.inspect({
    get [Symbol.toStringTag]() {
      throw new Error('tag');
    },
  }),
);
t('proxy', () =>
  u.inspect(
    new Proxy(
      {},
      {
        get() {
          throw new Error('g');
        },
        ownKeys() {
          throw new Error('o');
        },
        getPrototypeOf() {
          throw new Error('p');
        },
      },
    ),
  ),
);
t('showProxy', () => u.inspect(new Proxy({}, {}), { showProxy: true }));
t('revoked', () => {
  const r = Proxy.revocable({}, {});
  r.revoke();
  return u.inspect(r.proxy);
});
t('errstack', () =>
  u.inspect(
    Object.defineProperty(new Error('a'), 'stack', {
      get() {
        throw new Error('st');
      },
    }),
  ),
);
t('name', () => u.inspect(Object.defineProperty(function () {}, 'name', { value: {} })));
t('map', () => {
  const m = new Map();
  m.set(m, m);
  return u.inspect(m);
});
t('len', () => u.inspect(Object.defineProperty([], 'length', { value: 2 ** 32 - 1 })).length);
t('date', () => u.inspect(Object.setPrototypeOf(new Date(NaN), null)));
t('buf', () => u.inspect(Object.setPrototypeOf(new Uint8Array(2), null)));
t('fmt', () =>
  u.format(
    '%d %i %f %j %o %O %c %s',
    Symbol(),
    1n,
    {},
    (() => {
      const a = {};
      a.a = a;
      return a;
    })(),
    {},
    {},
    '',
    {
      toString() {
        throw new Error('ts');
      },
    },
  ),
);
t('promise', () => u.inspect(Object.assign(Promise.resolve(1), { then: 5 })));
t('typed', () => {
  const a = new ArrayBuffer(8);
  const v = new Uint8Array(a);
  structuredClone(a, { transfer: [a] });
  return u.inspect(v);
});
t('ab', () => {
  const a = new ArrayBuffer(8);
  structuredClone(a, { transfer: [a] });
  return u.inspect(a);
});
t('deepEq', () => u.isDeepStrictEqual(new Proxy([], {}), []));
t('strip', () => u.stripVTControlCharacters('\u001b]8;;' + 'a'.repeat(1e5)).length);
t('style', () =>
  u.styleText(
    [
      'red',
      {
        toString() {
          return 'x';
        },
      },
    ],
    'a',
  ),
);
t('console', () => {
  console.log(
    new Proxy(
      {},
      {
        get() {
          throw 1;
        },
      },
    ),
  );
});
t('table', () => console.table(new Proxy([[1]], {})));
t('group', () => {
  for (let i = 0; i < 1000; i++) console.group();
  console.groupEnd();
});
