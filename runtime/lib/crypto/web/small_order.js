'use strict';

// Points of the Edwards curves with which every signature would be valid: the standard demands that they are refused. A
// point is written as its y, the lowest byte first, with the sign of x in the last bit; both signs are refused.

const { Buffer } = require('internal/buffer/class');

function write(number, size) {
  return Buffer.from(number.toString(16).padStart(size * 2, '0'), 'hex')
    .reverse()
    .toString('hex');
}

const p25519 = 2n ** 255n - 19n;
const p448 = 2n ** 448n - 2n ** 224n - 1n;
// y of the points of order eight on the first curve; the other two are at -y.
const orderEight = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;

// Zero and one may also be written as p and p + 1.
const usual = (p) => [0n, 1n, p - 1n, p, p + 1n];
const curves = {
  __proto__: null,
  Ed25519: { size: 32, points: new Set([...usual(p25519), orderEight, p25519 - orderEight].map((y) => write(y, 32))) },
  Ed448: { size: 57, points: new Set(usual(p448).map((y) => write(y, 57))) },
};

function isBadPoint({ points, size }, bytes) {
  if (bytes.length < size) return false;
  const point = Buffer.copyBytesFrom(bytes, 0, size);
  point[size - 1] &= 0x7f;
  return points.has(point.toString('hex'));
}

// A signature begins with a point.
function hasSmallOrder(name, publicKey, signature) {
  const curve = curves[name];
  return curve !== undefined && (isBadPoint(curve, publicKey) || isBadPoint(curve, signature));
}

module.exports = { hasSmallOrder };
