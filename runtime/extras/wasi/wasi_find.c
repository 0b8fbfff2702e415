#include "runtime/extras/wasi/wasi.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40, MOST_DEPTH = 256 };

struct walk {
  int stack[MOST_DEPTH]; /* the opened directories; the first one belongs to the caller */
  int depth, links;
  char rest[2 * PATH_MAX]; /* the rest of the path */
};

static void leave(struct walk *walk) {
  while (walk->depth > 0)
    close(walk->stack[walk->depth--]);
}

/* Takes the next name off the path, with the slashes after it; *is_last if nothing else follows. */
static void take_name(struct walk *walk, char *name, size_t *length, bool *is_last, bool *had_slash) {
  *length = strcspn(walk->rest, "/");
  size_t slashes = strspn(walk->rest + *length, "/");
  memcpy(name, walk->rest, *length < NAME_MAX ? *length : NAME_MAX);
  name[*length < NAME_MAX ? *length : NAME_MAX] = 0;
  *had_slash = slashes > 0;
  memmove(walk->rest, walk->rest + *length + slashes, strlen(walk->rest + *length + slashes) + 1);
  *is_last = walk->rest[0] == 0;
}

/* Puts the link's text in front of the rest. */
static int expand(struct walk *walk, const char *name, bool had_slash) {
  char target[PATH_MAX], joined[2 * PATH_MAX];
  ssize_t length = readlinkat(walk->stack[walk->depth], name, target, sizeof target - 1);
  if (length < 0)
    return -errno;
  target[length] = 0;
  if (++walk->links > MOST_LINKS)
    return -ELOOP;
  if (target[0] == '/')
    return JS_WASI_OUTSIDE;
  size_t rest = strlen(walk->rest);
  if ((size_t)length + 1 + rest + 1 > sizeof joined)
    return -ENAMETOOLONG;
  memcpy(joined, target, (size_t)length);
  size_t at = (size_t)length;
  if (had_slash || rest > 0)
    joined[at++] = '/';
  memcpy(joined + at, walk->rest, rest + 1);
  memcpy(walk->rest, joined, at + rest + 1);
  return 0;
}

static int push(struct walk *walk, int fd) {
  if (walk->depth + 1 >= MOST_DEPTH) {
    close(fd);
    return -ENAMETOOLONG;
  }
  walk->stack[++walk->depth] = fd;
  return 0;
}

static int finish(struct walk *walk, const char *name, bool had_slash, struct js_wasi_place *place) {
  place->directory = dup(walk->stack[walk->depth]);
  place->must_be_directory = had_slash;
  memcpy(place->name, name, strlen(name) + 1);
  return place->directory < 0 ? -errno : 0;
}

/* One name of the path. 1: continue, 0: the place is found, else an error. */
static int go(struct walk *walk, bool follow, struct js_wasi_place *place) {
  char name[NAME_MAX + 1];
  size_t length;
  bool is_last, had_slash;
  take_name(walk, name, &length, &is_last, &had_slash);
  if (length > NAME_MAX)
    return -ENAMETOOLONG;
  if (length == 0 || strcmp(name, ".") == 0)
    return is_last ? finish(walk, ".", false, place) : 1;
  if (strcmp(name, "..") == 0) {
    if (walk->depth == 0)
      return JS_WASI_OUTSIDE;
    close(walk->stack[walk->depth--]);
    return is_last ? finish(walk, ".", false, place) : 1;
  }
  if (is_last && !follow && !had_slash)
    return finish(walk, name, had_slash, place);
  int fd = openat(walk->stack[walk->depth], name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0) {
    if (!is_last)
      return push(walk, fd) < 0 ? -ENAMETOOLONG : 1;
    close(fd);
    return finish(walk, name, had_slash, place);
  }
  if (errno != ENOTDIR && errno != ELOOP)
    return is_last && errno == ENOENT ? finish(walk, name, had_slash, place) : -errno;
  /* Not a directory: a link, or something that can only be the last name. */
  int error = expand(walk, name, had_slash);
  if (error == 0)
    return 1;
  if (error != -EINVAL)
    return error;
  return is_last ? finish(walk, name, had_slash, place) : -ENOTDIR;
}

int js_wasi_find(int root, const char *path, bool follow, struct js_wasi_place *place) {
  struct walk *walk = malloc(sizeof *walk);
  if (walk == NULL)
    return -ENOMEM;
  walk->stack[0] = root;
  walk->depth = walk->links = 0;
  int result = 1;
  if (path[0] == '/')
    result = JS_WASI_OUTSIDE;
  else if (path[0] == 0)
    result = -EINVAL;
  else if (strlen(path) >= PATH_MAX)
    result = -ENAMETOOLONG;
  else
    memcpy(walk->rest, path, strlen(path) + 1);
  while (result > 0)
    result = go(walk, follow, place);
  leave(walk);
  free(walk);
  return result;
}
