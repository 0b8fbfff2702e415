'use strict';

// Buffers of other classes, and objects that only look like one.
const t = (n, f) => {
  try {
    console.log(n, f());
  } catch (e) {
    console.log(n, e.code || e.name);
  }
};
class S extends Uint8Array {
  static get [Symbol.species]() {
    return function (n) {
      return new Uint8Array(1);
    };
  }
}
t('slice', () => Buffer.from(new S(100)).slice(1).length);
t('concat', () => Buffer.concat([new S(10)]).length);
t('cmp', () => Buffer.compare(new S(10), new S(20)));
t('sub', () => new S(10).subarray(2).length);
t('from', () => Buffer.from(Object.assign(Object.create(Buffer.prototype), { length: 5 })).length);
t('proto', () => Object.create(Buffer.prototype).toString());
t('fill', () => Buffer.prototype.fill.call([], 'a'));
t('eq', () => Buffer.alloc(1).equals(new Proxy(Buffer.alloc(1), {})));
t('isBuf', () => Buffer.isBuffer(new Proxy(Buffer.alloc(1), {})));
t('byteLength', () => Buffer.byteLength(new Proxy(new ArrayBuffer(8), {})));
t('td', () => new TextDecoder().decode(new Proxy(new Uint8Array(3), {})));
t('te', () => new TextEncoder().encodeInto('a', new Proxy(new Uint8Array(3), {})).written);
t('te2', () => new TextEncoder().encodeInto('\ud800\ud800', new Uint8Array(4)).written);
t('latin', () => Buffer.from('\ud83d\ude00'.repeat(3), 'latin1').length);
t('hex', () => Buffer.from('abxz', 'hex').length);
t('b64', () => Buffer.from('=a=b=', 'base64').length);
t('transcode', () => require('buffer').transcode(Buffer.alloc(3, 255), 'utf8', 'ascii').length);
t('ucs2', () => Buffer.alloc(3).toString('ucs2').length);
t('ucs2w', () => Buffer.alloc(3).write('ab', 1, 'ucs2'));
t('readBig', () => Buffer.alloc(7).readBigInt64LE(0));
t('idx', () => Buffer.alloc(10).indexOf('', 20));
t('last', () => Buffer.alloc(10).lastIndexOf(Buffer.alloc(0), {}));
t(
  'blob',
  () =>
    new Blob([
      {
        get [Symbol.toPrimitive]() {
          throw new Error('tp');
        },
      },
    ]),
);
t(
  'file',
  () =>
    new File([new S(4)], {
      toString() {
        return 'n';
      },
    }).name,
);
