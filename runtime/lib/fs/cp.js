'use strict';

// fs.cp: copying files, links and trees. Copying is a task (internal/fs/tasks). A list of refusals is checked in order
// against both ends; then the kind of the source decides what is done.

const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');
const { operations } = require('internal/fs/operations');
const { makeDirectory } = require('internal/fs/directory_tree');
const pathModule = require('path');

const { chmod, copyFile, lstat, mkdir, readlink, scandir, stat, symlink, unlink, utimes } = operations;
const { dirname, isAbsolute, join, resolve } = pathModule;
const numbers = { EEXIST: 17, ENOTDIR: 20, EISDIR: 21, EINVAL: 22 };
const ownerMayWrite = 0o200;

const switches = {
  dereference: false,
  errorOnExist: false,
  force: true,
  preserveTimestamps: false,
  recursive: false,
  verbatimSymlinks: false,
};

function readCopyOptions(given) {
  if (given === undefined) return { ...switches, mode: 0, filter: undefined };
  validateObject(given, 'options');
  const options = { ...switches, filter: undefined, ...given };
  for (const name of Object.keys(switches)) validateBoolean(options[name], `options.${name}`);
  if (options.mode === undefined || options.mode === null) options.mode = 0;
  else validateInteger(options.mode, 'mode', 0, 7);
  if (options.dereference && options.verbatimSymlinks) {
    throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  }
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
}

// One end of a copy: its path, and its stat (undefined: nothing is there).
class End {
  constructor(path, found) {
    this.path = path;
    this.found = found;
  }

  get isDirectory() {
    return this.found !== undefined && this.found.isDirectory();
  }

  isSameAs(other) {
    return (
      this.found !== undefined &&
      other.found !== undefined &&
      this.found.ino === other.found.ino &&
      this.found.dev === other.found.dev
    );
  }
}

const insideOf = (inner, outer) => `${resolve(inner)}/`.startsWith(resolve(outer) === '/' ? '/' : `${resolve(outer)}/`);

// [code, number, condition, message]
const refusals = [
  ['ERR_FS_CP_EINVAL', 'EINVAL', (from, to) => from.isSameAs(to), () => 'src and dest cannot be the same'],
  [
    'ERR_FS_CP_DIR_TO_NON_DIR',
    'EISDIR',
    (from, to) => from.isDirectory && to.found !== undefined && !to.isDirectory,
    (from, to) => `cannot overwrite non-directory ${to.path} with directory ${from.path}`,
  ],
  [
    'ERR_FS_CP_NON_DIR_TO_DIR',
    'ENOTDIR',
    (from, to) => !from.isDirectory && to.isDirectory,
    (from, to) => `cannot overwrite directory ${to.path} with non-directory ${from.path}`,
  ],
  [
    'ERR_FS_CP_EINVAL',
    'EINVAL',
    (from, to) => from.isDirectory && insideOf(to.path, from.path),
    (from, to) => `cannot copy ${from.path} to a subdirectory of self ${to.path}`,
  ],
];

// Kinds of files that cannot be copied.
const unsupported = [
  ['isSocket', 'ERR_FS_CP_SOCKET', 'a socket file'],
  ['isFIFO', 'ERR_FS_CP_FIFO_PIPE', 'a FIFO pipe'],
];

function refusal(code, number, message, path) {
  return new codes[code]({ message, path, syscall: 'cp', errno: numbers[number], code: number });
}

class Copying {
  constructor(options, atOnce) {
    this.options = options;
    this.atOnce = atOnce;
  }

  *look(path, follow) {
    try {
      return new End(path, yield [follow ? stat : lstat, path, true]);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      return new End(path, undefined);
    }
  }

  // Both ends, or the reason why the copy is refused.
  *ends(src, dest) {
    const { dereference } = this.options;
    const from = new End(src, yield [dereference ? stat : lstat, src, true]);
    const to = yield* this.look(dest, dereference);
    for (const [code, number, applies, message] of refusals) {
      if (applies(from, to)) throw refusal(code, number, message(from, to), dest);
    }
    return [from, to];
  }

  *isWanted(src, dest) {
    if (this.options.filter === undefined) return true;
    const answer = this.options.filter(src, dest);
    if (typeof answer?.then !== 'function') return answer;
    if (this.atOnce) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', answer);
    return yield Promise.resolve(answer);
  }

