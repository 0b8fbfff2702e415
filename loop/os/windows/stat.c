/* What a file is, and links. */
#include "loop/os/file.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

#include <winioctl.h>

/* ---- what a file is ----
 *
 * What a file is. A link is a reparse point: a symbolic link or a junction. Other reparse points (files that lie in a
 * cloud, deduplicated ones) are files like others. */

enum { READ_BITS = 0444, WRITE_BITS = 0222, SECTOR = 512, CLUSTER = 4096 };

static uint64_t mode_of(DWORD attributes, bool is_link) {
  uint64_t mode = READ_BITS;
  if (is_link)
    mode |= S_IFLNK;
  else if (attributes & FILE_ATTRIBUTE_DIRECTORY)
    mode |= _S_IFDIR;
  else
    mode |= _S_IFREG;
  return attributes & FILE_ATTRIBUTE_READONLY ? mode : mode | WRITE_BITS;
}

/* Pipes and terminals: the kind is all that there is to know. */
static int stat_other(DWORD type, uv_stat_t *result) {
  if (type == FILE_TYPE_CHAR) {
    result->st_mode = _S_IFCHR;
    result->st_rdev = FILE_DEVICE_CONSOLE << 16;
  } else if (type == FILE_TYPE_PIPE) {
    result->st_mode = _S_IFIFO;
    result->st_rdev = FILE_DEVICE_NAMED_PIPE << 16;
  } else {
    return UV_EBADF;
  }
  result->st_nlink = 1;
  result->st_blksize = CLUSTER;
  return 0;
}

static int stat_handle(HANDLE handle, bool is_link, uv_stat_t *result) {
  BY_HANDLE_FILE_INFORMATION info;
  FILE_BASIC_INFO basic;
  FILE_STANDARD_INFO standard;
  *result = (uv_stat_t){0};
  DWORD type = GetFileType(handle);
  if (type != FILE_TYPE_DISK)
    return stat_other(type, result);
  if (!GetFileInformationByHandle(handle, &info) ||
      !GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)) ||
      !GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof(standard)))
    return rota__os_last_error();
  *result = (uv_stat_t){
      .st_dev = info.dwVolumeSerialNumber,
      .st_mode = mode_of(basic.FileAttributes, is_link),
      .st_nlink = info.nNumberOfLinks,
      .st_ino = (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow,
      .st_size = basic.FileAttributes & FILE_ATTRIBUTE_DIRECTORY ? 0 : (uint64_t)standard.EndOfFile.QuadPart,
      .st_blksize = CLUSTER,
      .st_blocks = (uint64_t)standard.AllocationSize.QuadPart / SECTOR,
      .st_atim = rota__os_time_of(basic.LastAccessTime.QuadPart),
      .st_mtim = rota__os_time_of(basic.LastWriteTime.QuadPart),
      .st_ctim = rota__os_time_of(basic.ChangeTime.QuadPart),
      .st_birthtim = rota__os_time_of(basic.CreationTime.QuadPart),
  };
  return 0;
}

/* Of a link, the size is the length of its target. UV_EINVAL: it is not a link. */
static int stat_link(HANDLE handle, uv_stat_t *result) {
  char *target;
  int err = rota__os_reparse_target(handle, &target);
  if (err < 0)
    return err;
  err = stat_handle(handle, true, result);
  result->st_size = strlen(target);
  rota__free(target);
  return err;
}

/* A file that somebody has opened for himself alone, or that this user may not open: its directory tells, too. */
static int stat_by_directory(const char *path, uv_stat_t *result) {
  struct rota_os_wide wide;
  WIN32_FIND_DATAW found;
  if (strpbrk(path, "*?") != NULL && strncmp(path, "\\\\?\\", 4) != 0)
    return UV_EPERM; /* the search would take them for patterns */
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  HANDLE search = FindFirstFileW(wide.text, &found);
  rota__os_wide_free(&wide);
  if (search == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  FindClose(search);
#define TIME(field) rota__os_time_of((int64_t)((uint64_t)found.field.dwHighDateTime << 32 | found.field.dwLowDateTime))
  *result = (uv_stat_t){
      .st_mode = mode_of(found.dwFileAttributes, false),
      .st_nlink = 1,
      .st_size = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow,
      .st_blksize = CLUSTER,
      .st_atim = TIME(ftLastAccessTime),
      .st_mtim = TIME(ftLastWriteTime),
      .st_ctim = TIME(ftLastWriteTime),
      .st_birthtim = TIME(ftCreationTime),
  };
#undef TIME
  return 0;
}

int rota__os_stat(const char *path, enum rota_stat_of of, uv_stat_t *result) {
  HANDLE handle;
  int err;
  if (of == ROTA_STAT_LINK) {
    err = rota__os_handle_open(path, FILE_READ_ATTRIBUTES, FILE_FLAG_OPEN_REPARSE_POINT, &handle);
    if (err == 0) {
      FILE_BASIC_INFO basic;
      bool is_reparse_point = GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)) &&
                              (basic.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT);
      err = is_reparse_point ? stat_link(handle, result) : stat_handle(handle, false, result);
      CloseHandle(handle);
      if (!is_reparse_point || err != UV_EINVAL)
        return err;
    }
  }
  err = rota__os_handle_open(path, FILE_READ_ATTRIBUTES, 0, &handle);
  if (err == UV_EPERM || err == UV_EBUSY) {
    int instead = stat_by_directory(path, result);
    return instead < 0 ? err : 0;
  }
  if (err < 0)
    return err;
  err = stat_handle(handle, false, result);
  CloseHandle(handle);
  return err;
}

