/* The block of variables: sorted, each with its NUL, and an empty one at the end. A child without some of the system's
 * own variables does not start, or not as its author expects: they are added. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

static const WCHAR *const required[] = {
    L"HOMEDRIVE", L"HOMEPATH",   L"LOGONSERVER", L"PATH",        L"SYSTEMDRIVE", L"SYSTEMROOT",
    L"TEMP",      L"USERDOMAIN", L"USERNAME",    L"USERPROFILE", L"WINDIR",
};

enum { REQUIRED = sizeof(required) / sizeof(required[0]) };

static size_t name_length(const WCHAR *variable) {
  const WCHAR *equals = wcschr(variable + (*variable != 0), L'=');
  return equals == NULL ? wcslen(variable) : (size_t)(equals - variable);
}

/* By name, without regard to case, as the system compares them. */
static int by_name(const void *a, const void *b) {
  const WCHAR *const *first = a;
  const WCHAR *const *second = b;
  return CompareStringOrdinal(*first, (int)name_length(*first), *second, (int)name_length(*second), TRUE) - CSTR_EQUAL;
}

static bool has(WCHAR *const *variables, size_t count, const WCHAR *name) {
  for (size_t i = 0; i < count; i++)
    if (CompareStringOrdinal(variables[i], (int)name_length(variables[i]), name, -1, TRUE) == CSTR_EQUAL)
      return true;
  return false;
}

/* name=value of this process, or null if it is not set. UV_ENOMEM. */
static int own_variable(const WCHAR *name, WCHAR **variable) {
  size_t length = wcslen(name);
  DWORD room = GetEnvironmentVariableW(name, NULL, 0);
  *variable = NULL;
  if (room == 0)
    return 0;
  WCHAR *made = rota__malloc((length + 1 + room) * sizeof(WCHAR));
  if (made == NULL)
    return UV_ENOMEM;
  memcpy(made, name, length * sizeof(WCHAR));
  made[length] = L'=';
  made[length + 1] = 0;
  (void)GetEnvironmentVariableW(name, made + length + 1, room);
  *variable = made;
  return 0;
}

static int collect(char *const *env, WCHAR **variables, size_t *count) {
  for (; *env != NULL; env++) {
    if (strchr(*env, '=') == NULL)
      continue; /* not a variable */
    int err = rota__os_wide(*env, &variables[*count]);
    if (err < 0)
      return err;
    ++*count;
  }
  size_t given = *count;
  for (size_t i = 0; i < REQUIRED; i++) {
    if (has(variables, given, required[i]))
      continue;
    int err = own_variable(required[i], &variables[*count]);
    if (err < 0)
      return err;
    *count += variables[*count] != NULL;
  }
  return 0;
}

static WCHAR *join(WCHAR *const *variables, size_t count) {
  size_t units = 2;
  for (size_t i = 0; i < count; i++)
    units += wcslen(variables[i]) + 1;
  WCHAR *block = rota__calloc(units, sizeof(WCHAR));
  WCHAR *end = block;
  for (size_t i = 0; i < count && block != NULL; i++) {
    size_t size = wcslen(variables[i]) + 1;
    memcpy(end, variables[i], size * sizeof(WCHAR));
    end += size;
  }
  return block;
}

int rota__environment_make(char *const *env, WCHAR **block) {
  size_t room = REQUIRED, count = 0;
  *block = NULL;
  if (env == NULL)
    return 0;
  for (char *const *at = env; *at != NULL; at++)
    room++;
  WCHAR **variables = rota__calloc(room, sizeof(WCHAR *));
  if (variables == NULL)
    return UV_ENOMEM;
  int err = collect(env, variables, &count);
  if (err == 0) {
    qsort(variables, count, sizeof(WCHAR *), by_name);
    *block = join(variables, count);
    err = *block == NULL ? UV_ENOMEM : 0;
  }
  for (size_t i = 0; i < count; i++)
    rota__free(variables[i]);
  rota__free(variables);
  return err;
}

WCHAR *rota__environment_path(const WCHAR *block) {
  for (const WCHAR *at = block; at != NULL && *at != 0; at += wcslen(at) + 1) {
    if (CompareStringOrdinal(at, (int)name_length(at), L"PATH", -1, TRUE) != CSTR_EQUAL)
      continue;
    size_t size = (wcslen(at + 5) + 1) * sizeof(WCHAR);
    WCHAR *copy = rota__malloc(size);
    return copy == NULL ? NULL : memcpy(copy, at + 5, size);
  }
  WCHAR *variable;
  if (own_variable(L"PATH", &variable) < 0 || variable == NULL)
    return NULL;
  memmove(variable, variable + 5, (wcslen(variable + 5) + 1) * sizeof(WCHAR));
  return variable;
}
