/* Paths of the process: its working directory, its program, the directory for temporary files. */
#include <stdbool.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* A backslash at the end goes, but for that of a drive: C:\. */
static size_t without_slash(const WCHAR *path, size_t length) {
  bool is_drive = length == 3 && path[1] == L':';
  return length > 1 && !is_drive && (path[length - 1] == L'\\' || path[length - 1] == L'/') ? length - 1 : length;
}

/* Asks with blocks of growing size. `ask` returns the length, or the room that it needs, or 0 and an error. */
static int ask_all(DWORD (*ask)(WCHAR *buffer, DWORD room), WCHAR **path, size_t *length) {
  DWORD room = ROTA_WIDE_SMALL;
  WCHAR *block = NULL;
  for (;;) {
    block = rota__realloc_or_free(block, room * sizeof(WCHAR));
    if (block == NULL)
      return UV_ENOMEM;
    DWORD found = ask(block, room);
    if (found == 0) {
      int err = rota__os_last_error();
      rota__free(block);
      return err;
    }
    if (found < room) {
      *path = block;
      *length = found;
      return 0;
    }
    room = found > room ? found : room * 2;
  }
}

static int give(DWORD (*ask)(WCHAR *buffer, DWORD room), char *buffer, size_t *size) {
  WCHAR *path = NULL;
  size_t length = 0;
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = ask_all(ask, &path, &length);
  if (err < 0)
    return err;
  err = rota__os_narrow_give(path, (ssize_t)without_slash(path, length), buffer, size);
  rota__free(path);
  return err;
}

static DWORD ask_working_directory(WCHAR *buffer, DWORD room) {
  return GetCurrentDirectoryW(room, buffer);
}

static DWORD ask_program(WCHAR *buffer, DWORD room) {
  return GetModuleFileNameW(NULL, buffer, room); /* returns `room` if it was cut off */
}

int uv_cwd(char *buffer, size_t *size) {
  return give(ask_working_directory, buffer, size);
}

/* The C library keeps the working directory of each drive in a variable (=C:), and relative paths of other drives begin
 * there. */
static void remember_drive(void) {
  WCHAR name[4] = {L'=', 0, L':', 0};
  WCHAR *path = NULL;
  size_t length = 0;
  if (ask_all(ask_working_directory, &path, &length) < 0)
    return;
  WCHAR drive = path[0] >= L'a' && path[0] <= L'z' ? (WCHAR)(path[0] - L'a' + L'A') : path[0];
  if (drive >= L'A' && drive <= L'Z' && path[1] == L':') {
    name[1] = drive;
    SetEnvironmentVariableW(name, path);
  }
  rota__free(path);
}

int uv_chdir(const char *dir) {
  WCHAR *wide;
  if (dir == NULL)
    return UV_EINVAL;
  int err = rota__os_wide(dir, &wide);
  if (err < 0)
    return err;
  if (!SetCurrentDirectoryW(wide))
    err = rota__os_last_error();
  rota__free(wide);
  if (err == 0)
    remember_drive();
  return err;
}

/* Unlike the others, a path that does not fit is cut off, and that is a success. */
int uv_exepath(char *buffer, size_t *size) {
  WCHAR *path = NULL;
  size_t length = 0;
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = ask_all(ask_program, &path, &length);
  if (err < 0)
    return err;
  size_t room = *size - 1;
  err = uv_utf16_to_wtf8((const uint16_t *)path, (ssize_t)length, &buffer, &room);
  rota__free(path);
  if (err == UV_ENOBUFS)
    room = *size - 1;
  *size = room;
  return err == UV_ENOBUFS ? 0 : err;
}

/* As GetTempPath, which refuses long values: TMP, TEMP and USERPROFILE, in this order, else the system's folder. */
static DWORD ask_temporary(WCHAR *buffer, DWORD room) {
  static const WCHAR *const names[] = {L"TMP", L"TEMP", L"USERPROFILE"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    SetLastError(ERROR_SUCCESS);
    DWORD found = GetEnvironmentVariableW(names[i], buffer, room);
    if (found > 0)
      return found;
    if (GetLastError() == ERROR_SUCCESS) { /* it is set, and no path */
      SetLastError(ERROR_FILE_NOT_FOUND);
      return 0;
    }
  }
  return GetWindowsDirectoryW(buffer, room);
}

int uv_os_tmpdir(char *buffer, size_t *size) {
  return give(ask_temporary, buffer, size);
}