int rota__os_stat_fd(int fd, uv_stat_t *result) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  return err < 0 ? err : stat_handle(handle, false, result);
}

/* The folder that the volume of a path is mounted at. */
static int volume_of(const char *path, WCHAR *volume, DWORD room) {
  struct rota_os_wide wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  if (GetFileAttributesW(wide.text) == INVALID_FILE_ATTRIBUTES || !GetVolumePathNameW(wide.text, volume, room))
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  return err;
}

int rota__os_statfs(const char *path, uv_statfs_t *result) {
  WCHAR volume[MAX_PATH + 1];
  DWORD sectors, bytes, free_clusters, clusters;
  int err = volume_of(path, volume, MAX_PATH + 1);
  if (err < 0)
    return err;
  if (!GetDiskFreeSpaceW(volume, &sectors, &bytes, &free_clusters, &clusters))
    return rota__os_last_error();
  *result = (uv_statfs_t){
      .f_bsize = (uint64_t)bytes * sectors,
      .f_frsize = (uint64_t)bytes * sectors,
      .f_blocks = clusters,
      .f_bfree = free_clusters,
      .f_bavail = free_clusters,
  };
  return 0;
}

/* ---- links ---- */

#ifndef ERROR_NOT_A_REPARSE_POINT
#define ERROR_NOT_A_REPARSE_POINT 4390
#endif
#ifndef IO_REPARSE_TAG_SYMLINK
#define IO_REPARSE_TAG_SYMLINK 0xA000000Cu
#endif
#ifndef SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE
#define SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE 0x2
#endif

enum { DATA_MAX = 16 * 1024 };

/* As the file system keeps it. Lengths and offsets are in bytes; the offsets count from `names`. */
struct reparse_head {
  DWORD tag;
  WORD data_length;
  WORD reserved;
  WORD target_offset;
  WORD target_length;
  WORD shown_offset;
  WORD shown_length;
};

/* A symbolic link has a word of flags before the names, a junction has not. */
static size_t names_offset(DWORD tag) {
  return sizeof(struct reparse_head) + (tag == IO_REPARSE_TAG_SYMLINK ? sizeof(DWORD) : 0);
}

bool rota__os_reparse_is_link(DWORD tag) {
  return tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT;
}

static bool is_drive(const WCHAR *path) {
  return ((path[0] >= L'a' && path[0] <= L'z') || (path[0] >= L'A' && path[0] <= L'Z')) && path[1] == L':';
}

/* The kernel's names of drives and shares begin with \??\, those of programs do not. */
static int narrow_target(WCHAR *path, size_t length, bool is_junction, char **target) {
  if (length >= 6 && wcsncmp(path, L"\\??\\", 4) == 0 && is_drive(path + 4)) {
    path += 4;
    length -= 4;
  } else if (length >= 8 && wcsncmp(path, L"\\??\\UNC\\", 8) == 0) {
    path += 6;
    length -= 6;
    path[0] = L'\\';
  } else if (is_junction) {
    return UV_EINVAL; /* a volume without a letter is mounted there: no path leads to it */
  }
  return rota__os_narrow(path, (ssize_t)length, target);
}

int rota__os_reparse_target(HANDLE handle, char **target) {
  _Alignas(8) char data[DATA_MAX];
  DWORD size;
  if (!DeviceIoControl(handle, FSCTL_GET_REPARSE_POINT, NULL, 0, data, sizeof(data), &size, NULL)) {
    DWORD code = GetLastError();
    int err = rota__os_last_error();
    return code == ERROR_NOT_A_REPARSE_POINT ? UV_EINVAL : err;
  }
  const struct reparse_head *head = (const struct reparse_head *)(void *)data;
  size_t at = names_offset(head->tag) + head->target_offset;
  if (!rota__os_reparse_is_link(head->tag) || at + head->target_length > size)
    return UV_EINVAL;
  return narrow_target((WCHAR *)(void *)(data + at), head->target_length / sizeof(WCHAR),
                       head->tag == IO_REPARSE_TAG_MOUNT_POINT, target);
}

