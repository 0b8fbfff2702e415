// Empty input is no SPKAC: all three functions give the same result.
const { Certificate } = require('crypto');
const detached = new Uint8Array(16);
structuredClone(detached.buffer, { transfer: [detached.buffer] });
for (const value of ['', new Uint8Array(0), new Uint8Array(0).buffer, detached, 'abc', new Float64Array(3)])
  for (const name of ['verifySpkac', 'exportPublicKey', 'exportChallenge'])
    console.log(name, JSON.stringify(Certificate[name](value)));
