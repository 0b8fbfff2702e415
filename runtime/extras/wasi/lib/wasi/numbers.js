'use strict';

// The numbers of WASI's preview 1, and the corresponding ones of the system.

const { errno: systemErrors } = require('os').constants;

// In the order of their numbers.
const errors = [
  'SUCCESS',
  'E2BIG',
  'EACCES',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EAGAIN',
  'EALREADY',
  'EBADF',
  'EBADMSG',
  'EBUSY',
  'ECANCELED',
  'ECHILD',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDEADLK',
  'EDESTADDRREQ',
  'EDOM',
  'EDQUOT',
  'EEXIST',
  'EFAULT',
  'EFBIG',
  'EHOSTUNREACH',
  'EIDRM',
  'EILSEQ',
  'EINPROGRESS',
  'EINTR',
  'EINVAL',
  'EIO',
  'EISCONN',
  'EISDIR',
  'ELOOP',
  'EMFILE',
  'EMLINK',
  'EMSGSIZE',
  'EMULTIHOP',
  'ENAMETOOLONG',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENODEV',
  'ENOENT',
  'ENOEXEC',
  'ENOLCK',
  'ENOLINK',
  'ENOMEM',
  'ENOMSG',
  'ENOPROTOOPT',
  'ENOSPC',
  'ENOSYS',
  'ENOTCONN',
  'ENOTDIR',
  'ENOTEMPTY',
  'ENOTRECOVERABLE',
  'ENOTSOCK',
  'ENOTSUP',
  'ENOTTY',
  'ENXIO',
  'EOVERFLOW',
  'EOWNERDEAD',
  'EPERM',
  'EPIPE',
  'EPROTO',
  'EPROTONOSUPPORT',
  'EPROTOTYPE',
  'ERANGE',
  'EROFS',
  'ESPIPE',
  'ESRCH',
  'ESTALE',
  'ETIMEDOUT',
  'ETXTBSY',
  'EXDEV',
  'ENOTCAPABLE',
];
const errno = Object.fromEntries(errors.map((name, number) => [name, number]));
const bySystem = new Map(
  Object.entries(systemErrors)
    .filter(([name]) => name in errno)
    .map(([name, number]) => [number, errno[name]]),
);

const rightNames = [
  'fd_datasync',
  'fd_read',
  'fd_seek',
  'fd_fdstat_set_flags',
  'fd_sync',
  'fd_tell',
  'fd_write',
  'fd_advise',
  'fd_allocate',
  'path_create_directory',
  'path_create_file',
  'path_link_source',
  'path_link_target',
  'path_open',
  'fd_readdir',
  'path_readlink',
  'path_rename_source',
  'path_rename_target',
  'path_filestat_get',
  'path_filestat_set_size',
  'path_filestat_set_times',
  'fd_filestat_get',
  'fd_filestat_set_size',
  'fd_filestat_set_times',
  'path_symlink',
  'path_remove_directory',
  'path_unlink_file',
  'poll_fd_readwrite',
  'sock_shutdown',
  'sock_accept',
];
const right = Object.fromEntries(rightNames.map((name, bit) => [name, 1n << BigInt(bit)]));
const rights = (...names) => names.reduce((sum, name) => sum | right[name], 0n);

const everything = (1n << BigInt(rightNames.length)) - 1n;
// The names from one to another.
const through = (first, last) => rightNames.slice(rightNames.indexOf(first), rightNames.indexOf(last) + 1);
const ofFile = rights(
  ...through('fd_datasync', 'fd_allocate'),
  'fd_filestat_get',
  'fd_filestat_set_size',
  'fd_filestat_set_times',
  'poll_fd_readwrite',
);
const ofDirectory = rights(
  'fd_fdstat_set_flags',
  'fd_sync',
  'fd_advise',
  ...through('path_create_directory', 'path_filestat_set_times'),
  'fd_filestat_get',
  'fd_filestat_set_times',
  'path_symlink',
  'path_remove_directory',
  'path_unlink_file',
  'poll_fd_readwrite',
);
const ofTerminal = rights('fd_read', 'fd_fdstat_set_flags', 'fd_write', 'fd_filestat_get', 'poll_fd_readwrite');

const type = { unknown: 0, block: 1, character: 2, directory: 3, regular: 4, datagrams: 5, stream: 6, link: 7 };
// By the bits of the system's mode that give the type.
const typesByMode = new Map([
  [0o060000, type.block],
  [0o020000, type.character],
  [0o040000, type.directory],
  [0o100000, type.regular],
  [0o140000, type.stream],
  [0o120000, type.link],
]);
const typeOfMode = (mode) => typesByMode.get(mode & 0o170000) ?? type.unknown;

module.exports = {
  errno,
  bySystem,
  right,
  rights,
  everything,
  ofFile,
  ofDirectory,
  ofTerminal,
  type,
  typeOfMode,
};
