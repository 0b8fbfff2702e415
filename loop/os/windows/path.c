/* Files by name, and directories. */
#include "loop/os/file.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/host.h"
#include "loop/os/windows/convert.h"

/* ---- names ----
 *
 * Files by their names: rights, times, moving, removing, temporary ones. */

/* ---- rights: there is one, to write ---- */

bool rota__os_path_is_absolute(const char *path) {
  return path[0] == '/' || path[0] == '\\' || (path[0] != '\0' && path[1] == ':');
}

int rota__os_access(const char *path, int mode) {
  struct rota_os_wide wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  DWORD attributes = GetFileAttributesW(wide.text);
  if (attributes == INVALID_FILE_ATTRIBUTES)
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  /* On a directory, the attribute has another meaning. */
  if (err == 0 && (mode & W_OK) && (attributes & FILE_ATTRIBUTE_READONLY) && !(attributes & FILE_ATTRIBUTE_DIRECTORY))
    err = UV_EPERM;
  return err;
}

static int set_mode(HANDLE handle, unsigned int mode) {
  FILE_BASIC_INFO basic;
  if (!GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)))
    return rota__os_last_error();
  DWORD before = basic.FileAttributes;
  basic.FileAttributes &= ~(DWORD)(FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_NORMAL);
  if (!(mode & _S_IWRITE))
    basic.FileAttributes |= FILE_ATTRIBUTE_READONLY;
  if (basic.FileAttributes == 0)
    basic.FileAttributes = FILE_ATTRIBUTE_NORMAL; /* 0 would mean: unchanged */
  if (basic.FileAttributes == before)
    return 0;
  basic.CreationTime.QuadPart = basic.LastAccessTime.QuadPart = 0; /* these, too */
  basic.LastWriteTime.QuadPart = basic.ChangeTime.QuadPart = 0;
  return SetFileInformationByHandle(handle, FileBasicInfo, &basic, sizeof(basic)) ? 0 : rota__os_last_error();
}

int rota__os_chmod(const char *path, unsigned int mode) {
  HANDLE handle;
  int err = rota__os_handle_open(path, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES, 0, &handle);
  if (err < 0)
    return err;
  err = set_mode(handle, mode);
  CloseHandle(handle);
  return err;
}

/* The descriptor may not have the right to change attributes; its owner has. */
int rota__os_chmod_fd(int fd, unsigned int mode) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  if (err < 0)
    return err;
  HANDLE again = ReOpenFile(handle, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES, ROTA_SHARE_ALL, 0);
  if (again == INVALID_HANDLE_VALUE)
    return rota__os_last_error();
  err = set_mode(again, mode);
  CloseHandle(again);
  return err;
}

int rota__os_chown(const char *path, uv_uid_t uid, uv_gid_t gid) {
  (void)path;
  (void)uid;
  (void)gid;
  return 0; /* files have no owners of this kind, and programs do not expect an error */
}

int rota__os_chown_link(const char *path, uv_uid_t uid, uv_gid_t gid) {
  return rota__os_chown(path, uid, gid);
}

/* ---- times ---- */

/* Null: unchanged. */
static const FILETIME *from_seconds(double seconds, FILETIME *time) {
  if (isnan(seconds))
    return NULL;
  if (isinf(seconds)) {
    GetSystemTimeAsFileTime(time);
    return time;
  }
  uint64_t units = (uint64_t)(int64_t)(seconds * 1e7) + 116444736000000000u;
  *time = (FILETIME){.dwLowDateTime = (DWORD)units, .dwHighDateTime = (DWORD)(units >> 32)};
  return time;
}

static int set_times(HANDLE handle, double atime, double mtime) {
  FILETIME access, write;
  return SetFileTime(handle, NULL, from_seconds(atime, &access), from_seconds(mtime, &write)) ? 0
                                                                                              : rota__os_last_error();
}

