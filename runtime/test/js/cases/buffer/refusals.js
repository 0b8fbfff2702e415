'use strict';

// Which of several wrong arguments a Buffer's methods report.

const bytes = Buffer.alloc(10);
const attempt = (name, ...args) => {
  let answer;
  try {
    answer = bytes[name](...args);
  } catch (error) {
    answer = error.code;
  }
  console.log(name, ...args, answer);
};

for (const kind of ['UInt8', 'Int8', 'UInt16LE', 'UInt16BE', 'Int16LE', 'Int16BE', 'UInt32LE', 'UInt32BE', 'Int32LE', 'Int32BE']) {
  for (const [value, offset] of [[1e12, 'x'], [1e12, {}], [1e12, 1.5], [1e12, 50], [1e12], [1e12, null], [1, 'x'], [1, 1n], ['5', 2]]) attempt(`write${kind}`, value, offset);
}
for (const kind of ['UIntLE', 'UIntBE', 'IntLE', 'IntBE']) {
  for (const args of [[1e20, 'x', 2], [1e20, undefined, 2], [1, undefined, 0], [1], [1, undefined, 3], [1e20, 1, 7], [1e20, 'x', 7], [1, 'x', 1.5], [1, 1.5, 'a'], [1e20, 50, 3]]) {
    attempt(`write${kind}`, ...args);
  }
  for (const args of [[undefined, 0], ['x', 7], [1n, 2], [50, 'x'], [1]]) attempt(`read${kind}`, ...args);
}
for (const args of [[2n ** 70n, {}], [2n ** 70n, 50], [5n, 'x'], [5n, 2]]) attempt('writeBigInt64LE', ...args);
