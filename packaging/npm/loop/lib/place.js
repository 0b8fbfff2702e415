'use strict';

// Where the parts for this system are: they are a package of their own, and a package manager installs the one that fits.

const fs = require('fs');
const path = require('path');

const { optionalDependencies } = require('../package.json');

const kHead = 4096; // bytes of a program; its loader is named in them

// Both C libraries may be installed, and both packages, by a manager that does not tell them apart. What counts is what this
// Node is linked with.
function usesMusl() {
  const head = Buffer.alloc(kHead);
  const fd = fs.openSync(process.execPath, 'r');
  try {
    return head.subarray(0, fs.readSync(fd, head, 0, kHead, 0)).includes('/ld-musl-');
  } finally {
    fs.closeSync(fd);
  }
}

// ['x64 with glibc', 'arm64 with glibc']
function supported() {
  return Object.keys(optionalDependencies).map((name) => name.split('-').slice(-2).join(' with '));
}

// The directory of the parts; else throws an error that says in a sentence why there are none.
function find() {
  const { platform, arch } = process;
  const name = `rota-loop-${platform}-${arch}-${platform === 'linux' && usesMusl() ? 'musl' : 'glibc'}`;
  if (!(name in optionalDependencies)) {
    const own = platform === 'linux' ? name.split('-').slice(-2).join(' with ') : `${platform} on ${arch}`;
    throw new Error(`rota-loop works on Linux (${supported().join(', ')}), and this is ${own}`);
  }
  try {
    return path.dirname(require.resolve(`${name}/package.json`));
  } catch {
    throw new Error(
      `${name} is missing, the package with the parts of rota-loop for this system: ` +
        'install rota-loop again, here, and with optional dependencies',
    );
  }
}

module.exports = { find };
