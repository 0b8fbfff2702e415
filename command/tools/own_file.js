'use strict';

// Files that a tool writes for its user, as loop/os/own_file.h says: the owner's alone, and a new file or one of the
// user's own. What is refused is an error as the system's are.

const fs = require('fs');

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants;
const kDescriptors = /^(?:\/dev\/std(?:out|err)$|\/dev\/fd\/|\/proc\/self\/fd\/)/; // symbolic links of the system's
const kOwner = 0o600;
const kAttempts = 10;

function refusal(code, words, path) {
  return Object.assign(new Error(`${code}: ${words}, open '${path}'`), { code, path, syscall: 'open' });
}

// An error, or undefined: it may be written to.
function judge(stats, name) {
  const isOwn = process.geteuid === undefined || stats.uid === process.geteuid(); // on Windows, files have no user here
  if (stats.isSymbolicLink()) return refusal('ELOOP', 'this is a symbolic link which is not followed', name);
  if (stats.isFile() && isOwn && stats.nlink > 1)
    return refusal('EMLINK', 'this file has a second name (a hard link) whose content would be overwritten', name);
  if (isOwn || stats.isCharacterDevice() || stats.isBlockDevice()) return undefined;
  return refusal('EEXIST', 'this belongs to another user', name);
}

function openExisting(name) {
  const before = judge(fs.lstatSync(name), name);
  if (before !== undefined) throw before;
  const fd = fs.openSync(name, O_WRONLY | O_NOFOLLOW);
  try {
    const stats = fs.fstatSync(fd); // it may have become another file
    const fault = judge(stats, name);
    if (fault !== undefined) throw fault;
    if (stats.isFile()) {
      if ((stats.mode & 0o077) !== 0) fs.fchmodSync(fd, kOwner);
      fs.ftruncateSync(fd, 0);
    }
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  return fd;
}

// A descriptor to write to.
function openOwn(name) {
  if (kDescriptors.test(name)) return fs.openSync(name, 'w');
  for (let i = 1; ; i++) {
    try {
      return fs.openSync(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, kOwner);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      return openExisting(name);
    } catch (error) {
      if (error.code !== 'ENOENT' || i === kAttempts) throw error; // it was removed meanwhile
    }
  }
}

function writeOwn(name, text) {
  const fd = openOwn(name);
  try {
    fs.writeFileSync(fd, text);
  } finally {
    fs.closeSync(fd);
  }
}

// Why the file would be refused, as far as it can be seen without making it: an error, or undefined.
function faultOf(name) {
  if (kDescriptors.test(name)) return undefined;
  try {
    const stats = fs.lstatSync(name, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const fault = judge(stats, name);
    if (fault === undefined) fs.accessSync(name, fs.constants.W_OK);
    return fault;
  } catch (error) {
    return error;
  }
}

// By whatever names: what is read would be overwritten.
function isSameFile(one, other) {
  const [a, b] = [one, other].map((name) => fs.statSync(name, { throwIfNoEntry: false }));
  return a?.isFile() === true && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

module.exports = { faultOf, isSameFile, openOwn, writeOwn };
