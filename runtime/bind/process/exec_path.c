/* process.execPath.
 *
 * It is the path of the program itself, as in Node, with one exception: a command that is a link named `node` to this
 * program. Some programs ask by that name whether they run on Node (pm2 does before it makes a cluster), and start
 * their children by the same path. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/bind/binding.h"

static bool is_same_file(const char *path, const struct stat *own) {
  struct stat other;
  return stat(path, &other) == 0 && other.st_ino == own->st_ino && other.st_dev == own->st_dev;
}

/* The directory is resolved, the link in it is not. */
static bool use_link(const char *directory, const struct stat *own, char *path, size_t size) {
  char found[PATH_MAX], link[PATH_MAX + sizeof "/node"];
  if (realpath(directory[0] != 0 ? directory : "/", found) == NULL)
    return false;
  snprintf(link, sizeof link, "%s/node", strcmp(found, "/") == 0 ? "" : found);
  if (!is_same_file(link, own) || strlen(link) >= size)
    return false;
  memcpy(path, link, strlen(link) + 1);
  return true;
}

void js_exec_path(const char *command, char *path, size_t size) {
  size_t length = size;
  struct stat own;
  char directory[PATH_MAX];
  if (uv_exepath(path, &length) != 0)
    snprintf(path, size, "%s", command);
  const char *slash = strrchr(command, '/');
  if (strcmp(slash != NULL ? slash + 1 : command, "node") != 0 || stat(path, &own) != 0)
    return;
  if (slash != NULL) {
    snprintf(directory, sizeof directory, "%.*s", (int)(slash - command), command);
    use_link(directory, &own, path, size);
    return;
  }
  const char *at = getenv("PATH");
  while (at != NULL) {
    size_t part = strcspn(at, ":");
    snprintf(directory, sizeof directory, "%.*s", (int)part, at);
    if (use_link(directory, &own, path, size))
      return;
    at = at[part] == ':' ? at + part + 1 : NULL;
  }
}
