/* Where a program is, as the system's shell would find it.
 *
 * A name with a folder is taken relative to the child's working directory. One without is looked for there, and then in
 * the folders of PATH. In each place the name itself is tried if it has an extension, then with .com and .exe. */
#include <string.h>
#include <wchar.h>

#include "loop/base/alloc.h"
#include "loop/proc/windows/spawn.h"

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
