'use strict';

// Where the parts for this system are: they are a package of their own, and a package manager installs the one that fits.

const fs = require('fs');
const path = require('path');

const { optionalDependencies } = require('../package.json');

// Of ELF, in a program of 64 bits: the head of the file, and of each of its parts.
const kHead = 64;
const kInterpreter = 3;

function read(fd, length, offset) {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, fs.readSync(fd, bytes, 0, length, offset));
}

// The path of the loader that a program names. Its head may be anywhere in the file, as tools have left it.
function loaderOf(fd) {
  const head = read(fd, kHead, 0);
  const size = head.readUInt16LE(54);
  const parts = read(fd, size * head.readUInt16LE(56), Number(head.readBigUInt64LE(32)));
  for (let at = 0; at + size <= parts.length; at += size)
    if (parts.readUInt32LE(at) === kInterpreter)
      return read(fd, Number(parts.readBigUInt64LE(at + 32)), Number(parts.readBigUInt64LE(at + 8))).toString('latin1');
  return '';
}

// Both C libraries may be installed, and both packages, by a manager that does not tell them apart. What counts is what this
// Node is linked with.
function usesMusl() {
  const fd = fs.openSync(process.execPath, 'r');
  try {
    return loaderOf(fd).includes('/ld-musl-');
  } finally {
    fs.closeSync(fd);
  }
}

// 'Linux (x64 with glibc, arm64 with glibc) and Windows (x64)'
function supported() {
  const names = Object.keys(optionalDependencies);
  const linux = names
    .filter((name) => name.includes('-linux-'))
    .map((name) => name.split('-').slice(-2).join(' with '));
  const windows = names.filter((name) => name.includes('-win32-')).map((name) => name.split('-').pop());
  return `Linux (${linux.join(', ')})${windows.length > 0 ? ` and Windows (${windows.join(', ')})` : ''}`;
}

// The directory of the parts; else throws an error that says in a sentence why there are none.
function find() {
  const { platform, arch } = process;
  const library = platform === 'win32' ? '' : platform === 'linux' && usesMusl() ? '-musl' : '-glibc';
  const name = `rota-loop-${platform}-${arch}${library}`;
  if (!(name in optionalDependencies)) {
    const own = platform === 'linux' ? name.split('-').slice(-2).join(' with ') : `${platform} on ${arch}`;
    throw new Error(`rota-loop works on ${supported()}, and this is ${own}`);
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
