'use strict';

// Buffers that are larger than the engine can have: an error, not the end of the process. Where there is room for them, or none, is the
// machine's affair.
for (const size of [2 ** 32 + 1, 2 ** 33, 2 ** 40]) {
  for (const name of ['allocUnsafe', 'allocUnsafeSlow', 'alloc']) {
    if (process.versions.rota === undefined) continue; // it would have the memory
    try {
      Buffer[name](size);
      console.log(name, size, 'made');
    } catch (error) {
      if (!(error instanceof RangeError)) console.log(name, size, error);
    }
  }
}
console.log('still there');
