'use strict';

// The defaults of TLS: the lists of ciphers and curves, and the versions. The command line may change them, and so may
// programs, through the module tls.

const ciphers =
  'TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:' +
  'ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:' +
  'ECDHE-ECDSA-AES256-GCM-SHA384:' +
  'DHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:ECDHE-RSA-AES256-SHA384:' +
  'DHE-RSA-AES256-SHA384:' +
  'ECDHE-RSA-AES256-SHA256:DHE-RSA-AES256-SHA256:HIGH:!aNULL:!eNULL:!EXPORT:!DES:!RC4:!MD5:!PSK:!SRP:!CAMELLIA';

const { hasFlag, valuesOf } = require('internal/process/flags');

// If several options are given, the one that allows more wins.
const allowed = (options) => options.find(([option]) => hasFlag(option))?.[1];
const valueOf = (option) => valuesOf(option).at(-1);

const defaults = {
  DEFAULT_CIPHERS: valueOf('--tls-cipher-list') ?? ciphers,
  DEFAULT_ECDH_CURVE: 'auto',
  DEFAULT_MIN_VERSION:
    allowed([
      ['--tls-min-v1.0', 'TLSv1'],
      ['--tls-min-v1.1', 'TLSv1.1'],
      ['--tls-min-v1.2', 'TLSv1.2'],
      ['--tls-min-v1.3', 'TLSv1.3'],
    ]) ?? 'TLSv1.2',
  DEFAULT_MAX_VERSION:
    allowed([
      ['--tls-max-v1.3', 'TLSv1.3'],
      ['--tls-max-v1.2', 'TLSv1.2'],
    ]) ?? 'TLSv1.3',
};

module.exports = { coreCiphers: ciphers, defaults, keyLogFile: valueOf('--tls-keylog') };
