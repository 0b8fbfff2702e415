'use strict';

// The table of file operations: for each the binding's function, how its arguments are read, and what its result
// becomes. The table knows nothing of callbacks or promises of programs: internal/fs/functions makes these from its
// entries, and internal/fs/tasks runs sequences of them.

const { binding, start, fsError, lateError, nextIs } = require('internal/fs/native');
const {
  mode,
  owner,
  path,
  decodeName,
  readBits,
  readDescriptor,
  readFlags,
  readLength,
  readLinkKind,
  readNameEncoding,
  readOptions,
  readPath,
  time,
} = require('internal/fs/arguments');
const { takeStats, takeStatFs } = require('internal/fs/stats');

const letterX = 88;
const itself = (value) => value;
const wantsBigInt = (options) => (options === undefined ? false : options.bigint);
const statsOf = (value, bigint) => takeStats(bigint);
const statFsOf = (value, bigint) => takeStatFs(bigint);

// readers: one for each argument of the program, without the callback.
//
// native: the binding's function. syscall: its name in errors.
//
// paths: how many of the first arguments an error shows.
//
// result: (what the binding gave, the second argument) -> what the program gets; without it, nothing.
//
// optional: the index of the first argument that may be left out.
//
// checks: what is checked before the rest: 'callback', 'rest' (all arguments but the first), 'last'.
//
// lengths: of the functions with a callback, synchronous, and with a promise, where they are not those of the readers.
//
// throwsRefusals: the function with a callback throws a permission error, as Node's does; others pass it on.
class Operation {
  constructor(
    name,
    readers,
    {
      native = name,
      syscall = native,
      paths = 1,
      result,
      optional = readers.length,
      checks = [],
      lengths = [],
      throwsRefusals = false,
    } = {},
  ) {
    this.name = name;
    this.native = binding[native];
    this.syscall = syscall;
    this.readers = readers;
    this.paths = paths;
    this.result = result;
    this.optional = optional;
    this.callbackFirst = checks.includes('callback');
    this.restFirst = checks.includes('rest');
    this.lastFirst = checks.includes('last');
    this.lengths = lengths;
    this.throwsRefusals = throwsRefusals;
  }

  error(number, x, y) {
    const { paths } = this;
    return fsError(number, this.syscall, paths > 0 ? x : undefined, paths > 1 ? y : undefined);
  }

  lateError(number, x, y) {
    const { paths } = this;
    return lateError(number, this.syscall, paths > 0 ? x : undefined, paths > 1 ? y : undefined);
  }

  // Synchronously, with arguments that were already converted.
  now(x, y, z, v, w) {
    const value = this.native(-1, x, y, z, v, w);
    if (typeof value === 'number' && value < 0) throw this.error(value, x, y);
    return this.result === undefined ? undefined : this.result(value, y);
  }

  // Asynchronously: callback(error), callback(null) or callback(null, value).
  later(callback, x, y, z, v, w) {
    let refusal;
    try {
      this.demand(callback, x, y, z, v, w);
      return;
    } catch (error) {
      refusal = error;
    }
    callback(refusal);
  }

  // The same, but a permission error is thrown.
  demand(callback, x, y, z, v, w) {
    start(
      this.native,
      (number, value) => {
        if (number < 0) callback(this.lateError(number, x, y));
        else if (this.result === undefined) callback(null);
        else callback(null, this.result(value === undefined ? number : value, y));
      },
      x,
      y,
      z,
      v,
      w,
    );
  }

  // `type`: its type of asynchronous resource
  promise(x, y, z, type = 'FSREQPROMISE') {
    return new Promise((resolve, reject) => {
      nextIs(type);
      this.later((error, value) => (error === null ? resolve(value) : reject(error)), x, y, z);
    });
  }
}

// Reads and writes of bytes, for promises.
class Transfer extends Operation {
  move(fd, { bytes, offset, length, position }) {
    return new Promise((resolve, reject) => {
      nextIs('FSREQPROMISE');
      this.later(
        (error, count) => (error === null ? resolve(count) : reject(error)),
        fd,
        bytes,
        offset,
        length,
        position,
      );
    });
  }
}

const callback = ['callback'];
const ofStat = { result: statsOf, optional: 1, checks: callback, lengths: [1, 1, 1] };
const ofDescriptor = { paths: 0, checks: ['rest'] };
const ofName = { result: decodeName, optional: 1, checks: ['callback', 'rest'] };
const someId = [owner('uid'), owner('gid')];
const plainTime = time();
const plainTimes = [plainTime, plainTime];

// The system chooses the six letters at the end of the name.
class TemporaryDirectory extends Operation {
  #warned = false;

  constructor() {
    super('mkdtemp', [path('prefix'), readNameEncoding], ofName);
  }

  now(prefix, encoding) {
    return super.now(this.template(prefix), encoding);
  }

  later(done, prefix, encoding) {
    super.later(done, this.template(prefix), encoding);
  }

