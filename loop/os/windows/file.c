/* Descriptors of the C library. */
#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* ---- descriptors ---- */

int rota__os_close(int fd) {
  HANDLE handle;
  if (rota__os_handle_of(fd, &handle) < 0)
    return UV_EBADF;
  return _close(fd) == 0 ? 0 : UV_EBADF;
}

/* Bytes as they are: the C library would turn ends of lines into others. */
ssize_t rota__os_read(int fd, void *buffer, size_t length) {
  HANDLE handle;
  DWORD done;
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  if (ReadFile(handle, buffer, length < INT_MAX ? (DWORD)length : INT_MAX, &done, NULL))
    return (ssize_t)done;
  return GetLastError() == ERROR_BROKEN_PIPE ? 0 : rota__os_last_error();
}

ssize_t rota__os_write(int fd, const void *buffer, size_t length) {
  HANDLE handle;
  DWORD done;
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  if (WriteFile(handle, buffer, length < INT_MAX ? (DWORD)length : INT_MAX, &done, NULL))
    return (ssize_t)done;
  return GetLastError() == ERROR_BROKEN_PIPE ? UV_EPIPE : rota__os_last_error();
}

int rota__os_dup_cloexec(int fd) {
  HANDLE handle, copy;
  HANDLE process = GetCurrentProcess();
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  if (!DuplicateHandle(process, handle, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
    return rota__os_last_error();
  return rota__os_handle_give(copy, 0);
}

/* Programs do not count on low numbers here. */
int rota__os_dup_high(int fd) {
  return rota__os_dup_cloexec(fd);
}

bool rota__os_is_seekable(int fd) {
  HANDLE handle;
  return rota__os_handle_of(fd, &handle) == 0 && GetFileType(handle) == FILE_TYPE_DISK;
}

bool rota__os_is_nonblocking(int fd) {
  (void)fd; /* descriptors of files always wait */
  return false;
}

void rota__os_forget(int fd) {
  (void)fd; /* nothing is kept */
}

/* ---- wake-up descriptors ---- */

/* There are none: the loop's port can be woken itself. */
int rota__os_wakeup_open(struct rota_os_wakeup *wakeup) {
  wakeup->fd = wakeup->other = -1;
  return UV_ENOSYS;
}

void rota__os_wakeup_signal(const struct rota_os_wakeup *wakeup) {
  (void)wakeup;
}

void rota__os_wakeup_clear(const struct rota_os_wakeup *wakeup) {
  (void)wakeup;
}

void rota__os_wakeup_close(struct rota_os_wakeup *wakeup) {
  wakeup->fd = -1;
}

/* ---- files by descriptor ----
 *
 * Files by descriptor. Reads and writes wait: the handles that are opened here are not for overlapped operations. */

/* ---- opening ---- */

/* What CreateFile takes. */
struct way {
  DWORD access;
  DWORD share;
  DWORD disposition;
  DWORD attributes;
};

static bool choose_access(int flags, struct way *way) {
  switch (flags & (_O_RDONLY | _O_WRONLY | _O_RDWR)) {
  case _O_RDONLY:
    way->access = FILE_GENERIC_READ;
    break;
  case _O_WRONLY:
    way->access = FILE_GENERIC_WRITE;
    break;
  case _O_RDWR:
    way->access = FILE_GENERIC_READ | FILE_GENERIC_WRITE;
    break;
  default:
    return false;
  }
  /* The right to append alone makes the kernel do it, wherever another process writes. */
  if (flags & _O_APPEND)
    way->access = (way->access & ~(DWORD)FILE_WRITE_DATA) | FILE_APPEND_DATA;
  way->share = flags & UV_FS_O_EXLOCK ? 0 : ROTA_SHARE_ALL;
  return true;
}

static bool choose_disposition(int flags, struct way *way) {
  switch (flags & (_O_CREAT | _O_EXCL | _O_TRUNC)) {
  case 0:
  case _O_EXCL:
    way->disposition = OPEN_EXISTING;
    return true;
  case _O_CREAT:
    way->disposition = OPEN_ALWAYS;
    return true;
  case _O_CREAT | _O_EXCL:
  case _O_CREAT | _O_EXCL | _O_TRUNC:
    way->disposition = CREATE_NEW;
    return true;
  case _O_TRUNC:
  case _O_TRUNC | _O_EXCL:
    way->disposition = TRUNCATE_EXISTING;
    return true;
  case _O_CREAT | _O_TRUNC:
    way->disposition = CREATE_ALWAYS;
    return true;
  default:
    return false;
  }
}

static bool choose_attributes(int flags, unsigned int mode, struct way *way) {
  way->attributes = FILE_ATTRIBUTE_NORMAL;
  if ((flags & _O_CREAT) && !(mode & _S_IWRITE))
    way->attributes = FILE_ATTRIBUTE_READONLY;
  if (flags & _O_TEMPORARY) {
    way->attributes |= FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY;
    way->access |= DELETE;
  }
  if (flags & _O_SHORT_LIVED)
    way->attributes |= FILE_ATTRIBUTE_TEMPORARY;
  if ((flags & _O_SEQUENTIAL) && (flags & _O_RANDOM))
    return false;
  if (flags & _O_SEQUENTIAL)
    way->attributes |= FILE_FLAG_SEQUENTIAL_SCAN;
  if (flags & _O_RANDOM)
    way->attributes |= FILE_FLAG_RANDOM_ACCESS;
  if (flags & UV_FS_O_DIRECT) {
    /* The system does not append without a buffer, not even as one of several rights. */
    if ((way->access & FILE_APPEND_DATA) && !(way->access & FILE_WRITE_DATA))
      return false;
    way->access &= ~(DWORD)FILE_APPEND_DATA;
    way->attributes |= FILE_FLAG_NO_BUFFERING;
  }
  if (flags & (UV_FS_O_DSYNC | UV_FS_O_SYNC))
    way->attributes |= FILE_FLAG_WRITE_THROUGH;
  way->attributes |= FILE_FLAG_BACKUP_SEMANTICS; /* opens directories, too */
  return true;
}

/* A directory that was to be made or emptied: the system says that it exists, or that it may not be written to. */
static int error_of_open(const WCHAR *path, int flags) {
  DWORD code = GetLastError();
  if ((code == ERROR_FILE_EXISTS || code == ERROR_ACCESS_DENIED) && !(flags & _O_EXCL) &&
      (flags & (_O_CREAT | _O_TRUNC))) {
    DWORD attributes = GetFileAttributesW(path);
    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY))
      return UV_EISDIR;
    SetLastError(code);
  }
  return rota__os_last_error();
}

