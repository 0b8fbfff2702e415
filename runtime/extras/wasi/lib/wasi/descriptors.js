'use strict';

// WASI's functions on open descriptors.

const native = internalBinding('wasi');
const { right, rights, typeOfMode } = require('internal/wasi/numbers');
const { check, fail, stats } = require('internal/wasi/table');
const { guestFlags, systemFlags, timesFor } = require('internal/wasi/paths');

const direntSize = 24;
// The system's types of entries, as modes have them.
const typeOfEntry = (entry) => typeOfMode(entry << 12);

const hostOf = (call, number, wanted = 0n) => call.table.get(number, wanted).host;

// Pieces of memory, one after the other, until one is not transferred completely.
function move(call, operation, host, at, count, position, out) {
  let total = 0;
  for (const [offset, length] of call.memory.pieces(at, count)) {
    const moved = operation(host, call.memory.bytes(offset, length), 0, length, position < 0 ? -1 : position + total);
    if (moved < 0 && total > 0) break;
    total += check(moved);
    if (moved < length) break;
  }
  call.memory.setU32(out, total);
}

// `call` has the guest's memory and table (internal/wasi/preview1).
const attributes = (call) => ({
  fd_close(fd) {
    call.table.close(fd);
  },
  fd_fdstat_get(fd, out) {
    const { host, type: kind, base, inheriting } = call.table.get(fd);
    const flags = guestFlags(check(native.flags(host)));
    const { view } = call.memory;
    view.setUint8(out, kind);
    view.setUint8(out + 1, 0);
    view.setUint16(out + 2, flags, true);
    view.setUint32(out + 4, 0, true);
    view.setBigUint64(out + 8, base, true);
    view.setBigUint64(out + 16, inheriting, true);
  },
  fd_fdstat_set_flags(fd, flags) {
    check(native.flags(hostOf(call, fd, right.fd_fdstat_set_flags), systemFlags(flags)));
  },
  fd_fdstat_set_rights(fd, base, inheriting) {
    const descriptor = call.table.get(fd);
    // Rights can only be removed.
    if ((descriptor.base | base) !== descriptor.base || (descriptor.inheriting | inheriting) !== descriptor.inheriting)
      fail('ENOTCAPABLE');
    descriptor.base = base;
    descriptor.inheriting = inheriting;
  },
  fd_filestat_get(fd, out) {
    check(native.fstat(hostOf(call, fd, right.fd_filestat_get), stats));
    call.memory.setFileStat(out, stats);
  },
  fd_filestat_set_size(fd, size) {
    check(native.truncate(hostOf(call, fd, right.fd_filestat_set_size), Number(size)));
  },
  fd_filestat_set_times(fd, accessed, modified, flags) {
    check(native.futimes(hostOf(call, fd, right.fd_filestat_set_times), ...timesFor(accessed, modified, flags)));
  },
  fd_prestat_get(fd, out) {
    const { name } = call.table.get(fd);
    if (name === undefined) fail('EINVAL');
    call.memory.view.setUint8(out, 0); // a directory
    call.memory.setU32(out + 4, Buffer.byteLength(name));
  },
  fd_prestat_dir_name(fd, out, room) {
    const { name } = call.table.get(fd);
    if (name === undefined) fail('EBADF');
    const bytes = Buffer.from(name);
    if (bytes.length > room) fail('ENOBUFS');
    call.memory.bytes(out, bytes.length).set(bytes);
  },
  fd_renumber(from, to) {
    call.table.renumber(from, to);
  },
});

const contents = (call) => ({
  fd_advise(fd) {
    hostOf(call, fd, right.fd_advise);
  },
  fd_allocate(fd, offset, length) {
    check(native.allocate(hostOf(call, fd, right.fd_allocate), Number(offset), Number(length)));
  },
  fd_datasync(fd) {
    check(native.sync(hostOf(call, fd, right.fd_datasync), false));
  },
  fd_pread(fd, at, count, offset, out) {
    move(call, native.read, hostOf(call, fd, rights('fd_read', 'fd_seek')), at, count, Number(offset), out);
  },
  fd_pwrite(fd, at, count, offset, out) {
    move(call, native.write, hostOf(call, fd, rights('fd_write', 'fd_seek')), at, count, Number(offset), out);
  },
  fd_read(fd, at, count, out) {
    move(call, native.read, hostOf(call, fd, right.fd_read), at, count, -1, out);
  },
  // From the entry with the number `cookie` on. An entry that does not fit is cut off: then the guest calls again.
  fd_readdir(fd, out, room, cookie, used) {
    const entries = check(native.list(hostOf(call, fd, right.fd_readdir)));
    const buffer = Buffer.alloc(room);
    let at = 0;
    for (let i = Number(cookie); i * 3 < entries.length && at < room; i++) {
      const [name, inode, kind] = entries.slice(i * 3, i * 3 + 3);
      const entry = Buffer.alloc(direntSize + Buffer.byteLength(name));
      entry.writeBigUInt64LE(BigInt(i + 1), 0);
      entry.writeBigUInt64LE(BigInt(inode), 8);
      entry.writeUInt32LE(entry.length - direntSize, 16);
      entry.writeUInt8(typeOfEntry(kind), 20);
      entry.write(name, direntSize);
      at += entry.copy(buffer, at);
    }
    call.memory.bytes(out, at).set(buffer.subarray(0, at));
    call.memory.setU32(used, at);
  },
  fd_seek(fd, offset, whence, out) {
    if (whence > 2) fail('EINVAL');
    call.memory.setU64(out, check(native.seek(hostOf(call, fd, right.fd_seek), Number(offset), whence)));
  },
  fd_sync(fd) {
    check(native.sync(hostOf(call, fd, right.fd_sync), true));
  },
  fd_tell(fd, out) {
    call.memory.setU64(out, check(native.seek(hostOf(call, fd, right.fd_tell), 0, 1)));
  },
  fd_write(fd, at, count, out) {
    move(call, native.write, hostOf(call, fd, right.fd_write), at, count, -1, out);
  },
});

const sockets = (call) => ({
  // A guest cannot get a socket.
  sock_accept(fd) {
    hostOf(call, fd);
    fail('ENOTSOCK');
  },
  sock_recv(fd) {
    hostOf(call, fd);
    fail('ENOTSOCK');
  },
  sock_send(fd) {
    hostOf(call, fd);
    fail('ENOTSOCK');
  },
  sock_shutdown(fd) {
    hostOf(call, fd);
    fail('ENOTSOCK');
  },
});

module.exports = (call) => ({ ...attributes(call), ...contents(call), ...sockets(call) });
