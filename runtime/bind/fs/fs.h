/* What the parts of the binding `fs` share. */
#ifndef ROTA_BINDING_FS_H
#define ROTA_BINDING_FS_H

#include "runtime/bind/binding.h"
#include "runtime/engine/engine_text.h"

/* Words of a stat, in this order, for JavaScript to read: two such rows, the second for the older one of a comparison.
 */
enum { ROTA_FS_STAT_WORDS = 18 };

struct js_fs_binding {
  struct js_env *env;
  double *stats;        /* two rows as numbers */
  int64_t *exact_stats; /* the same as 64 bit integers */
  JSObjectRef complete; /* complete(id, result, value): a request is done */
  JSObjectRef event;    /* event(id, status, events, name): a watcher has seen something */
  JSObjectRef files;    /* files(): some files were read, see nextFile */
};

extern _Thread_local struct js_fs_binding js_fs;

void js_fs_fill_stat(const uv_stat_t *stat, int row);
JSValueRef js_fs_name(JSContextRef context, const char *name, bool as_bytes);

/* Frees what is kept for this thread, which ends. */
void js_fs_forget(void);
void js_fs_read_file_forget(void);

/* Tables of further functions; each ends with an empty row. */
extern const struct js_method js_fs_read_file_methods[];
extern const struct js_method js_fs_write_file_methods[];
extern const struct js_method js_fs_watch_methods[];
extern const struct js_method js_fs_directory_methods[];

#endif
