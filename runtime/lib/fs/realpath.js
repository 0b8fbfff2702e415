'use strict';

// fs.realpath: the path without links. The C library resolves it in one call. Only if that fails is the path resolved
// part by part, so that the error names the part, and so that pipes and sockets below /proc, which have no name, stay
// as they are.

const { operations } = require('internal/fs/operations');
const { decodeName, readNameEncoding, readOptions, readPath } = require('internal/fs/arguments');

const { lstat, readlink, realpath, stat } = operations;
const mostLinks = 40;

function* walk(path) {
  const pathModule = require('path');
  const rest = path.split('/').filter((part) => part !== '');
  let done = '';
  let links = 0;
  while (rest.length > 0) {
    const next = `${done}/${rest.shift()}`;
    const found = yield [lstat, next, false];
    if (!found.isSymbolicLink()) {
      done = next;
      continue;
    }
    // First it is checked whether the link leads to a file: that is the error to be shown.
    const target = yield [stat, next, false];
    if (target.isFIFO() || target.isSocket() || ++links > mostLinks) {
      done = next;
      continue;
    }
    const text = yield [readlink, next, false];
    rest.unshift(
      ...pathModule
        .resolve(done === '' ? '/' : done, text)
        .split('/')
        .filter((part) => part !== ''),
    );
    done = '';
  }
  return done === '' ? '/' : done;
}

function* findRealPath(given, encoding) {
  const path = require('path').resolve(given);
  let found;
  try {
    found = yield [realpath, path, false];
  } catch (error) {
    if (error.code === 'ERR_ACCESS_DENIED') throw error;
    found = yield* walk(path);
  }
  if (encoding === false) return found;
  return decodeName(require('internal/buffer/class').Buffer.from(found), encoding);
}

// Any value is converted to text and used as a path.
function readRealPathArguments(path, options) {
  readOptions(options);
  const encoding = readNameEncoding(options);
  const text =
    typeof path === 'string' || (typeof path === 'object' && path !== null && 'href' in path) ? path : `${path}`;
  const read = readPath(text);
  return [typeof read === 'string' ? read : `${read}`, encoding];
}

// The same, but only links on the way need permission.
function foundAtOnce(given, encoding) {
  const path = require('path').resolve(given);
  const found = internalBinding('modules').realpath(path);
  if (typeof found === 'number') throw lstat.error(found, path);
  return encoding === false ? found : decodeName(require('internal/buffer/class').Buffer.from(found), encoding);
}

module.exports = { foundAtOnce, findRealPath, readRealPathArguments };