/* UV_FS_O_FILEMAP asks for a mapping of the file in memory; here reads and writes are calls in any case. */
int rota__os_open(const char *path, int flags, unsigned int mode) {
  struct rota_os_wide wide;
  struct way way;
  if (!choose_access(flags, &way) || !choose_disposition(flags, &way) || !choose_attributes(flags, mode, &way))
    return UV_EINVAL;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  HANDLE handle = CreateFileW(wide.text, way.access, way.share, NULL, way.disposition, way.attributes, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    err = error_of_open(wide.text, flags);
  rota__os_wide_free(&wide);
  return err < 0 ? err : rota__os_handle_give(handle, flags & _O_APPEND);
}

/* Without the prefix that turns off dots and slashes: \\?\C:\x, \\?\UNC\server\x. Long paths get it again. */
static char *plain(char *path) {
  if (strncmp(path, "\\\\?\\UNC\\", 8) == 0) {
    path[6] = '\\';
    return path + 6;
  }
  return strncmp(path, "\\\\?\\", 4) == 0 ? path + 4 : path;
}

static int path_of(HANDLE directory, char **path) {
  DWORD room = GetFinalPathNameByHandleW(directory, NULL, 0, VOLUME_NAME_DOS);
  if (room == 0)
    return rota__os_last_error();
  WCHAR *wide = rota__malloc(((size_t)room + 1) * sizeof(WCHAR));
  if (wide == NULL)
    return UV_ENOMEM;
  DWORD length = GetFinalPathNameByHandleW(directory, wide, room + 1, VOLUME_NAME_DOS);
  int err = length == 0 || length > room ? UV_ENOENT : rota__os_narrow(wide, (ssize_t)length, path);
  rota__free(wide);
  return err;
}

/* The path of an open directory, with `path` below it. A new block. */
static int path_below(int directory, const char *path, char **whole) {
  HANDLE handle;
  char *parent;
  int err = rota__os_handle_of(directory, &handle);
  if (err == 0)
    err = path_of(handle, &parent);
  if (err < 0)
    return err;
  size_t size = strlen(parent) + strlen(path) + 2;
  *whole = rota__malloc(size);
  if (*whole != NULL)
    snprintf(*whole, size, "%s\\%s", plain(parent), path);
  rota__free(parent);
  return *whole == NULL ? UV_ENOMEM : 0;
}

int rota__os_open_at(int directory, const char *path, int flags, unsigned int mode) {
  char *whole;
  if (directory == AT_FDCWD || rota__os_path_is_absolute(path))
    return rota__os_open(path, flags, mode);
  int err = path_below(directory, path, &whole);
  if (err < 0)
    return err;
  err = rota__os_open(whole, flags, mode);
  rota__free(whole);
  return err;
}

int64_t rota__os_seek(int fd, int64_t offset, int whence) {
  HANDLE handle;
  LARGE_INTEGER distance = {.QuadPart = offset}, position;
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  if (!SetFilePointerEx(handle, distance, &position, (DWORD)whence)) /* FILE_BEGIN and its like are SEEK_SET ... */
    return rota__os_last_error();
  return position.QuadPart;
}

/* ---- reading and writing ---- */

/* A call with an offset moves the file's own position, too: it is put back afterwards. */
struct place {
  HANDLE handle;
  OVERLAPPED overlapped;
  LARGE_INTEGER before;
  bool has_offset;
  bool has_position;
};

static int place_begin(struct place *place, int fd, int64_t offset) {
  const LARGE_INTEGER zero = {.QuadPart = 0};
  *place = (struct place){.has_offset = offset >= 0};
  int err = rota__os_handle_of(fd, &place->handle);
  if (err == 0 && place->has_offset)
    place->has_position = SetFilePointerEx(place->handle, zero, &place->before, FILE_CURRENT);
  return err;
}

static OVERLAPPED *place_at(struct place *place, int64_t offset) {
  if (!place->has_offset)
    return NULL;
  place->overlapped = (OVERLAPPED){.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
  return &place->overlapped;
}

static void place_end(const struct place *place) {
  if (place->has_position)
    SetFilePointerEx(place->handle, place->before, NULL, FILE_BEGIN);
}

/* A handle that lacks the right to read or write is, for POSIX, a descriptor of the wrong kind. A pipe without its
 * other side is at its end for a reader, and broken for a writer. */
static int error_of_transfer(bool is_write) {
  DWORD code = GetLastError();
  if (code == ERROR_HANDLE_EOF)
    return 0;
  if (code == ERROR_BROKEN_PIPE)
    return is_write ? UV_EPIPE : 0;
  if (code == ERROR_ACCESS_DENIED)
    SetLastError(ERROR_INVALID_FLAGS);
  return rota__os_last_error();
}

/* How many of the buffers fit into a block of this size. */
static int count_small(const uv_buf_t *bufs, int count, ULONG size, ULONG *length) {
  int n = 0;
  *length = 0;
  while (n < count && bufs[n].len <= size - *length)
    *length += bufs[n++].len;
  return n;
}

static void copy_to_block(char *block, const uv_buf_t *bufs, int count) {
  for (int i = 0; i < count; block += bufs[i++].len)
    memcpy(block, bufs[i].base, bufs[i].len);
}

static void copy_from_block(const char *block, ULONG length, const uv_buf_t *bufs) {
  for (ULONG n; length > 0; block += n, length -= n, bufs++) {
    n = bufs->len < length ? bufs->len : length;
    memcpy(bufs->base, block, n);
  }
}

/* Small buffers go together: the system has no call that takes several. */
static ssize_t transfer_all(bool is_write, int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  struct place place;
  char block[16384];
  int64_t total = 0;
  int err = place_begin(&place, fd, offset);
  if (err < 0)
    return err;
  for (int i = 0, n; i < count; i += n) {
    ULONG length;
    DWORD done = 0;
    n = count_small(&bufs[i], count - i, sizeof(block), &length);
    bool together = n > 1;
    uv_buf_t part = together ? uv_buf_init(block, length) : bufs[i];
    OVERLAPPED *at = place_at(&place, offset + total);
    if (together && is_write)
      copy_to_block(block, &bufs[i], n);
    bool is_done = is_write ? WriteFile(place.handle, part.base, part.len, &done, at)
                            : ReadFile(place.handle, part.base, part.len, &done, at);
    if (!is_done)
      err = error_of_transfer(is_write);
    else if (together && !is_write)
      copy_from_block(block, done, &bufs[i]);
    total += is_done ? done : 0;
    if (!is_done || done < part.len)
      break;
    n = together ? n : 1;
  }
  place_end(&place);
  return total > 0 ? (ssize_t)total : err;
}

ssize_t rota__os_read_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  return transfer_all(false, fd, bufs, count, offset);
}

ssize_t rota__os_write_at(int fd, const uv_buf_t *bufs, int count, int64_t offset) {
  return transfer_all(true, fd, bufs, count, offset);
}

/* ---- what a descriptor is ---- */

bool rota__os_is_fifo(int fd) {
  (void)fd;
  return false; /* not of the kind that waits for its other side */
}

int rota__os_is_stored(int fd) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  return err < 0 ? err : GetFileType(handle) == FILE_TYPE_DISK;
}

