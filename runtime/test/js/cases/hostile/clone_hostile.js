'use strict';

// Arguments of structuredClone that change, throw or end while they are copied.
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, typeof r === 'object' ? Object.keys(r ?? {}).length : r);
  } catch (e) {
    console.log(n, e.name, String(e.message).slice(0, 60));
  }
};
t('deep', () => {
  let a = {};
  for (let i = 0; i < 1e5; i++) a = { a };
  return structuredClone(a);
});
t('cycle', () => {
  const a = [];
  a.push(a);
  return structuredClone(a);
});
t('getter', () =>
  structuredClone({
    get a() {
      throw new Error('x');
    },
  }),
);
t('grow', () => {
  const a = [1, 2, 3];
  Object.defineProperty(a, 0, {
    enumerable: true,
    get() {
      a.push(4);
      return 1;
    },
  });
  return structuredClone(a);
});
t('shrink', () => {
  const a = [1, 2, 3];
  Object.defineProperty(a, 0, {
    enumerable: true,
    get() {
      a.length = 1;
      return 1;
    },
  });
  return structuredClone(a);
});
t('map', () => {
  const m = new Map([
    [
      {
        get a() {
          m.clear();
          return 1;
        },
      },
      1,
    ],
    [2, 3],
  ]);
  return structuredClone(m).size;
});
t('proxy', () => structuredClone(new Proxy({}, {})));
t('fn', () => structuredClone(() => {}));
t('sym', () => structuredClone(Symbol()));
t('weak', () => structuredClone(new WeakMap()));
t('transfer twice', () => {
  const a = new ArrayBuffer(8);
  return structuredClone(a, { transfer: [a, a] });
});
t('port twice', () => {
  const { port1 } = new MessageChannel();
  const r = structuredClone({}, { transfer: [port1, port1] });
  return r;
});
t(
  'err',
  () =>
    structuredClone(
      Object.assign(new Error('a'), {
        get stack() {
          return 5;
        },
      }),
    ).message,
);
t('re', () => structuredClone(/a/g).source);
t('big', () => structuredClone(10n ** 40n));
t('date', () => structuredClone(new Date(NaN)).getTime());
t('holes', () => structuredClone(new Array(2 ** 32 - 1)).length);
t('lookalike', () => structuredClone({ __proto__: ArrayBuffer.prototype }));
t('iter', () =>
  structuredClone(
    {},
    {
      transfer: {
        [Symbol.iterator]: function* () {
          yield new ArrayBuffer(1);
          throw new Error('it');
        },
      },
    },
  ),
);
