#include "runtime/permission/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uv.h>

#include "runtime/permission/permission.h"

/* The text of an absolute path with the parts `.` and `..` taken out, in place. */
static void tidy(char *path) {
  char *out = path;
  for (const char *in = path; *in != 0;) {
    while (*in == '/')
      in++;
    size_t length = strcspn(in, "/");
    if (length == 2 && in[0] == '.' && in[1] == '.') {
      while (out > path && *--out != '/')
        ;
    } else if (length > 0 && !(length == 1 && in[0] == '.')) {
      *out++ = '/';
      memmove(out, in, length);
      out += length;
    }
    in += length;
  }
  if (out == path)
    *out++ = '/';
  *out = 0;
}

char *js_path_absolute(const char *path) {
  char directory[4096] = "";
  size_t size = sizeof directory;
  if (path[0] != '/' && uv_cwd(directory, &size) != 0)
    return NULL;
  size_t room = strlen(directory) + strlen(path) + 3;
  char *text = malloc(room);
  if (text == NULL)
    return NULL;
  text[0] = 0;
  if (path[0] != '/')
    strcat(strcpy(text, directory), "/");
  strcat(text, path);
  tidy(text);
  return text;
}

static bool is_directory(const char *path) {
  struct stat stat_of;
  return stat(path, &stat_of) == 0 && S_ISDIR(stat_of.st_mode);
}

/* How a path is kept. */
static bool read_path(struct js_granted_path *to, const char *path) {
  to->text = js_path_absolute(path);
  if (to->text == NULL)
    return false;
  char *star = strchr(to->text, '*');
  if (star != NULL)
    *star = 0;
  to->length = strlen(to->text);
  to->begins = star != NULL;
  if (star == NULL && is_directory(to->text)) {
    to->begins = true;
    if (to->length >
        1) { /* there is room for a slash: nothing was longer than the path as it came, with a slash in front */
      char *longer = realloc(to->text, to->length + 2);
      if (longer == NULL) {
        free(to->text);
        return false;
      }
      to->text = longer;
      strcpy(to->text + to->length++, "/");
    }
  }
  return true;
}

int js_paths_add(struct js_paths *paths, const char *path) {
  struct js_granted_path *list = realloc(paths->list, (paths->count + 1) * sizeof *list);
  if (list == NULL)
    return UV_ENOMEM;
  paths->list = list;
  if (!read_path(&list[paths->count], path))
    return UV_ENOMEM;
  paths->count++;
  return 0;
}

int js_paths_copy(struct js_paths *to, const struct js_paths *from) {
  if (from->count == 0)
    return 0;
  to->list = calloc(from->count, sizeof *to->list);
  if (to->list == NULL)
    return UV_ENOMEM;
  for (; to->count < from->count; to->count++) {
    to->list[to->count] = from->list[to->count];
    to->list[to->count].text = strdup(from->list[to->count].text);
    if (to->list[to->count].text == NULL)
      return UV_ENOMEM;
  }
  return 0;
}

void js_paths_remove(struct js_paths *paths, const char *path) {
  struct js_granted_path gone;
  if (!read_path(&gone, path))
    return;
  size_t kept = 0;
  for (size_t i = 0; i < paths->count; i++) {
    if (paths->list[i].begins == gone.begins && strcmp(paths->list[i].text, gone.text) == 0)
      free(paths->list[i].text);
    else
      paths->list[kept++] = paths->list[i];
  }
  paths->count = kept;
  free(gone.text);
}

void js_paths_clear(struct js_paths *paths) {
  for (size_t i = 0; i < paths->count; i++)
    free(paths->list[i].text);
  free(paths->list);
  *paths = (struct js_paths){0};
}

/* `/a/` with all below it is the directory `/a`, too. */
static bool covers(const struct js_granted_path *granted, const char *path, size_t length) {
  if (!granted->begins)
    return length == granted->length && memcmp(path, granted->text, length) == 0;
  if (strncmp(path, granted->text, granted->length) == 0)
    return true;
  return granted->length == length + 1 && granted->text[length] == '/' && memcmp(path, granted->text, length) == 0;
}

bool js_paths_have(const struct js_paths *paths, const char *path) {
  char *text = *path != 0 ? js_path_absolute(path) : NULL;
  if (text == NULL)
    return false; /* what cannot be named is not allowed */
  size_t length = strlen(text);
  bool have = false;
  for (size_t i = 0; i < paths->count && !have; i++)
    have = covers(&paths->list[i], text, length);
  free(text);
  return have;
}

/* ---- links ---- */

/* Links on the way of a path that is resolved without an operation on the path itself, as module loaders do. Each link
 * must be one that the program may read: where it leads to is what is told. Other parts of the path are not asked for,
 * as in Node. */

enum { MOST_LINKS = 40 };

/* Where the link `path` leads to, then what came behind it. The caller frees it. */
static char *follow(const char *path, const char *rest) {
  uv_fs_t request;
  char *joined = NULL, *whole = NULL;
  if (uv_fs_readlink(NULL, &request, path, NULL) == 0) {
    const char *target = request.ptr;
    size_t directory = target[0] == '/' ? 0 : (size_t)(strrchr(path, '/') - path) + 1;
    joined = malloc(directory + strlen(target) + strlen(rest) + 1);
    if (joined != NULL) {
      memcpy(joined, path, directory);
      strcat(strcpy(joined + directory, target), rest);
      whole = js_path_absolute(joined);
    }
  }
  uv_fs_req_cleanup(&request);
  free(joined);
  return whole;
}

static bool is_link(const char *path) {
  uv_fs_t request;
  bool answer = uv_fs_lstat(NULL, &request, path, NULL) == 0 && (request.statbuf.st_mode & S_IFMT) == S_IFLNK;
  uv_fs_req_cleanup(&request);
  return answer;
}

/* The length of the shortest beginning of the path that is a link; 0: there is none. */
static size_t first_link(char *path) {
  for (size_t end = 1 + strcspn(path + 1, "/");; end += 1 + strcspn(path + end + 1, "/")) {
    char kept = path[end];
    path[end] = 0;
    bool found = is_link(path);
    path[end] = kept;
    if (found || kept == 0)
      return found ? end : 0;
  }
}

bool js_permission_refuse_links(JSContextRef context, const char *given) {
  char *path = js_path_absolute(given);
  bool refused = false;
  for (int i = 0; path != NULL && !refused && i < MOST_LINKS; i++) {
    size_t end = first_link(path);
    if (end == 0)
      break;
    char *rest = strdup(path + end);
    path[end] = 0;
    refused = js_permission_refuse(context, JS_SCOPE_READ, path, NULL);
    char *next = rest != NULL && !refused ? follow(path, rest) : NULL;
    free(rest);
    free(path);
    path = next;
  }
  free(path);
  return refused;
}
