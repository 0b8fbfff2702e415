#include "loop/os/windows/convert.h"

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "uv.h"

/* ---- errors ---- */

#ifndef ERROR_ELEVATION_REQUIRED
#define ERROR_ELEVATION_REQUIRED 740
#endif

/* By code, for the search. Windows has many more errors than POSIX; what has no counterpart is UV_UNKNOWN. */
static const struct {
  int code;
  int error;
} known[] = {
    {ERROR_INVALID_FUNCTION, UV_EISDIR},
    {ERROR_FILE_NOT_FOUND, UV_ENOENT},
    {ERROR_PATH_NOT_FOUND, UV_ENOENT},
    {ERROR_TOO_MANY_OPEN_FILES, UV_EMFILE},
    {ERROR_ACCESS_DENIED, UV_EPERM},
    {ERROR_INVALID_HANDLE, UV_EBADF},
    {ERROR_NOT_ENOUGH_MEMORY, UV_ENOMEM},
    {ERROR_INVALID_DATA, UV_EINVAL},
    {ERROR_OUTOFMEMORY, UV_ENOMEM},
    {ERROR_INVALID_DRIVE, UV_ENOENT},
    {ERROR_NOT_SAME_DEVICE, UV_EXDEV},
    {ERROR_WRITE_PROTECT, UV_EROFS},
    {ERROR_CRC, UV_EIO},
    {ERROR_GEN_FAILURE, UV_EIO},
    {ERROR_SHARING_VIOLATION, UV_EBUSY},
    {ERROR_LOCK_VIOLATION, UV_EBUSY},
    {ERROR_HANDLE_DISK_FULL, UV_ENOSPC},
    {ERROR_NOT_SUPPORTED, UV_ENOTSUP},
    {ERROR_NETNAME_DELETED, UV_ECONNRESET},
    {ERROR_FILE_EXISTS, UV_EEXIST},
    {ERROR_CANNOT_MAKE, UV_ENOSPC},
    {ERROR_INVALID_PARAMETER, UV_EINVAL},
    {ERROR_BROKEN_PIPE, UV_EOF},
    {ERROR_OPEN_FAILED, UV_EIO},
    {ERROR_BUFFER_OVERFLOW, UV_ENAMETOOLONG},
    {ERROR_DISK_FULL, UV_ENOSPC},
    {ERROR_SEM_TIMEOUT, UV_ETIMEDOUT},
    {ERROR_INSUFFICIENT_BUFFER, UV_EINVAL},
    {ERROR_INVALID_NAME, UV_ENOENT},
    {ERROR_MOD_NOT_FOUND, UV_ENOENT},
    {ERROR_DIR_NOT_EMPTY, UV_ENOTEMPTY},
    {ERROR_SIGNAL_REFUSED, UV_EIO},
    {ERROR_BAD_PATHNAME, UV_ENOENT},
    {ERROR_ALREADY_EXISTS, UV_EEXIST},
    {ERROR_BAD_EXE_FORMAT, UV_EFTYPE},
    {ERROR_ENVVAR_NOT_FOUND, UV_ENOENT},
    {ERROR_NO_SIGNAL_SENT, UV_EIO},
    {ERROR_FILENAME_EXCED_RANGE, UV_ENAMETOOLONG},
    {ERROR_META_EXPANSION_TOO_LONG, UV_E2BIG},
    {ERROR_BAD_PIPE, UV_EPIPE},
    {ERROR_PIPE_BUSY, UV_EBUSY},
    {ERROR_NO_DATA, UV_EAGAIN},
    {ERROR_PIPE_NOT_CONNECTED, UV_EPIPE},
    {ERROR_DIRECTORY, UV_ENOENT},
    {ERROR_EA_TABLE_FULL, UV_ENOSPC},
    {ERROR_ELEVATION_REQUIRED, UV_EACCES},
    {ERROR_OPERATION_ABORTED, UV_ECANCELED},
    {ERROR_NOACCESS, UV_EFAULT},
    {ERROR_INVALID_FLAGS, UV_EBADF},
    {ERROR_END_OF_MEDIA, UV_ENOSPC},
    {ERROR_FILEMARK_DETECTED, UV_EIO},
    {ERROR_BEGINNING_OF_MEDIA, UV_EIO},
    {ERROR_SETMARK_DETECTED, UV_EIO},
    {ERROR_NO_DATA_DETECTED, UV_EIO},
    {ERROR_INVALID_BLOCK_LENGTH, UV_EIO},
    {ERROR_BUS_RESET, UV_EIO},
    {ERROR_NO_UNICODE_TRANSLATION, UV_ECHARSET},
    {ERROR_IO_DEVICE, UV_EIO},
    {ERROR_EOM_OVERFLOW, UV_EIO},
    {ERROR_DEVICE_REQUIRES_CLEANING, UV_EIO},
    {ERROR_DEVICE_DOOR_OPEN, UV_EIO},
    {ERROR_CONNECTION_REFUSED, UV_ECONNREFUSED},
    {ERROR_ADDRESS_ALREADY_ASSOCIATED, UV_EADDRINUSE},
    {ERROR_NETWORK_UNREACHABLE, UV_ENETUNREACH},
    {ERROR_HOST_UNREACHABLE, UV_EHOSTUNREACH},
    {ERROR_CONNECTION_ABORTED, UV_ECONNABORTED},
    {ERROR_PRIVILEGE_NOT_HELD, UV_EPERM},
    {ERROR_DISK_CORRUPT, UV_EIO},
    {ERROR_SYMLINK_NOT_SUPPORTED, UV_EINVAL},
    {ERROR_CANT_ACCESS_FILE, UV_EACCES},
    {ERROR_CANT_RESOLVE_FILENAME, UV_ELOOP},
    {ERROR_NOT_CONNECTED, UV_ENOTCONN},
    {ERROR_INVALID_REPARSE_DATA, UV_ENOENT},
    {WSAEINTR, UV_ECANCELED},
    {WSAEACCES, UV_EACCES},
    {WSAEFAULT, UV_EFAULT},
    {WSAEINVAL, UV_EINVAL},
    {WSAEMFILE, UV_EMFILE},
    {WSAEWOULDBLOCK, UV_EAGAIN},
    {WSAEALREADY, UV_EALREADY},
    {WSAENOTSOCK, UV_ENOTSOCK},
    {WSAEMSGSIZE, UV_EMSGSIZE},
    {WSAEPROTONOSUPPORT, UV_EPROTONOSUPPORT},
    {WSAESOCKTNOSUPPORT, UV_ESOCKTNOSUPPORT},
    {WSAEPFNOSUPPORT, UV_EINVAL},
    {WSAEAFNOSUPPORT, UV_EAFNOSUPPORT},
    {WSAEADDRINUSE, UV_EADDRINUSE},
    {WSAEADDRNOTAVAIL, UV_EADDRNOTAVAIL},
    {WSAENETUNREACH, UV_ENETUNREACH},
    {WSAECONNABORTED, UV_ECONNABORTED},
    {WSAECONNRESET, UV_ECONNRESET},
    {WSAENOBUFS, UV_ENOBUFS},
    {WSAEISCONN, UV_EISCONN},
    {WSAENOTCONN, UV_ENOTCONN},
    {WSAESHUTDOWN, UV_EPIPE},
    {WSAETIMEDOUT, UV_ETIMEDOUT},
    {WSAECONNREFUSED, UV_ECONNREFUSED},
    {WSAEHOSTUNREACH, UV_EHOSTUNREACH},
    {WSAHOST_NOT_FOUND, UV_ENOENT},
    {WSANO_DATA, UV_ENOENT},
};

