/* What the parts of the binding `fs` share. */
#ifndef ROTA_BINDING_FS_H
#define ROTA_BINDING_FS_H

#include "runtime/bind/binding.h"
#include "runtime/engine/engine_text.h"

/* Words of a stat, in this order, for JavaScript to read: two such rows, the second for the older one of a comparison.
 */
enum { ROTA_FS_STAT_WORDS = 18 };

struct rota_fs_binding {
  struct rota_env *env;
  double *stats;        /* two rows as numbers */
  int64_t *exact_stats; /* the same as 64 bit integers */
  JSObjectRef complete; /* complete(id, result, value): a request is done */
  JSObjectRef event;    /* event(id, status, events, name): a watcher has seen something */
  JSObjectRef files;    /* files(): some files were read, see nextFile */
};

extern _Thread_local struct rota_fs_binding rota_fs;

void rota_fs_fill_stat(const uv_stat_t *stat, int row);
JSValueRef rota_fs_name(JSContextRef context, const char *name, bool as_bytes);

/* Frees what is kept for this thread, which ends. */
void rota_fs_forget(void);
void rota_fs_read_file_forget(void);

/* Tables of further functions; each ends with an empty row. */
extern const struct rota_method rota_fs_read_file_methods[];
extern const struct rota_method rota_fs_write_file_methods[];
extern const struct rota_method rota_fs_watch_methods[];
extern const struct rota_method rota_fs_directory_methods[];

#endif
