'use strict';

// Arguments whose conversion detaches the memory that the call uses.
const zlib = require('zlib'),
  crypto = require('crypto'),
  fs = require('fs');
const t = (n, f) => {
  try {
    const r = f();
    console.log(n, typeof r === 'object' ? r && r.constructor.name : r);
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
const mk = () => {
  const a = new ArrayBuffer(64);
  return [a, new Uint8Array(a)];
};
{
  const [a, v] = mk();
  t('randomFill', () =>
    crypto.randomFillSync(v, {
      valueOf() {
        structuredClone(a, { transfer: [a] });
        return 0;
      },
    }),
  );
}
{
  const [a, v] = mk();
  t('write', () =>
    Buffer.from(a).write('abc', {
      valueOf() {
        structuredClone(a, { transfer: [a] });
        return 0;
      },
    }),
  );
}
{
  const [a, v] = mk();
  t('fill', () =>
    Buffer.from(a).fill('abc', {
      valueOf() {
        structuredClone(a, { transfer: [a] });
        return 0;
      },
    }),
  );
}
{
  const [a, v] = mk();
  t('copy', () =>
    Buffer.from(a).copy(Buffer.alloc(10), {
      valueOf() {
        structuredClone(a, { transfer: [a] });
        return 0;
      },
    }),
  );
}
{
  const [a, v] = mk();
  t('indexOf', () =>
    Buffer.from(a).indexOf({
      valueOf() {
        structuredClone(a, { transfer: [a] });
        return 1;
      },
    }),
  );
}
{
  const [a, v] = mk();
  t('compare', () =>
    Buffer.from(a).compare(
      Buffer.alloc(64),
      {
        valueOf() {
          structuredClone(a, { transfer: [a] });
          return 1;
        },
      },
      30,
    ),
  );
}
{
  const [a, v] = mk();
  t('writeDouble', () =>
    Buffer.from(a).writeDoubleLE(
      {
        valueOf() {
          structuredClone(a, { transfer: [a] });
          return 1;
        },
      },
      8,
    ),
  );
}
{
  const [a, v] = mk();
  t('writeUInt', () =>
    Buffer.from(a).writeUIntBE(
      {
        valueOf() {
          structuredClone(a, { transfer: [a] });
          return 1;
        },
      },
      8,
      6,
    ),
  );
}
{
  const [a, v] = mk();
  const b = Buffer.from(a);
  t('swap', () => {
    structuredClone(a, { transfer: [a] });
    return b.swap64().length;
  });
}
{
  const [a, v] = mk();
  const h = crypto.createHash('md5');
  t('hash', () => {
    structuredClone(a, { transfer: [a] });
    return h.update(v).digest('hex');
  });
}
{
  const [a, v] = mk();
  t('gzip', () => {
    structuredClone(a, { transfer: [a] });
    return zlib.gzipSync(v).length;
  });
}
