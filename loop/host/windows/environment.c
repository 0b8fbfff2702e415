/* Environment variables. The system has them in UTF-16, in a block: each with its NUL, and an empty one at the end. */
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "uv.h"

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