static _Thread_local int last_code;

int rota__os_translate(int code) {
  size_t from = 0, to = sizeof(known) / sizeof(known[0]);
  if (code <= 0)
    return code;
  while (from < to) {
    size_t middle = (from + to) / 2;
    if (known[middle].code == code)
      return known[middle].error;
    if (known[middle].code < code)
      from = middle + 1;
    else
      to = middle;
  }
  return UV_UNKNOWN;
}

int rota__os_last_error(void) {
  last_code = (int)GetLastError();
  return last_code <= 0 ? UV_UNKNOWN : rota__os_translate(last_code);
}

int rota__os_last_code(void) {
  return last_code;
}

/* ---- text ---- */

enum { LONGEST_PLAIN = 247, LONGEST = 32767, PREFIX = 8 /* \\?\UNC\ */ };

int rota__os_wide(const char *text, WCHAR **wide) {
  ssize_t length = uv_wtf8_length_as_utf16(text);
  if (length < 0)
    return (int)length;
  *wide = rota__malloc((size_t)length * sizeof(WCHAR));
  if (*wide == NULL)
    return UV_ENOMEM;
  uv_wtf8_to_utf16(text, (uint16_t *)*wide, (size_t)length);
  return 0;
}

int rota__os_narrow(const WCHAR *wide, ssize_t length, char **text) {
  *text = NULL;
  return uv_utf16_to_wtf8((const uint16_t *)wide, length, text, NULL);
}