  template(prefix) {
    const last = typeof prefix === 'string' ? prefix.charCodeAt(prefix.length - 1) : prefix.at(-1);
    if (last === letterX && !this.#warned) {
      this.#warned = true;
      process.emitWarning(
        'mkdtemp() templates ending with X are not portable. For details see: https://nodejs.org/api/fs.html',
      );
    }
    if (typeof prefix === 'string') return `${prefix}XXXXXX`;
    const { Buffer } = require('internal/buffer/class');
    return Buffer.concat([prefix, Buffer.from('XXXXXX')]);
  }
}

const makers = {
  __proto__: null,
  access: () => new Operation('access', [readPath, readBits], { optional: 1, lengths: [3, 2, 1] }),
  chmod: () => new Operation('chmod', [readPath, mode('mode')], { throwsRefusals: true }),
  chown: () => new Operation('chown', [readPath, ...someId], { checks: callback }),
  copyFile: () =>
    new Operation('copyFile', [path('src'), path('dest'), readBits], {
      native: 'copyfile',
      paths: 2,
      optional: 2,
    }),
  fchmod: () => new Operation('fchmod', [readDescriptor, mode('mode')], ofDescriptor),
  fchown: () => new Operation('fchown', [readDescriptor, ...someId], ofDescriptor),
  fdatasync: () => new Operation('fdatasync', [readDescriptor], { paths: 0, checks: callback }),
  fstat: () => new Operation('fstat', [readDescriptor, wantsBigInt], { ...ofStat, paths: 0 }),
  fsync: () => new Operation('fsync', [readDescriptor], { paths: 0, checks: callback }),
  ftruncate: () =>
    new Operation('ftruncate', [readDescriptor, readLength], {
      ...ofDescriptor,
      optional: 1,
      lengths: [1, 1],
    }),
  futimes: () =>
    new Operation('futimes', [readDescriptor, time('atime'), time('mtime')], {
      ...ofDescriptor,
      native: 'futime',
    }),
  lchown: () => new Operation('lchown', [readPath, ...someId], { checks: callback }),
  link: () => new Operation('link', [path('existingPath'), path('newPath')], { paths: 2, checks: callback }),
  lstat: () => new Operation('lstat', [readPath, wantsBigInt], ofStat),
  lutimes: () =>
    new Operation('lutimes', [readPath, ...plainTimes], {
      native: 'lutime',
      checks: callback,
      throwsRefusals: true,
    }),
  mkdir: () => new Operation('mkdir', [readPath, mode('mode', 0o777)], { throwsRefusals: true }),
  open: () =>
    new Operation('open', [readPath, readFlags, mode('mode', 0o666)], {
      result: itself,
      optional: 1,
      checks: ['last'],
    }),
  readlink: () => new Operation('readlink', [readPath, readNameEncoding], { ...ofName, throwsRefusals: true }),
  realpath: () => new Operation('realpath', [readPath, readNameEncoding], ofName),
  rename: () => new Operation('rename', [path('oldPath'), path('newPath')], { paths: 2, checks: callback }),
  rmdir: () => new Operation('rmdir', [readPath], { throwsRefusals: true }),
  scandir: () => new Operation('scandir', [readPath, readNameEncoding], { result: itself }),
  stat: () => new Operation('stat', [readPath, wantsBigInt], ofStat),
  statfs: () => new Operation('statfs', [readPath, wantsBigInt], { ...ofStat, result: statFsOf }),
  symlink: () =>
    new Operation('symlink', [path('target'), readPath, readLinkKind], {
      paths: 2,
      optional: 2,
      checks: ['callback', 'last'],
    }),
  unlink: () => new Operation('unlink', [readPath], { checks: callback }),
  utimes: () =>
    new Operation('utimes', [readPath, ...plainTimes], {
      native: 'utime',
      checks: callback,
      throwsRefusals: true,
    }),
  close: () => new Operation('close', [readDescriptor], { paths: 0 }),
  read: () => new Transfer('read', [], { paths: 0, result: itself }),
  write: () => new Transfer('write', [], { paths: 0, result: itself }),
  // Directories that are read in batches of entries.
  opendir: () => new Operation('opendir', [], { result: itself }),
  readdir: () => new Operation('readdir', [], { syscall: 'scandir', paths: 0, result: itself }),
  closedir: () => new Operation('closedir', [], { paths: 0 }),
  mkdtemp: () => new TemporaryDirectory(),
};

// Each is made when it is first asked for, and is a plain property from then on: a program uses few of them.
const operations = {
  __proto__: new Proxy(
    { __proto__: null },
    {
      get(_, name) {
        const made = makers[name]?.();
        if (made !== undefined) Object.defineProperty(operations, name, { value: made, enumerable: true });
        return made;
      },
    },
  ),
};

const allOperations = () => Object.keys(makers).map((name) => operations[name]);

module.exports = { Operation, allOperations, operations, readOptions };
