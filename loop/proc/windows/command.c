/* What is executed: where the program is, its command line and its environment. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/os/windows/convert.h"
#include "loop/proc/windows/spawn.h"

/* ---- where a program may be ----
 *
 * Where a program is, as the system's shell would find it.
 *
 * A name with a folder is taken relative to the child's working directory. One without is looked for there, and then in
 * the folders of PATH. In each place the name itself is tried if it has an extension, then with .com and .exe. */

static bool is_slash(WCHAR unit) {
  return unit == L'\\' || unit == L'/';
}

static bool is_absolute(const WCHAR *path, size_t length) {
  return (length >= 2 && is_slash(path[0]) && is_slash(path[1])) ||
         (length >= 3 && path[1] == L':' && is_slash(path[2]));
}

static bool is_file(const WCHAR *path) {
  DWORD attributes = GetFileAttributesW(path);
  return attributes != INVALID_FILE_ATTRIBUTES &&
         !(attributes & FILE_ATTRIBUTE_DIRECTORY); /* a link to a file counts, also a broken one */
}

/* Appends with a slash between, if there is none. */
static WCHAR *append(WCHAR *start, WCHAR *end, const WCHAR *text, size_t length) {
  if (end > start && length > 0 && !is_slash(end[-1]) && end[-1] != L':')
    *end++ = L'\\';
  memcpy(end, text, length * sizeof(WCHAR));
  end[length] = 0;
  return end + length;
}

/* cwd \ folder \ name . extension; a folder that is absolute stands for itself. A new block, null if there is no such
 * file. */
static WCHAR *try_one(const WCHAR *cwd, const WCHAR *folder, size_t folder_length, const WCHAR *name,
                      const WCHAR *extension) {
  size_t cwd_length = wcslen(cwd), name_length = wcslen(name);
  WCHAR *path = rota__malloc((cwd_length + folder_length + name_length + 16) * sizeof(WCHAR));
  if (path == NULL)
    return NULL;
  WCHAR *end = path;
  if (folder_length > 2 && is_slash(folder[0]) && !is_slash(folder[1]) && cwd_length > 2 && cwd[1] == L':')
    end = append(path, end, cwd, 2); /* the root of the same drive */
  else if (!is_absolute(folder, folder_length) && !(folder_length >= 2 && folder[1] == L':'))
    end = append(path, end, cwd, cwd_length);
  end = append(path, end, folder, folder_length);
  end = append(path, end, name, name_length);
  wcscpy(end, extension);
  if (is_file(path))
    return path;
  rota__free(path);
  return NULL;
}

static WCHAR *try_folder(const WCHAR *cwd, const WCHAR *folder, size_t length, const WCHAR *name, bool as_it_is) {
  WCHAR *found = as_it_is ? try_one(cwd, folder, length, name, L"") : NULL;
  if (found == NULL)
    found = try_one(cwd, folder, length, name, L".com");
  if (found == NULL)
    found = try_one(cwd, folder, length, name, L".exe");
  return found;
}

/* An entry of PATH may be quoted, and a semicolon in quotes is part of it. */
static WCHAR *try_path(const WCHAR *cwd, const WCHAR *path, const WCHAR *name, bool as_it_is) {
  WCHAR *found = NULL;
  while (*path != 0 && found == NULL) {
    bool is_quoted = *path == L'"' || *path == L'\'';
    const WCHAR *start = path + is_quoted;
    const WCHAR *end = is_quoted ? wcschr(start, *path) : NULL;
    const WCHAR *next = wcschr(end == NULL ? path : end, L';');
    if (next == NULL)
      next = path + wcslen(path);
    if (end == NULL)
      end = next;
    if (end > start)
      found = try_folder(cwd, start, (size_t)(end - start), name, as_it_is);
    path = *next == 0 ? next : next + 1;
  }
  return found;
}

WCHAR *rota__program_search(const WCHAR *file, const WCHAR *cwd, const WCHAR *path, bool exact_name) {
  const WCHAR *name = file + wcslen(file);
  while (name > file && !is_slash(name[-1]) && name[-1] != L':')
    name--;
  if (*name == 0 || wcscmp(name, L".") == 0 || wcscmp(name, L"..") == 0)
    return NULL;
  const WCHAR *dot = wcsrchr(name, L'.');
  bool has_extension = dot != NULL && dot[1] != 0;
  if (name != file)
    return try_folder(cwd, file, (size_t)(name - file), name, has_extension || exact_name);
  WCHAR *found = NULL;
  if (NeedCurrentDirectoryForExePathW(name))
    found = try_folder(cwd, L"", 0, name, has_extension);
  if (found == NULL && path != NULL)
    found = try_path(cwd, path, name, has_extension);
  return found;
}

/* ---- the command line ----
 *
 * A program of Windows gets one text, and its C library takes it apart:
 *   an argument with blanks is put in quotes; a quote in it gets a backslash;
 *   backslashes are as they are, unless a quote follows: then each of them is doubled. */

WCHAR *rota__command_line_quote(const WCHAR *argument, WCHAR *target) {
  size_t length = wcslen(argument);
  if (length > 0 && wcspbrk(argument, L" \t\"") == NULL) {
    memcpy(target, argument, (length + 1) * sizeof(WCHAR));
    return target + length;
  }
  size_t backslashes = 0;
  *target++ = L'"';
  for (const WCHAR *at = argument; *at != 0; at++) {
    if (*at == L'"') /* those before it, once more, and its own */
      for (size_t i = 0; i <= backslashes; i++)
        *target++ = L'\\';
    backslashes = *at == L'\\' ? backslashes + 1 : 0;
    *target++ = *at;
  }
  while (backslashes-- > 0) /* before the closing quote */
    *target++ = L'\\';
  *target++ = L'"';
  *target = 0;
  return target;
}

/* Room for every argument quoted, each with a blank. UV_EINVAL: not WTF-8. */
static ssize_t room_for(char *const *args, ssize_t *longest) {
  ssize_t room = 1;
  *longest = 1;
  for (; *args != NULL; args++) {
    ssize_t length = uv_wtf8_length_as_utf16(*args);
    if (length < 0)
      return length;
    room += 2 * length + 3;
    if (length > *longest)
      *longest = length;
  }
  return room;
}

int rota__command_line_make(char *const *args, bool verbatim, WCHAR **line) {
  ssize_t longest;
  ssize_t room = room_for(args, &longest);
  if (room < 0)
    return (int)room;
  WCHAR *argument = rota__malloc((size_t)longest * sizeof(WCHAR));
  *line = rota__malloc((size_t)room * sizeof(WCHAR));
  if (argument == NULL || *line == NULL) {
    rota__free(argument);
    rota__free(*line);
    return UV_ENOMEM;
  }
  WCHAR *end = *line;
  *end = 0;
  for (int i = 0; args[i] != NULL; i++) {
    if (i > 0)
      *end++ = L' ';
    uv_wtf8_to_utf16(args[i], (uint16_t *)argument, (size_t)longest);
    if (verbatim) {
      wcscpy(end, argument);
      end += wcslen(end);
    } else {
      end = rota__command_line_quote(argument, end);
    }
  }
  rota__free(argument);
  return 0;
}

/* ---- the environment ----
 *
 * The block of variables: sorted, each with its NUL, and an empty one at the end. A child without some of the system's
 * own variables does not start, or not as its author expects: they are added. */

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