int rota__os_set_times(const char *path, enum rota_stat_of of, double atime, double mtime) {
  HANDLE handle;
  DWORD flags = of == ROTA_STAT_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0;
  int err = rota__os_handle_open(path, FILE_WRITE_ATTRIBUTES, flags, &handle);
  if (err < 0)
    return err;
  err = set_times(handle, atime, mtime);
  CloseHandle(handle);
  return err;
}

int rota__os_set_times_fd(int fd, double atime, double mtime) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  return err < 0 ? err : set_times(handle, atime, mtime);
}

/* ---- names ---- */

static int with_paths(BOOL (*call)(const WCHAR *path, const WCHAR *new_path), const char *path, const char *new_path) {
  struct rota_os_wide wide, new_wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  err = rota__os_wide_path(&new_wide, new_path);
  if (err == 0) {
    if (!call(wide.text, new_wide.text))
      err = rota__os_last_error();
    rota__os_wide_free(&new_wide);
  }
  rota__os_wide_free(&wide);
  return err;
}

static BOOL call_link(const WCHAR *path, const WCHAR *new_path) {
  return CreateHardLinkW(new_path, path, NULL);
}

int rota__os_link(const char *path, const char *new_path) {
  return with_paths(call_link, path, new_path);
}

static BOOL call_rename(const WCHAR *path, const WCHAR *new_path) {
  return MoveFileExW(path, new_path, MOVEFILE_REPLACE_EXISTING);
}

int rota__os_rename(const char *path, const char *new_path) {
  return with_paths(call_rename, path, new_path);
}

/* As the headers of newer systems have it. */
struct disposition_ex {
  DWORD flags;
};
enum { DISPOSITION_DELETE = 1, DISPOSITION_POSIX = 2, DISPOSITION_IGNORE_READONLY = 16, DISPOSITION_EX = 21 };

/* With the meaning of POSIX, where the file system has it, the name is free at once, also while others have the file
 * open. Else it is free when the last of them has closed it, and a file that is read only must be made writable. */
static int remove_handle(HANDLE handle) {
  struct disposition_ex posix = {DISPOSITION_DELETE | DISPOSITION_POSIX | DISPOSITION_IGNORE_READONLY};
  if (SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)DISPOSITION_EX, &posix, sizeof(posix)))
    return 0;
  switch (GetLastError()) {
  case ERROR_INVALID_PARAMETER:
  case ERROR_INVALID_FUNCTION:
  case ERROR_NOT_SUPPORTED:
  case ERROR_CALL_NOT_IMPLEMENTED:
    break;
  default:
    return rota__os_last_error();
  }
  FILE_BASIC_INFO basic;
  if (GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)) &&
      (basic.FileAttributes & FILE_ATTRIBUTE_READONLY)) {
    int err = set_mode(handle, _S_IWRITE);
    if (err < 0)
      return err;
  }
  FILE_DISPOSITION_INFO plain = {.DeleteFile = TRUE};
  return SetFileInformationByHandle(handle, FileDispositionInfo, &plain, sizeof(plain)) ? 0 : rota__os_last_error();
}

/* A folder is removed only if it is a link. */
static int refuse_folder(HANDLE handle) {
  FILE_ATTRIBUTE_TAG_INFO info;
  FILE_BASIC_INFO basic;
  if (!GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)))
    return rota__os_last_error();
  if (!(basic.FileAttributes & FILE_ATTRIBUTE_DIRECTORY))
    return 0;
  if ((basic.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
      GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof(info)) &&
      rota__os_reparse_is_link(info.ReparseTag))
    return 0;
  return UV_EPERM;
}

int rota__os_unlink(const char *path) {
  HANDLE handle;
  int err = rota__os_handle_open(path, FILE_READ_ATTRIBUTES | FILE_WRITE_ATTRIBUTES | DELETE,
                                 FILE_FLAG_OPEN_REPARSE_POINT, &handle);
  if (err < 0)
    return err;
  err = refuse_folder(handle);
  if (err == 0)
    err = remove_handle(handle);
  CloseHandle(handle);
  return err;
}

/* ---- the path without links ---- */

