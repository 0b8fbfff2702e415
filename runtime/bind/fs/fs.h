/* Functions that the files of the binding `fs` share. */
#ifndef JS_BINDING_FS_H
#define JS_BINDING_FS_H

#include "runtime/bind/binding.h"
#include "runtime/engine/value/text.h"

/* Words of a stat, in this order, for JavaScript to read: two such rows; the second is for the older one of a
 * comparison. */
enum { JS_FS_STAT_WORDS = 18 };

/* The message of a permission error that names no option. */
#define JS_FS_PLAIN_REFUSAL "Access to this API has been restricted"

struct js_fs_binding {
  struct js_env *env;
  double *stats;        /* two rows as numbers */
  int64_t *exact_stats; /* the same as 64 bit integers */
  JSObjectRef calls[JS_FS_CALL_COUNT];
};

extern _Thread_local struct js_fs_binding js_fs;

/* A request of the loop, and the number under which JavaScript keeps its callback. */
struct js_fs_request {
  uv_fs_t request;
  int id; /* -1: it ends before the function returns */
  bool as_bytes, as_text;
  size_t added;               /* the length of the prefix before the path */
  struct js_fs_request *next; /* while it is kept for the next request */
};

struct js_fs_request *js_fs_request_new(int id); /* null without memory */
void js_fs_request_free(struct js_fs_request *call);

/* Whether the permission to open a file with the system's flags is missing; then an error was thrown. */
bool js_fs_refuses_open(JSContextRef context, const char *path, int flags);
/* A path that a thread will open with these flags: copied, checked, resolved. Null: an error, or 0 if one was
 * thrown. */
char *js_fs_path_to_open(JSContextRef context, JSValueRef value, int flags, char *room, size_t size, int *err);
/* A relative path is made absolute if permissions are on: a thread then uses the path that was checked, even if the
 * program has changed its directory by then. The given path is freed if it is not in its room; null without memory. */
char *js_fs_settle(char *path, const char *room);

/* What JavaScript gets for a request that succeeded, if it is more than a number; else null. */
JSValueRef js_fs_value_of(JSContextRef context, uv_fs_t *request, bool as_bytes);
void js_fs_fill_stat(const uv_stat_t *stat, int row);
JSValueRef js_fs_name(JSContextRef context, const char *name, bool as_bytes);

/* A descriptor was opened; its close begins (fs_tracked.c). */
void js_fs_opened(int fd);
void js_fs_closes(int fd);
/* The descriptor belongs to a FileHandle of this thread. */
void js_fs_handle_opened(int fd);
/* Whatever the thread: at once, without an answer. */
void js_fs_close_now(int fd);
/* The thread ends: what it has left open is closed. */
void js_fs_close_tracked(void);

/* Frees the data of this thread, which ends. */
void js_fs_forget(void);
void js_fs_requests_forget(void);
void js_fs_read_file_forget(void);
void js_fs_directories_forget(void);

/* Tables of further functions; each ends with an empty row. */
extern const struct js_method js_fs_read_file_methods[];
extern const struct js_method js_fs_write_file_methods[];
extern const struct js_method js_fs_watch_methods[];
extern const struct js_method js_fs_directory_methods[];
extern const struct js_method js_fs_tracked_methods[];

#endif
