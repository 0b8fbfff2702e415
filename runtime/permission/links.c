/* Links on the way of a path that is resolved without an operation on the path itself, as module loaders do. Each link
 * must be one that the program may read: where it leads to is what is told. Other parts of the path are not asked for,
 * as in Node. */
#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

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