int rota__os_realpath(const char *path, char **result) {
  HANDLE handle;
  WCHAR *block = NULL;
  int err = rota__os_handle_open(path, 0, 0, &handle);
  if (err < 0)
    return err;
  DWORD room = GetFinalPathNameByHandleW(handle, NULL, 0, VOLUME_NAME_DOS);
  if (room > 0)
    block = rota__malloc(((size_t)room + 1) * sizeof(WCHAR));
  DWORD length = block == NULL ? 0 : GetFinalPathNameByHandleW(handle, block, room + 1, VOLUME_NAME_DOS);
  if (length == 0 || length > room)
    err = room > 0 && block == NULL ? UV_ENOMEM : rota__os_last_error();
  CloseHandle(handle);
  if (err == 0) {
    WCHAR *start = block;
    if (wcsncmp(block, L"\\\\?\\UNC\\", 8) == 0) {
      start = block + 6;
      start[0] = L'\\';
    } else if (wcsncmp(block, L"\\\\?\\", 4) == 0) {
      start = block + 4;
    }
    err = rota__os_narrow(start, -1, result);
  }
  rota__free(block);
  return err;
}

void rota__os_realpath_free(char *result) {
  rota__free(result);
}

/* ---- temporary files ---- */

enum { TRIES = 10000, LETTERS = 6 };

/* Fills in the last six letters, calls `make` with the path, and tries others while the name is taken. */
static int make_temporary(char *path, int (*make)(const char *path)) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  size_t length = strlen(path);
  if (length < LETTERS || strcmp(path + length - LETTERS, "XXXXXX") != 0)
    return UV_EINVAL;
  for (int i = 0; i < TRIES; i++) {
    uint64_t chance;
    int err = rota__os_random(&chance, sizeof(chance));
    if (err < 0)
      return err;
    for (size_t k = length - LETTERS; k < length; k++) {
      path[k] = letters[chance % (sizeof(letters) - 1)];
      chance /= sizeof(letters) - 1;
    }
    err = make(path);
    if (err != UV_EEXIST)
      return err;
  }
  return UV_EEXIST;
}

static int make_file(const char *path) {
  return rota__os_open(path, _O_RDWR | _O_CREAT | _O_EXCL, _S_IREAD | _S_IWRITE);
}

int rota__os_make_temporary_file(char *path) {
  return make_temporary(path, make_file);
}

static int make_folder(const char *path) {
  return rota__os_mkdir(path, 0700);
}

int rota__os_make_temporary_directory(char *path) {
  return make_temporary(path, make_folder);
}

/* ---- directories ----
 *
 * Directories. Their entries come in blocks of many, which are turned into the library's form. */

enum { BLOCK = 12 * 1024 };

int rota__os_mkdir(const char *path, unsigned int mode) {
  struct rota_os_wide wide;
  (void)mode;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  if (!CreateDirectoryW(wide.text, NULL))
    err = GetLastError() == ERROR_INVALID_NAME || GetLastError() == ERROR_DIRECTORY ? UV_EINVAL : rota__os_last_error();
  rota__os_wide_free(&wide);
  return err;
}

int rota__os_rmdir(const char *path) {
  struct rota_os_wide wide;
  int err = rota__os_wide_path(&wide, path);
  if (err < 0)
    return err;
  if (!RemoveDirectoryW(wide.text))
    err = rota__os_last_error();
  rota__os_wide_free(&wide);
  return err;
}

/* ---- entries ---- */

int rota__os_directory_open(const char *path) {
  HANDLE handle;
  FILE_BASIC_INFO basic;
  int err = rota__os_handle_open(path, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | SYNCHRONIZE, 0, &handle);
  if (err < 0)
    return err;
  if (!GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof(basic)))
    err = rota__os_last_error();
  else if (!(basic.FileAttributes & FILE_ATTRIBUTE_DIRECTORY))
    err = UV_ENOTDIR;
  if (err == 0)
    return rota__os_handle_give(handle, 0);
  CloseHandle(handle);
  return err;
}

