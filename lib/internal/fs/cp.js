'use strict';

// fs.cp: copying trees. The way is written once, as a generator that yields each step: the synchronous driver hands the
// step's value back at once, the asynchronous one awaits it.

const { codes } = require('internal/errors');
const { dirname, isAbsolute, join, parse, resolve, sep } = require('path');

const EINVAL = 22;
const EISDIR = 21;
const ENOTDIR = 20;
const EEXIST = 17;

const direct = () => require('fs');
const later = () => require('internal/fs/promises').exports;

const syncSteps = {
  lstat: (path) => direct().lstatSync(path, { bigint: true }),
  stat: (path) => direct().statSync(path, { bigint: true }),
  copyFile: (...args) => direct().copyFileSync(...args),
  chmod: (...args) => direct().chmodSync(...args),
  mkdir: (...args) => direct().mkdirSync(...args),
  readdir: (...args) => direct().readdirSync(...args),
  readlink: (...args) => direct().readlinkSync(...args),
  symlink: (...args) => direct().symlinkSync(...args),
  unlink: (...args) => direct().unlinkSync(...args),
  utimes: (...args) => direct().utimesSync(...args),
  filter(result) {
    if (result !== null && typeof result === 'object' && typeof result.then === 'function') {
      throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', result);
    }
    return result;
  },
};

const asyncSteps = {
  lstat: (path) => later().lstat(path, { bigint: true }),
  stat: (path) => later().stat(path, { bigint: true }),
  copyFile: (...args) => later().copyFile(...args),
  chmod: (...args) => later().chmod(...args),
  mkdir: (...args) => later().mkdir(...args),
  readdir: (...args) => later().readdir(...args),
  readlink: (...args) => later().readlink(...args),
  symlink: (...args) => later().symlink(...args),
  unlink: (...args) => later().unlink(...args),
  utimes: (...args) => later().utimes(...args),
  filter: (result) => result,
};

function refuse(Code, message, path, errno, code) {
  return new Code({ message, path, syscall: 'cp', errno, code });
}