int rota__os_narrow_give(const WCHAR *wide, ssize_t length, char *buffer, size_t *size) {
  size_t room = *size - 1; /* the NUL is not counted there */
  int err = uv_utf16_to_wtf8((const uint16_t *)wide, length, &buffer, &room);
  *size = err == UV_ENOBUFS ? room + 1 : room;
  return err;
}

int rota__os_wide_text(struct rota_os_wide *wide, const char *text) {
  ssize_t length = uv_wtf8_length_as_utf16(text);
  wide->text = wide->small;
  if (length < 0)
    return (int)length;
  if (length > ROTA_WIDE_SMALL) {
    wide->text = rota__malloc((size_t)length * sizeof(WCHAR));
    if (wide->text == NULL)
      return UV_ENOMEM;
  }
  uv_wtf8_to_utf16(text, (uint16_t *)wide->text, (size_t)length);
  return 0;
}

static bool is_slash(WCHAR unit) {
  return unit == L'\\' || unit == L'/';
}

/* \\?\ and \\.\ and \??\: what follows is for the system as it is. */
static bool has_prefix(const WCHAR *path) {
  return is_slash(path[0]) && (is_slash(path[1]) || path[1] == L'?') && (path[2] == L'?' || path[2] == L'.') &&
         is_slash(path[3]);
}

/* Replaces the path by its absolute form, with the prefix. */
static int make_long(struct rota_os_wide *wide) {
  DWORD room = GetFullPathNameW(wide->text, 0, NULL, NULL);
  if (room == 0)
    return rota__os_last_error();
  WCHAR *whole = rota__malloc(((size_t)room + PREFIX) * sizeof(WCHAR));
  if (whole == NULL)
    return UV_ENOMEM;
  DWORD length = GetFullPathNameW(wide->text, room, whole + PREFIX, NULL);
  if (length == 0 || length >= room) {
    int err = rota__os_last_error();
    rota__free(whole);
    return err;
  }
  const WCHAR *prefix = L"\\\\?\\";
  WCHAR *rest = whole + PREFIX;
  if (is_slash(rest[0]) && is_slash(rest[1])) { /* a server and its share */
    prefix = L"\\\\?\\UNC\\";
    rest += 2;
    length -= 2;
  }
  size_t prefix_length = wcslen(prefix);
  memmove(whole + prefix_length, rest, ((size_t)length + 1) * sizeof(WCHAR));
  memcpy(whole, prefix, prefix_length * sizeof(WCHAR));
  rota__os_wide_free(wide);
  wide->text = whole;
  return 0;
}

int rota__os_wide_path(struct rota_os_wide *wide, const char *path) {
  int err = rota__os_wide_text(wide, path);
  if (err < 0 || wcsnlen(wide->text, LONGEST_PLAIN + 1) <= LONGEST_PLAIN || has_prefix(wide->text))
    return err;
  /* The system counts the bytes of a path in 16 bits, and would take the rest for the whole. */
  err = wcsnlen(wide->text, LONGEST + 1) > LONGEST - PREFIX ? UV_ENAMETOOLONG : make_long(wide);
  if (err < 0)
    rota__os_wide_free(wide);
  return err;
}

void rota__os_wide_free(struct rota_os_wide *wide) {
  if (wide->text != wide->small)
    rota__free(wide->text);
  wide->text = wide->small;
}

/* ---- handles ---- */

static const int64_t UNITS_TO_1970 = 116444736000000000, UNITS_PER_SECOND = 10000000;

int rota__os_handle_of(int fd, HANDLE *handle) {
  *handle = fd < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(fd);
  /* -2: one of the standard descriptors that has no file. */
  return *handle == INVALID_HANDLE_VALUE || *handle == (HANDLE)-2 ? UV_EBADF : 0;
}

int rota__os_handle_open(const char *path, DWORD access, DWORD flags, HANDLE *handle) {
  struct rota_os_wide wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  *handle =
      CreateFileW(wide.text, access, ROTA_SHARE_ALL, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags, NULL);
  if (*handle == INVALID_HANDLE_VALUE)
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  return err;
}

int rota__os_handle_give(HANDLE handle, int flags) {
  int fd = _open_osfhandle((intptr_t)handle, flags | _O_BINARY);
  if (fd >= 0)
    return fd;
  CloseHandle(handle);
  return UV_EMFILE;
}

uv_timespec_t rota__os_time_of(int64_t units) {
  units -= UNITS_TO_1970;
  int64_t seconds = units / UNITS_PER_SECOND;
  int64_t rest = units % UNITS_PER_SECOND;
  if (rest < 0) {
    rest += UNITS_PER_SECOND;
    seconds--;
  }
  return (uv_timespec_t){.tv_sec = (long)seconds, .tv_nsec = (long)rest * 100};
}