ssize_t rota__os_readlink(const char *path, char *buffer, size_t size) {
  HANDLE handle;
  char *target;
  int err = 0;
  struct rota_os_wide wide;
  err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  handle = CreateFileW(wide.text, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_OPEN_REPARSE_POINT | FILE_FLAG_BACKUP_SEMANTICS, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  if (err < 0)
    return err;
  err = rota__os_reparse_target(handle, &target);
  CloseHandle(handle);
  if (err < 0)
    return err;
  size_t length = strlen(target);
  if (length > size)
    length = size;
  memcpy(buffer, target, length);
  rota__free(target);
  return (ssize_t)length;
}

/* ---- making them ---- */

/* The target of a junction is absolute, with backslashes and without one at its end. */
static int make_junction_data(const char *target, struct reparse_head **data, DWORD *size) {
  WCHAR *path;
  int err = rota__os_wide(target, &path);
  if (err < 0)
    return err;
  const WCHAR *rest = path;
  if (wcsncmp(rest, L"\\\\?\\", 4) == 0 || wcsncmp(rest, L"\\??\\", 4) == 0)
    rest += 4;
  size_t length = wcslen(rest);
  if (!is_drive(rest) || length < 3) {
    rota__free(path);
    return UV_EINVAL;
  }
  while (length > 3 && (rest[length - 1] == L'\\' || rest[length - 1] == L'/'))
    length--;
  /* Both names, each with a NUL; the first with the kernel's prefix. */
  size_t bytes = (length + 4 + 1 + length + 1) * sizeof(WCHAR);
  *size = (DWORD)(sizeof(struct reparse_head) + bytes);
  *data = rota__calloc(1, *size);
  err = *data == NULL ? UV_ENOMEM : *size > DATA_MAX ? UV_ENAMETOOLONG : 0;
  if (err == 0) {
    WCHAR *names = (WCHAR *)(*data + 1);
    **data = (struct reparse_head){
        .tag = IO_REPARSE_TAG_MOUNT_POINT,
        .data_length = (WORD)(*size - offsetof(struct reparse_head, target_offset)),
        .target_length = (WORD)((length + 4) * sizeof(WCHAR)),
        .shown_offset = (WORD)((length + 5) * sizeof(WCHAR)),
        .shown_length = (WORD)(length * sizeof(WCHAR)),
    };
    memcpy(names, L"\\??\\", 4 * sizeof(WCHAR));
    memcpy(names + 4, rest, length * sizeof(WCHAR));
    memcpy(names + length + 5, rest, length * sizeof(WCHAR));
    for (size_t i = 4; i < length + 4; i++)
      if (names[i] == L'/')
        names[i] = names[i + length + 1] = L'\\';
  } else {
    rota__free(*data);
  }
  rota__free(path);
  return err;
}

/* A folder becomes a junction. */
static int fill_junction(const WCHAR *path, struct reparse_head *data, DWORD size) {
  DWORD unused;
  HANDLE handle = CreateFileW(path, GENERIC_WRITE, 0, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
  if (handle == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  int err = 0;
  if (!DeviceIoControl(handle, FSCTL_SET_REPARSE_POINT, data, size, NULL, 0, &unused, NULL))
    err = rota__os_last_error();
  CloseHandle(handle);
  return err;
}

static int make_junction(const char *target, const WCHAR *path) {
  struct reparse_head *data = NULL;
  DWORD size = 0;
  int err = make_junction_data(target, &data, &size);
  if (err < 0)
    return err;
  if (!CreateDirectoryW(path, NULL)) {
    err = rota__os_last_error();
  } else {
    err = fill_junction(path, data, size);
    if (err < 0)
      RemoveDirectoryW(path);
  }
  rota__free(data);
  return err;
}

/* Since Windows 10 who is no administrator may make them, in developer mode; earlier systems refuse the flag. */
static int make_link(const char *target, const WCHAR *path, DWORD flags) {
  struct rota_os_wide wide;
  int err = rota__os_wide_text(&wide, target);
  if (err < 0)
    return err;
  BOOLEAN made = CreateSymbolicLinkW(path, wide.text, flags | SYMBOLIC_LINK_FLAG_ALLOW_UNPRIVILEGED_CREATE);
  if (!made && GetLastError() == ERROR_INVALID_PARAMETER)
    made = CreateSymbolicLinkW(path, wide.text, flags);
  if (!made)
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  return err;
}

int rota__os_symlink(const char *target, const char *path, int flags) {
  struct rota_os_wide wide;
  if (flags & ~(UV_FS_SYMLINK_DIR | UV_FS_SYMLINK_JUNCTION))
    return UV_EINVAL;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  if (flags & UV_FS_SYMLINK_JUNCTION)
    err = make_junction(target, wide.text);
  else
    err = make_link(target, wide.text, flags & UV_FS_SYMLINK_DIR ? SYMBOLIC_LINK_FLAG_DIRECTORY : 0);
  rota__os_wide_free(&wide);
  return err;
}
