'use strict';

// WASI's functions on paths. Each path is beneath a directory of the guest, and C ensures that
// it stays there (runtime/extras/wasi/wasi.h).

const native = internalBinding('wasi');
const { constants } = require('fs');
const { right, rights, typeOfMode, type, ofDirectory, ofFile } = require('internal/wasi/numbers');
const { Descriptor, check, fail, stats } = require('internal/wasi/table');

const followLinks = 1; // of lookup flags
const create = 1,
  directory = 2,
  exclusive = 4,
  truncate = 8; // of open flags
const append = 1,
  dataSync = 2,
  nonBlocking = 4,
  readSync = 8,
  allSync = 16; // of descriptor flags
const setAccessed = 1,
  accessedNow = 2,
  setModified = 4,
  modifiedNow = 8; // of time flags

const reading = rights('fd_read', 'fd_readdir');
const writing = rights('fd_datasync', 'fd_write', 'fd_allocate', 'fd_filestat_set_size');

const { O_APPEND, O_CREAT, O_DIRECTORY, O_DSYNC, O_EXCL, O_NONBLOCK, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } =
  constants;

const bitsOf = (flags, pairs) => pairs.reduce((sum, [theirs, ours]) => ((flags & theirs) !== 0 ? sum | ours : sum), 0);
const systemFlags = (flags) =>
  bitsOf(flags, [
    [append, O_APPEND],
    [dataSync, O_DSYNC],
    [nonBlocking, O_NONBLOCK],
    [readSync, O_SYNC],
    [allSync, O_SYNC],
  ]);
const guestFlags = (flags) =>
  ((flags & O_APPEND) !== 0 ? append : 0) |
  ((flags & O_NONBLOCK) !== 0 ? nonBlocking : 0) |
  ((flags & O_SYNC) === O_SYNC ? allSync : (flags & O_DSYNC) !== 0 ? dataSync : 0);

// A time in nanoseconds in the form for the binding: seconds and nanoseconds, -1 for now, -2 for unchanged.
function timeFor(time, flags, isSet, isNow) {
  if ((flags & isSet) !== 0 && (flags & isNow) !== 0) fail('EINVAL');
  if ((flags & isNow) !== 0) return [-1, 0];
  return (flags & isSet) === 0 ? [-2, 0] : [Number(time / 1000000000n), Number(time % 1000000000n)];
}
const timesFor = (accessed, modified, flags) => [
  ...timeFor(accessed, flags, setAccessed, accessedNow),
  ...timeFor(modified, flags, setModified, modifiedNow),
];

// `call` has the guest's memory and table (internal/wasi/preview1).
function pathAt(call, at, length) {
  const path = call.memory.text(at, length);
  return path.includes('\0') ? fail('EILSEQ') : path;
}

const isFollowing = (flags) => (flags & followLinks) !== 0;

function open(call, fd, lookup, at, length, openFlags, base, inheriting, descriptorFlags, out) {
  const parent = call.table.get(
    fd,
    right.path_open |
      ((openFlags & create) !== 0 ? right.path_create_file : 0n) |
      ((openFlags & truncate) !== 0 ? right.path_filestat_set_size : 0n),
  );
  if (((base | inheriting) & ~parent.inheriting) !== 0n) fail('ENOTCAPABLE');
  const reads = (base & reading) !== 0n;
  const writes = (base & writing) !== 0n || (openFlags & truncate) !== 0;
  let flags =
    bitsOf(openFlags, [
      [create, O_CREAT],
      [directory, O_DIRECTORY],
      [exclusive, O_EXCL],
      [truncate, O_TRUNC],
    ]) | systemFlags(descriptorFlags);
  flags |= !writes || (openFlags & directory) !== 0 ? O_RDONLY : reads ? O_RDWR : O_WRONLY;
  const path = pathAt(call, at, length);
  let host = native.open(parent.host, path, isFollowing(lookup), flags, 0o666);
  // A directory cannot be opened for writing; a request for all rights means those that are possible.
  if (host === -21 && (openFlags & (create | truncate)) === 0) {
    // EISDIR
    host = native.open(parent.host, path, isFollowing(lookup), (flags & ~(O_RDWR | O_WRONLY)) | O_RDONLY, 0);
  }
  check(host);
  check(native.fstat(host, stats));
  const kind = typeOfMode(Number(stats[2]));
  const possible = kind === type.directory ? ofDirectory : ofFile;
  const opened = new Descriptor(host, kind, base & possible, inheriting);
  call.memory.setU32(out, call.table.add(opened));
}

module.exports = (call) => {
  const directoryOf = (number, wanted) => call.table.get(number, wanted).host;

  return {
    path_create_directory(fd, at, length) {
      check(native.makeDirectory(directoryOf(fd, right.path_create_directory), pathAt(call, at, length)));
    },
    path_filestat_get(fd, flags, at, length, out) {
      check(native.stat(directoryOf(fd, right.path_filestat_get), pathAt(call, at, length), isFollowing(flags), stats));
      call.memory.setFileStat(out, stats);
    },
    path_filestat_set_times(fd, flags, at, length, accessed, modified, timeFlags) {
      check(
        native.utimes(
          directoryOf(fd, right.path_filestat_set_times),
          pathAt(call, at, length),
          isFollowing(flags),
          ...timesFor(accessed, modified, timeFlags),
        ),
      );
    },
    path_link(fromFd, flags, fromAt, fromLength, toFd, toAt, toLength) {
      check(
        native.link(
          directoryOf(fromFd, right.path_link_source),
          pathAt(call, fromAt, fromLength),
          directoryOf(toFd, right.path_link_target),
          pathAt(call, toAt, toLength),
          isFollowing(flags),
        ),
      );
    },
    path_open: (...given) => open(call, ...given),
    path_readlink(fd, at, length, out, room, used) {
      const target = Buffer.from(
        check(native.readlink(directoryOf(fd, right.path_readlink), pathAt(call, at, length))),
      ).subarray(0, room);
      call.memory.bytes(out, target.length).set(target);
      call.memory.setU32(used, target.length);
    },
    path_remove_directory(fd, at, length) {
      check(native.remove(directoryOf(fd, right.path_remove_directory), pathAt(call, at, length), true));
    },
    path_rename(fromFd, fromAt, fromLength, toFd, toAt, toLength) {
      check(
        native.rename(
          directoryOf(fromFd, right.path_rename_source),
          pathAt(call, fromAt, fromLength),
          directoryOf(toFd, right.path_rename_target),
          pathAt(call, toAt, toLength),
        ),
      );
    },
    path_symlink(targetAt, targetLength, fd, at, length) {
      check(
        native.symlink(
          directoryOf(fd, right.path_symlink),
          pathAt(call, at, length),
          pathAt(call, targetAt, targetLength),
        ),
      );
    },
    path_unlink_file(fd, at, length) {
      check(native.remove(directoryOf(fd, right.path_unlink_file), pathAt(call, at, length), false));
    },
  };
};
Object.assign(module.exports, { guestFlags, systemFlags, timesFor });
