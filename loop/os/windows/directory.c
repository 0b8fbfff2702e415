/* Directories. Their entries come in blocks of many, which are turned into the library's form. */
#include "loop/os/file.h"

#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"

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