int rota__os_wait_for_writer(int fd, const char *path) {
  (void)fd;
  (void)path;
  return 0;
}

void rota__os_file_identify(int fd, struct rota_os_file_identity *identity) {
  HANDLE handle;
  BY_HANDLE_FILE_INFORMATION info;
  *identity = (struct rota_os_file_identity){0, 0};
  if (rota__os_handle_of(fd, &handle) == 0 && GetFileInformationByHandle(handle, &info))
    *identity = (struct rota_os_file_identity){
        .device = info.dwVolumeSerialNumber,
        .inode = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
    };
}

bool rota__os_file_is(int fd, const struct rota_os_file_identity *identity) {
  struct rota_os_file_identity now;
  rota__os_file_identify(fd, &now);
  return now.device == identity->device && now.inode == identity->inode;
}

/* ---- changing it ---- */

int rota__os_sync(int fd) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  return FlushFileBuffers(handle) ? 0 : rota__os_last_error();
}

int rota__os_sync_data(int fd) {
  return rota__os_sync(fd);
}

int rota__os_lock_file(int fd) {
  HANDLE handle;
  OVERLAPPED from = {.Offset = 0};
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  if (LockFileEx(handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, MAXDWORD, MAXDWORD, &from))
    return 0;
  return GetLastError() == ERROR_LOCK_VIOLATION || GetLastError() == ERROR_IO_PENDING ? UV_EAGAIN
                                                                                      : rota__os_last_error();
}

int rota__os_truncate(int fd, int64_t length) {
  HANDLE handle;
  FILE_END_OF_FILE_INFO end = {.EndOfFile.QuadPart = length};
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof(end)) ? 0 : rota__os_last_error();
}

int rota__os_chown_fd(int fd, uv_uid_t uid, uv_gid_t gid) {
  (void)fd;
  (void)uid;
  (void)gid;
  return 0; /* files have no owners of this kind, and programs do not expect an error */
}

/* ---- copying inside of the system: not by descriptor ---- */

ssize_t rota__os_copy_range(int out, int in, int64_t *offset, size_t length) {
  (void)out;
  (void)in;
  (void)offset;
  (void)length;
  return UV_ENOSYS;
}

ssize_t rota__os_sendfile(int out, int in, int64_t *offset, size_t length) {
  return rota__os_copy_range(out, in, offset, length);
}

int rota__os_clone(int out, int in) {
  (void)out;
  (void)in;
  return UV_ENOSYS;
}
