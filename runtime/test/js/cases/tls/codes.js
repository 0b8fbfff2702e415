'use strict';
// The codes of errors that options of a context lead to: those of the TLS library are ERR_SSL_, others ERR_OSSL_.
const tls = require('tls');

const attempts = { ciphers: { ciphers: 'NOPE' }, lower: { ciphers: 'nope:NONE' }, key: { key: 'x' }, cert: { cert: 'x' }, ca: { ca: 'x' }, pfx: { pfx: 'x' } };
for (const [name, options] of Object.entries(attempts)) {
  try {
    tls.createSecureContext(options);
    console.log(name, 'made');
  } catch ({ code, library, reason }) {
    console.log(name, code, library, reason);
  }
}
