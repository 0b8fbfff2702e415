'use strict';

// The table of file operations: for each the binding's function, how its arguments are read, and what its result
// becomes. The table knows nothing of callbacks or promises of programs: internal/fs/forms makes these from its
// entries, and internal/fs/tasks runs sequences of them.

const { binding, start, fsError, nextIs } = require('internal/fs/native');
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

// `readers`  one for each argument of the program but the callback `paths`    how many of the first arguments an error
// shows `result`   (what the binding gave, the second argument) -> what the program gets; without it, nothing
// `optional` the first argument that may be left out `throwsRefusals` whether the callback form throws what is not
// allowed, instead of telling the callback, as Node's does `checks`   what is looked at before the rest: 'callback',
// 'rest' (all but the first), 'last'
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
        if (number < 0) callback(this.error(number, x, y));
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
const plainTimes = [time(), time()];

const operations = {};
for (const operation of [
  new Operation('access', [readPath, readBits], { optional: 1, lengths: [3, 2, 1] }),
  new Operation('chmod', [readPath, mode('mode')], { throwsRefusals: true }),
  new Operation('chown', [readPath, ...someId], { checks: callback }),
  new Operation('copyFile', [path('src'), path('dest'), readBits], { native: 'copyfile', paths: 2, optional: 2 }),
  new Operation('fchmod', [readDescriptor, mode('mode')], ofDescriptor),
  new Operation('fchown', [readDescriptor, ...someId], ofDescriptor),
  new Operation('fdatasync', [readDescriptor], { paths: 0, checks: callback }),
  new Operation('fstat', [readDescriptor, wantsBigInt], { ...ofStat, paths: 0 }),
  new Operation('fsync', [readDescriptor], { paths: 0, checks: callback }),
  new Operation('ftruncate', [readDescriptor, readLength], { ...ofDescriptor, optional: 1, lengths: [1, 1] }),
  new Operation('futimes', [readDescriptor, time('atime'), time('mtime')], { ...ofDescriptor, native: 'futime' }),
  new Operation('lchown', [readPath, ...someId], { checks: callback }),
  new Operation('link', [path('existingPath'), path('newPath')], { paths: 2, checks: callback }),
  new Operation('lstat', [readPath, wantsBigInt], ofStat),
  new Operation('lutimes', [readPath, ...plainTimes], { native: 'lutime', checks: callback, throwsRefusals: true }),
  new Operation('mkdir', [readPath, mode('mode', 0o777)], { throwsRefusals: true }),
  new Operation('open', [readPath, readFlags, mode('mode', 0o666)], { result: itself, optional: 1, checks: ['last'] }),
  new Operation('readlink', [readPath, readNameEncoding], { ...ofName, throwsRefusals: true }),
  new Operation('realpath', [readPath, readNameEncoding], ofName),
  new Operation('rename', [path('oldPath'), path('newPath')], { paths: 2, checks: callback }),
  new Operation('rmdir', [readPath], { throwsRefusals: true }),
  new Operation('scandir', [readPath, readNameEncoding], { result: itself }),
  new Operation('stat', [readPath, wantsBigInt], ofStat),
  new Operation('statfs', [readPath, wantsBigInt], { ...ofStat, result: statFsOf }),
  new Operation('symlink', [path('target'), readPath, readLinkKind], {
    paths: 2,
    optional: 2,
    checks: ['callback', 'last'],
  }),
  new Operation('unlink', [readPath], { checks: callback }),
  new Operation('utimes', [readPath, ...plainTimes], { native: 'utime', checks: callback, throwsRefusals: true }),
  new Operation('close', [readDescriptor], { paths: 0 }),
  new Transfer('read', [], { paths: 0, result: itself }),
  new Transfer('write', [], { paths: 0, result: itself }),
  // Directories that are read in batches of entries.
  new Operation('opendir', [], { result: itself }),
  new Operation('readdir', [], { syscall: 'scandir', paths: 0, result: itself }),
  new Operation('closedir', [], { paths: 0 }),
])
  operations[operation.name] = operation;

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
    const { Buffer } = require('buffer');
    return Buffer.concat([prefix, Buffer.from('XXXXXX')]);
  }
}
operations.mkdtemp = new TemporaryDirectory();

module.exports = { Operation, operations, readOptions };
