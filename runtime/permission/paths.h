/* Paths that were given to a program: each stands for itself, or for all that begins with it.
 *
 * `/a*` is all that begins with `/a`; `/a/` followed by a star, and a directory that exists when it is given, are `/a`
 * and all below it. What comes behind a star is ignored. */
#ifndef JS_PERMISSION_PATHS_H
#define JS_PERMISSION_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct js_granted_path {
  char *text; /* absolute, without the star */
  size_t length;
  bool begins; /* all that begins with it is meant */
};

struct js_paths {
  struct js_granted_path *list;
  size_t count;
};

/* 0 or UV_ENOMEM */
int js_paths_add(struct js_paths *paths, const char *path);
int js_paths_copy(struct js_paths *to, const struct js_paths *from);
/* What was added as this path; nothing else. */
void js_paths_remove(struct js_paths *paths, const char *path);
void js_paths_clear(struct js_paths *paths);
bool js_paths_have(const struct js_paths *paths, const char *path);

#endif