/* Of a reparse point, this field is its tag. */
static uint8_t type_of(const FILE_ID_BOTH_DIR_INFO *entry) {
  if ((entry->FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) && rota__os_reparse_is_link(entry->EaSize))
    return ROTA_DIRECTORY_LINK;
  if (entry->FileAttributes & FILE_ATTRIBUTE_DEVICE)
    return ROTA_DIRECTORY_CHARACTERS;
  return entry->FileAttributes & FILE_ATTRIBUTE_DIRECTORY ? ROTA_DIRECTORY_FOLDER : ROTA_DIRECTORY_FILE;
}

static size_t convert(const FILE_ID_BOTH_DIR_INFO *from, char *to) {
  struct rota_directory_entry *entry = (struct rota_directory_entry *)(void *)to;
  ssize_t units = (ssize_t)(from->FileNameLength / sizeof(WCHAR));
  size_t length = uv_utf16_length_as_wtf8((const uint16_t *)from->FileName, units);
  char *name = entry->name;
  entry->inode = (uint64_t)from->FileId.QuadPart;
  entry->offset = 0;
  entry->type = type_of(from);
  entry->length = (uint16_t)((offsetof(struct rota_directory_entry, name) + length + 1 + 7) / 8 * 8);
  (void)uv_utf16_to_wtf8((const uint16_t *)from->FileName, units, &name, &length);
  return entry->length;
}

/* An entry of the library is at most 4/3 of the system's: 3 bytes for 2, with a smaller head. */
static ssize_t read_handle(HANDLE handle, void *buffer, size_t size) {
  _Alignas(8) char block[BLOCK];
  DWORD room = (DWORD)(size / 4 * 3 < BLOCK ? size / 4 * 3 : BLOCK);
  size_t used = 0;
  if (!GetFileInformationByHandleEx(handle, FileIdBothDirectoryInfo, block, room / 8 * 8)) {
    DWORD code = GetLastError();
    return code == ERROR_NO_MORE_FILES || code == ERROR_FILE_NOT_FOUND ? 0 : rota__os_last_error();
  }
  for (const char *at = block;;) {
    const FILE_ID_BOTH_DIR_INFO *entry = (const FILE_ID_BOTH_DIR_INFO *)(const void *)at;
    used += convert(entry, (char *)buffer + used);
    if (entry->NextEntryOffset == 0)
      return (ssize_t)used;
    at += entry->NextEntryOffset;
  }
}

ssize_t rota__os_directory_read(int fd, void *buffer, size_t size) {
  HANDLE handle;
  int err = rota__os_handle_of(fd, &handle);
  return err < 0 ? err : read_handle(handle, buffer, size);
}

/* ---- one entry after the other ---- */

struct stream {
  int fd;
  size_t at, end;
  _Alignas(8) char entries[BLOCK / 3 * 4];
};

int rota__os_stream_open(const char *path, void **result) {
  int fd = rota__os_directory_open(path);
  if (fd < 0)
    return fd;
  struct stream *stream = rota__malloc(sizeof(*stream));
  if (stream == NULL) {
    rota__os_close(fd);
    return UV_ENOMEM;
  }
  stream->fd = fd;
  stream->at = stream->end = 0;
  *result = stream;
  return 0;
}

int rota__os_stream_read(void *opaque, const char **name, uint8_t *type) {
  struct stream *stream = opaque;
  *name = NULL;
  *type = 0;
  if (stream->at == stream->end) {
    ssize_t n = rota__os_directory_read(stream->fd, stream->entries, sizeof(stream->entries));
    if (n <= 0)
      return (int)n;
    stream->at = 0;
    stream->end = (size_t)n;
  }
  const struct rota_directory_entry *entry =
      (const struct rota_directory_entry *)(const void *)(stream->entries + stream->at);
  stream->at += entry->length;
  *name = entry->name;
  *type = entry->type;
  return 0;
}

int rota__os_stream_close(void *opaque) {
  struct stream *stream = opaque;
  int err = rota__os_close(stream->fd);
  rota__free(stream);
  return err;
}