  *run(src, dest) {
    if (!(yield* this.isWanted(src, dest))) return;
    const [from, to] = yield* this.ends(src, dest);
    yield* this.checkAbove(from, dest);
    const parent = dirname(dest);
    if ((yield* this.look(parent, true)).found === undefined)
      yield* makeDirectory(parent, { recursive: true, mode: 0o777 });
    yield* this.place(from, to);
  }

  // A link above the destination may lead into the source.
  *checkAbove(from, dest) {
    const stop = resolve(dirname(from.path));
    for (let above = resolve(dirname(dest)); above !== stop && above !== '/'; above = dirname(above)) {
      if (from.isSameAs(yield* this.look(above, true))) {
        throw refusal('ERR_FS_CP_EINVAL', 'EINVAL', `cannot copy ${from.path} to a subdirectory of self ${dest}`, dest);
      }
    }
  }

  *place(from, to) {
    const { found } = from;
    if (found.isDirectory()) {
      yield* this.placeDirectory(from, to);
    } else if (found.isSymbolicLink()) {
      yield* this.placeLink(from, to);
    } else if (found.isFile() || found.isCharacterDevice() || found.isBlockDevice()) {
      yield* this.placeFile(from, to);
    } else {
      const [, code, what] = unsupported.find(([test]) => found[test]()) ?? [
        '',
        'ERR_FS_CP_UNKNOWN',
        'an unknown file type',
      ];
      throw refusal(code, 'EINVAL', `cannot copy ${what}: ${to.path}`, to.path);
    }
  }

  refuseExisting(to) {
    return refusal('ERR_FS_CP_EEXIST', 'EEXIST', `${to.path} already exists`, to.path);
  }

  *placeFile(from, to) {
    const { force, errorOnExist, mode, preserveTimestamps } = this.options;
    if (to.found !== undefined) {
      if (!force && errorOnExist) throw this.refuseExisting(to);
      if (!force) return;
      yield [unlink, to.path];
    }
    yield [copyFile, from.path, to.path, mode];
    const permissions = Number(from.found.mode);
    if (preserveTimestamps) {
      if ((permissions & ownerMayWrite) === 0) yield [chmod, to.path, permissions | ownerMayWrite];
      // The copy has read the file, which changed its access time: the times are read again.
      const { atimeNs, mtimeNs } = yield [stat, from.path, true];
      yield [utimes, to.path, Number(atimeNs) / 1e9, Number(mtimeNs) / 1e9];
    }
    yield [chmod, to.path, permissions];
  }

  *placeDirectory(from, to) {
    const { recursive, errorOnExist, force } = this.options;
    if (!recursive) {
      if (!this.atOnce) throw refusal('ERR_FS_EISDIR', 'EISDIR', `${from.path} is a directory (not copied)`, from.path);
      throw Object.assign(new Error(`Recursive option not enabled, cannot copy a directory: ${from.path}/`), {
        code: 'ERR_FS_EISDIR',
      });
    }
    const isNew = to.found === undefined;
    if (!isNew && errorOnExist && !force && !this.atOnce) throw this.refuseExisting(to);
    if (isNew) yield [mkdir, to.path, 0o777];
    const flat = yield [scandir, from.path, false];
    for (let i = 0; i < flat.length; i += 2) {
      const src = join(from.path, flat[i]);
      const dest = join(to.path, flat[i]);
      if (!(yield* this.isWanted(src, dest))) continue;
      const [below, there] = yield* this.ends(src, dest);
      yield* this.place(below, there);
    }
    if (isNew) yield [chmod, to.path, Number(from.found.mode)];
  }

  *placeLink(from, to) {
    const text = yield [readlink, from.path, false];
    const target = this.options.verbatimSymlinks || isAbsolute(text) ? text : resolve(dirname(from.path), text);
    // If the destination is not a link, making the link gives the right error.
    if (to.found?.isSymbolicLink()) {
      const current = resolve(dirname(to.path), yield [readlink, to.path, false]);
      if ((yield* this.look(from.path, true)).isDirectory) {
        if (insideOf(current, target)) {
          throw refusal(
            'ERR_FS_CP_EINVAL',
            'EINVAL',
            `cannot copy ${target} to a subdirectory of self ${current}`,
            to.path,
          );
        }
        if (insideOf(target, current)) {
          throw refusal(
            'ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY',
            'EINVAL',
            `cannot overwrite ${current} with ${target}`,
            to.path,
          );
        }
      }
      yield [unlink, to.path];
    }
    yield [symlink, target, to.path, 0];
  }
}

function copy(src, dest, options, atOnce) {
  return new Copying(options, atOnce).run(`${src}`, `${dest}`);
}

module.exports = { copy, readCopyOptions };
