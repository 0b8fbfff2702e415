'use strict';

// Entries of directories, and lists of them. The binding lists a directory flat: name, kind, name, kind, ...

const { binding } = require('internal/fs/native');
const { decodeName } = require('internal/fs/arguments');
const { fileTypeBits } = require('internal/fs/stats');
const constants = require('internal/fs/constants');

const typeSymbol = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this[typeSymbol] = type;
  }

  isDirectory() {
    return this[typeSymbol] === constants.UV_DIRENT_DIR;
  }

  isFile() {
    return this[typeSymbol] === constants.UV_DIRENT_FILE;
  }

  isBlockDevice() {
    return this[typeSymbol] === constants.UV_DIRENT_BLOCK;
  }

  isCharacterDevice() {
    return this[typeSymbol] === constants.UV_DIRENT_CHAR;
  }

  isSymbolicLink() {
    return this[typeSymbol] === constants.UV_DIRENT_LINK;
  }

  isFIFO() {
    return this[typeSymbol] === constants.UV_DIRENT_FIFO;
  }

  isSocket() {
    return this[typeSymbol] === constants.UV_DIRENT_SOCKET;
  }
}

const kindOfBits = new Map([
  [constants.S_IFDIR, constants.UV_DIRENT_DIR],
  [constants.S_IFREG, constants.UV_DIRENT_FILE],
  [constants.S_IFLNK, constants.UV_DIRENT_LINK],
  [constants.S_IFIFO, constants.UV_DIRENT_FIFO],
  [constants.S_IFSOCK, constants.UV_DIRENT_SOCKET],
  [constants.S_IFCHR, constants.UV_DIRENT_CHAR],
  [constants.S_IFBLK, constants.UV_DIRENT_BLOCK],
]);

// The kind of the file at a path, without following links; undefined if there is none.
function kindAt(path) {
  return binding.lstat(-1, path) < 0 ? undefined : kindOfBits.get(fileTypeBits());
}

// A name below a directory; both may be text or bytes.
function under(directory, name) {
  if (typeof directory === 'string' && typeof name === 'string') {
    if (directory === '') return name;
    return directory.endsWith('/') ? directory + name : `${directory}/${name}`;
  }
  const { Buffer } = require('internal/buffer/class');
  const head = Buffer.from(directory);
  return Buffer.concat(head.at(-1) === 47 ? [head, Buffer.from(name)] : [head, Buffer.from('/'), Buffer.from(name)]);
}

// Some file systems do not give kinds when they list a directory; then each entry needs a stat.
function makeDirent(directory, name, kind, encoding = false) {
  if (kind === constants.UV_DIRENT_UNKNOWN) kind = kindAt(under(directory, name)) ?? kind;
  return new Dirent(decodeName(name, encoding), kind, directory);
}

function direntsOf(flat, directory, encoding) {
  const entries = new Array(flat.length / 2);
  for (let i = 0; i < entries.length; i++) entries[i] = makeDirent(directory, flat[i * 2], flat[i * 2 + 1], encoding);
  return entries;
}

function namesOf(flat, encoding) {
  const names = new Array(flat.length / 2);
  for (let i = 0; i < names.length; i++) names[i] = decodeName(flat[i * 2], encoding);
  return names;
}

module.exports = { Dirent, direntsOf, kindAt, makeDirent, namesOf, under };