function* findStat(steps, path, dereference) {
  try {
    return yield () => (dereference ? steps.stat(path) : steps.lstat(path));
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

function isSame(a, b) {
  return Boolean(b.ino && b.dev && b.ino === a.ino && b.dev === a.dev);
}

function isWithin(outer, inner) {
  const outerParts = resolve(outer).split(sep).filter(Boolean);
  const innerParts = resolve(inner).split(sep).filter(Boolean);
  return outerParts.every((part, i) => innerParts[i] === part);
}

function* checkPaths(steps, src, dest, options) {
  const srcStat = yield () => (options.dereference ? steps.stat(src) : steps.lstat(src));
  const destStat = yield* findStat(steps, dest, options.dereference);
  if (destStat) {
    if (isSame(srcStat, destStat)) throw refuse(codes.ERR_FS_CP_EINVAL, 'src and dest cannot be the same', dest, EINVAL, 'EINVAL');
    if (srcStat.isDirectory() && !destStat.isDirectory()) {
      throw refuse(codes.ERR_FS_CP_DIR_TO_NON_DIR, `cannot overwrite non-directory ${dest} with directory ${src}`, dest, EISDIR, 'EISDIR');
    }
    if (!srcStat.isDirectory() && destStat.isDirectory()) {
      throw refuse(codes.ERR_FS_CP_NON_DIR_TO_DIR, `cannot overwrite directory ${dest} with non-directory ${src}`, dest, ENOTDIR, 'ENOTDIR');
    }
  }
  if (srcStat.isDirectory() && isWithin(src, dest)) {
    throw refuse(codes.ERR_FS_CP_EINVAL, `cannot copy ${src} to a subdirectory of self ${dest}`, dest, EINVAL, 'EINVAL');
  }
  return { srcStat, destStat };
}

// No parent of the destination may be the source.
function* checkParents(steps, src, srcStat, dest) {
  const srcParent = resolve(dirname(src));
  for (let parent = resolve(dirname(dest)); parent !== srcParent && parent !== parse(parent).root; parent = dirname(parent)) {
    let stat;
    try {
      stat = yield () => steps.stat(parent);
    } catch (error) {
      if (error.code === 'ENOENT') continue;
      throw error;
    }
    if (isSame(srcStat, stat)) {
      throw refuse(codes.ERR_FS_CP_EINVAL, `cannot copy ${src} to a subdirectory of self ${dest}`, dest, EINVAL, 'EINVAL');
    }
  }
}

function* begin(steps, src, dest, options) {
  if (options.filter && !(yield () => steps.filter(options.filter(src, dest)))) return;
  const { srcStat, destStat } = yield* checkPaths(steps, src, dest, options);
  yield* checkParents(steps, src, srcStat, dest);
  const parent = dirname(dest);
  if ((yield* findStat(steps, parent, true)) === null) yield () => steps.mkdir(parent, { recursive: true });
  yield* copyOne(steps, src, dest, srcStat, destStat, options);
}

function* copyOne(steps, src, dest, srcStat, destStat, options) {
  if (srcStat.isDirectory()) {
    if (!options.recursive && steps === syncSteps) {
      throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: ${src}/`), { code: 'ERR_FS_EISDIR' });
    }
    if (!options.recursive) throw refuse(codes.ERR_FS_EISDIR, `${src} is a directory (not copied)`, src, EISDIR, 'EISDIR');
    yield* copyDirectory(steps, src, dest, srcStat, destStat, options);
  } else if (srcStat.isFile() || srcStat.isCharacterDevice() || srcStat.isBlockDevice()) {
    yield* copyFile(steps, src, dest, srcStat, destStat, options);
  } else if (srcStat.isSymbolicLink()) {
    yield* copyLink(steps, src, dest, destStat, options);
  } else if (srcStat.isSocket()) {
    throw refuse(codes.ERR_FS_CP_SOCKET, `cannot copy a socket file: ${dest}`, dest, EINVAL, 'EINVAL');
  } else if (srcStat.isFIFO()) {
    throw refuse(codes.ERR_FS_CP_FIFO_PIPE, `cannot copy a FIFO pipe: ${dest}`, dest, EINVAL, 'EINVAL');
  } else {
    throw refuse(codes.ERR_FS_CP_UNKNOWN, `cannot copy an unknown file type: ${dest}`, dest, EINVAL, 'EINVAL');
  }
}

function* copyFile(steps, src, dest, srcStat, destStat, options) {
  if (destStat) {
    if (options.force) {
      yield () => steps.unlink(dest);
    } else {
      if (options.errorOnExist) throw refuse(codes.ERR_FS_CP_EEXIST, `${dest} already exists`, dest, EEXIST, 'EEXIST');
      return;
    }
  }
  yield () => steps.copyFile(src, dest, options.mode);
  const mode = Number(srcStat.mode);
  if (options.preserveTimestamps) {
    if ((mode & 0o200) === 0) yield () => steps.chmod(dest, mode | 0o200);
    const now = yield () => steps.stat(src);
    yield () => steps.utimes(dest, Number(now.atimeNs) / 1e9, Number(now.mtimeNs) / 1e9);
  }
  yield () => steps.chmod(dest, mode);
}

function* copyDirectory(steps, src, dest, srcStat, destStat, options) {
  if (destStat && options.errorOnExist && !options.force && steps === asyncSteps) {
    throw refuse(codes.ERR_FS_CP_EEXIST, `${dest} already exists`, dest, EEXIST, 'EEXIST');
  }
  if (!destStat) yield () => steps.mkdir(dest);
  const names = yield () => steps.readdir(src);
  for (const name of names) {
    const from = join(src, name);
    const to = join(dest, name);
    if (options.filter && !(yield () => steps.filter(options.filter(from, to)))) continue;
    const found = yield* checkPaths(steps, from, to, options);
    yield* copyOne(steps, from, to, found.srcStat, found.destStat, options);
  }
  if (!destStat) yield () => steps.chmod(dest, Number(srcStat.mode));
}

function* copyLink(steps, src, dest, destStat, options) {
  let target = yield () => steps.readlink(src);
  if (!options.verbatimSymlinks && !isAbsolute(target)) target = resolve(dirname(src), target);
  if (!destStat) {
    yield () => steps.symlink(target, dest);
    return;
  }
  let current;
  try {
    current = yield () => steps.readlink(dest);
  } catch (error) {
    // The destination is no link: making one says so.
    if (error.code === 'EINVAL' || error.code === 'UNKNOWN') {
      yield () => steps.symlink(target, dest);
      return;
    }
    throw error;
  }
  if (!isAbsolute(current)) current = resolve(dirname(dest), current);
  const pointsToDirectory = (yield* findStat(steps, src, true))?.isDirectory();
  if (pointsToDirectory && isWithin(target, current)) {
    throw refuse(codes.ERR_FS_CP_EINVAL, `cannot copy ${target} to a subdirectory of self ${current}`, dest, EINVAL, 'EINVAL');
  }
  if (pointsToDirectory && isWithin(current, target) && resolve(target) !== resolve(current)) {
    throw refuse(codes.ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY, `cannot overwrite ${current} with ${target}`, dest, EINVAL, 'EINVAL');
  }
  yield () => steps.unlink(dest);
  yield () => steps.symlink(target, dest);
}

function cpSync(src, dest, options) {
  const way = begin(syncSteps, `${src}`, `${dest}`, options);
  let step = way.next();
  while (!step.done) {
    let value;
    try {
      value = step.value();
    } catch (error) {
      step = way.throw(error);
      continue;
    }
    step = way.next(value);
  }
}

async function cp(src, dest, options) {
  const way = begin(asyncSteps, `${src}`, `${dest}`, options);
  let step = way.next();
  while (!step.done) {
    let value;
    try {
      value = await step.value();
    } catch (error) {
      step = way.throw(error);
      continue;
    }
    step = way.next(value);
  }
}

module.exports = { cp, cpSync };
