/* The search along PATH, done before there is a child: a child may not allocate.
 *
 * It uses the PATH that the child will have. */
#include "loop/proc/path.h"

#include <stdbool.h>
#include <string.h>

#include "loop/base/alloc.h"

/* What a shell uses if PATH is not set. */
static const char default_path[] = "/bin:/usr/bin";

static const char *path_of(char *const *env) {
  for (; *env != NULL; env++)
    if (strncmp(*env, "PATH=", 5) == 0)
      return *env + 5;
  return default_path;
}

char **rota__path_candidates(const char *file, char *const *env) {
  size_t file_size = strlen(file) + 1;
  bool search = *file != '\0' && strchr(file, '/') == NULL;
  const char *path = search ? path_of(env) : "";
  size_t count = 1;
  char **candidates, **next;
  char *text;
  for (const char *p = path; *p != '\0'; p++)
    count += *p == ':';
  candidates = rota__malloc((count + 1) * sizeof(*candidates) + strlen(path) + count * (file_size + 1));
  if (candidates == NULL)
    return NULL;
  next = candidates;
  text = (char *)(candidates + count + 1);
  do {
    size_t length = strcspn(path, ":");
    *next++ = text;
    /* An empty entry means the working directory: the file's name alone is tried. */
    if (length > 0) {
      memcpy(text, path, length);
      text += length;
      *text++ = '/';
    }
    memcpy(text, file, file_size);
    text += file_size;
    path += length;
  } while (*path++ == ':');
  *next = NULL;
  return candidates;
}
