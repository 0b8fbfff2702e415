#include "loop/os/windows/convert.h"

#include <fcntl.h>
#include <io.h>

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
