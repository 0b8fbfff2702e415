/* The environment, the directories and the title of this process, and its descriptors. */
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/base/text.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

/* ---- variables ----
 *
 * The system has them in UTF-16, in a block: each with its NUL, and an empty one at the end. */

static int fill(uv_env_item_t *items, const WCHAR *block, int *kept) {
  for (const WCHAR *at = block; *at != 0; at += wcslen(at) + 1) {
    char *name;
    int err = rota__os_narrow(at, -1, &name);
    if (err < 0)
      return err;
    /* Names of the working directories of drives begin with an equals sign: =C:=C:\folder. */
    char *equals = name[0] == '\0' ? NULL : strchr(name + 1, '=');
    if (equals == NULL) {
      rota__free(name);
      continue;
    }
    *equals = '\0';
    items[(*kept)++] = (uv_env_item_t){.name = name, .value = equals + 1};
  }
  return 0;
}

int uv_os_environ(uv_env_item_t **envitems, int *count) {
  *envitems = NULL;
  *count = 0;
  WCHAR *block = GetEnvironmentStringsW();
  if (block == NULL)
    return UV_ENOMEM;
  size_t variables = 0;
  for (const WCHAR *at = block; *at != 0; at += wcslen(at) + 1)
    variables++;
  uv_env_item_t *items = rota__calloc(variables + 1, sizeof(*items));
  int kept = 0;
  int err = items == NULL ? UV_ENOMEM : fill(items, block, &kept);
  FreeEnvironmentStringsW(block);
  if (err < 0) {
    if (items != NULL)
      uv_os_free_environ(items, kept);
    return err;
  }
  *envitems = items;
  *count = kept;
  return 0;
}

void uv_os_free_environ(uv_env_item_t *envitems, int count) {
  for (int i = 0; i < count; i++)
    rota__free(envitems[i].name); /* and its value, which is in the same block */
  rota__free(envitems);
}

/* The value may grow between the question for its size and the copy. An empty value has length 0, as has an error. */
static int value_of(const WCHAR *name, WCHAR **value) {
  DWORD room = ROTA_WIDE_SMALL;
  WCHAR *block = NULL;
  for (;;) {
    block = rota__realloc_or_free(block, room * sizeof(WCHAR));
    if (block == NULL)
      return UV_ENOMEM;
    SetLastError(ERROR_SUCCESS);
    DWORD length = GetEnvironmentVariableW(name, block, room);
    if (length == 0 && GetLastError() != ERROR_SUCCESS) {
      int err = rota__os_last_error();
      rota__free(block);
      return err;
    }
    if (length < room) {
      block[length] = 0;
      *value = block;
      return 0;
    }
    room = length + 1;
  }
}

int uv_os_getenv(const char *name, char *buffer, size_t *size) {
  WCHAR *wide_name, *value = NULL;
  if (name == NULL || buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int err = rota__os_wide(name, &wide_name);
  if (err < 0)
    return err;
  err = value_of(wide_name, &value);
  rota__free(wide_name);
  if (err < 0)
    return err;
  err = rota__os_narrow_give(value, -1, buffer, size);
  rota__free(value);
  return err;
}

static int set(const char *name, const char *value) {
  WCHAR *wide_name, *wide_value = NULL;
  int err = rota__os_wide(name, &wide_name);
  if (err < 0)
    return err;
  if (value != NULL)
    err = rota__os_wide(value, &wide_value);
  if (err == 0 && !SetEnvironmentVariableW(wide_name, wide_value))
    err = rota__os_last_error();
  rota__free(wide_value);
  rota__free(wide_name);
  return err;
}

int uv_os_setenv(const char *name, const char *value) {
  return name == NULL || value == NULL ? UV_EINVAL : set(name, value);
}

int uv_os_unsetenv(const char *name) {
  if (name == NULL)
    return UV_EINVAL;
  int err = set(name, NULL);
  return err == UV_ENOENT ? 0 : err; /* it was not there */
}

/* ---- directories ----
 *
 * Paths of the process: its working directory, its program, the directory for temporary files. */

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

/* ---- the title ----
 *
 * The title of the process: that of its console; without one, what was set last, or the program's path. */

enum { LONGEST = 8192 };

static struct {
  SRWLOCK lock;
  char *text; /* null: neither set nor asked for yet */
} title = {.lock = SRWLOCK_INIT};

/* The arguments are not in memory that others read. */
char **uv_setup_args(int argc, char **argv) {
  (void)argc;
  return argv;
}

int uv_set_process_title(const char *new_title) {
  WCHAR *wide;
  char *copy;
  int err = rota__os_wide(new_title, &wide);
  if (err < 0)
    return err;
  if (wcslen(wide) >= LONGEST)
    wide[LONGEST - 1] = 0;
  err = rota__os_narrow(wide, -1, &copy);
  if (err == 0 && !SetConsoleTitleW(wide) && GetConsoleWindow() != NULL) {
    err = rota__os_last_error();
    rota__free(copy);
  }
  rota__free(wide);
  if (err < 0)
    return err;
  AcquireSRWLockExclusive(&title.lock);
  rota__free(title.text);
  title.text = copy;
  ReleaseSRWLockExclusive(&title.lock);
  return 0;
}

static int ask_console(void) {
  WCHAR wide[LONGEST];
  wide[0] = 0;
  DWORD length = GetConsoleTitleW(wide, LONGEST);
  if (length == 0) /* there is no console: the program's file says what it is */
    length = GetModuleFileNameW(NULL, wide, LONGEST);
  return rota__os_narrow(wide, (ssize_t)length, &title.text);
}

int uv_get_process_title(char *buffer, size_t size) {
  if (buffer == NULL || size == 0)
    return UV_EINVAL;
  AcquireSRWLockExclusive(&title.lock);
  int err = title.text == NULL ? ask_console() : 0;
  if (err == 0)
    err = rota__text_give(title.text, strlen(title.text), buffer, &size);
  ReleaseSRWLockExclusive(&title.lock);
  return err;
}

/* ---- descriptors ----
 *
 * Descriptors of the C library and handles of the system, and the name that an interface has in an address. */

uv_os_fd_t uv_get_osfhandle(int fd) {
  return (HANDLE)_get_osfhandle(fd);
}

int uv_open_osfhandle(uv_os_fd_t os_fd) {
  return _open_osfhandle((intptr_t)os_fd, 0);
}

/* Windows numbers interfaces in addresses: fe80::1%5. */
int uv_if_indextoiid(unsigned int ifindex, char *buffer, size_t *size) {
  char number[16];
  if (buffer == NULL || size == NULL || *size == 0)
    return UV_EINVAL;
  int length = snprintf(number, sizeof(number), "%u", ifindex);
  return rota__text_give(number, (size_t)length, buffer, size);
}
