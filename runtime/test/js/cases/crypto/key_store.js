'use strict';

// A private key at a URL: a file of the URL's own name comes before the loader that the URL asks for.
const { createPrivateKey, generateKeyPairSync } = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');

process.chdir(fs.mkdtempSync(path.join(os.tmpdir(), 'store-')));
fs.writeFileSync('pkcs11:private.pem', generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }));
for (const url of ['pkcs11:private.pem', 'pkcs11:missing.pem', 'http://x/y', 'x:private.pem', 'file:///missing', 'data:,x'])
  try {
    console.log(url, createPrivateKey(new URL(url)).type);
  } catch (error) {
    console.log(url, error.code, error.message);
  }
fs.rmSync(process.cwd(), { recursive: true });
