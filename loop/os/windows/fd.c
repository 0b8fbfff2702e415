/* Descriptors of the C library. */
#include "loop/os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>

#include "loop/os/windows/convert.h"

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
