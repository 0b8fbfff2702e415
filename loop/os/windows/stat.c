/* What a file is. A link is a reparse point: a symbolic link or a junction. Other reparse points (files that lie in a
 * cloud, deduplicated ones) are files like others. */
#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/file.h"
#include "loop/os/windows/convert.h"

#include <winioctl.h>

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
