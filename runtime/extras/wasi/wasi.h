/* The binding `wasi`: the system calls for WASI's functions (runtime/extras/wasi/lib/wasi). All return a value >= 0 or
 * a negative error.
 *
 * A path is looked up beneath a directory that the guest was given, and never leaves it: name by name, each opened
 * relative to the one before without following links, which are expanded here; `..` goes back to the previous
 * directory, and not above the first. As each step holds a descriptor, a concurrent change of the tree cannot redirect
 * the path. */
#ifndef JS_BINDING_WASI_H
#define JS_BINDING_WASI_H

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

/* The error of a path that would leave its directory; WASI has a number for it, systems have none. */
enum { JS_WASI_OUTSIDE = -10000 };

/* Where a path ends: a directory, and a name in it ("." if the path is the directory). */
struct js_wasi_place {
  int directory; /* to be closed */
  char name[256];
  bool must_be_directory; /* the path ended with a slash */
};
/* 0 or a negative error. With `follow` the name is not that of a link when this returns. */
int js_wasi_find(int root, const char *path, bool follow, struct js_wasi_place *place);

/* Permissions: runtime/extras/wasi/wasi_permission.c. Whether the path beneath a directory may be used in this way. */
enum { JS_WASI_READS = 1, JS_WASI_WRITES = 2 };
bool js_wasi_lets(int root, const char *path, unsigned wants);
/* A directory was opened: by a path of the program, or beneath another one. False: no memory. */
bool js_wasi_keep_root(int fd, const char *path);
bool js_wasi_keep(int fd, int root, const char *path);
/* It is about to be closed. */
void js_wasi_forget(int fd);

extern const struct js_method js_wasi_path_methods[];

#endif
