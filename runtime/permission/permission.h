/* Permissions: what this program may do (--permission).
 *
 * Each operation asks here, in C, with exactly the bytes that it passes to the system, right before it does so: no
 * JavaScript runs between the check and the operation. A path is compared as text: made absolute, without `.` and `..`;
 * links are not followed, as in Node. A worker starts with the permissions that its maker has at that time, and can
 * only drop some. */
#ifndef JS_PERMISSION_H
#define JS_PERMISSION_H

#include "runtime/engine/engine.h"
#include "runtime/options/table.h"
#include "runtime/shared.h"

/* A scope that nothing allows. */
#define JS_SCOPE_NONE JS_SCOPE_COUNT

struct js_permission;

/* Of this thread; null: everything is allowed. */
extern _Thread_local struct js_permission *js_permission_here;

/* By the options of the process or of a thread; nothing happens if they do not ask for it, or if it is on already. The
 * script and what is required before it may be read. -> 0 or UV_ENOMEM */
int js_permission_begin(const struct js_option_words *words, const char *script);
/* A copy for a new thread; to be freed if the thread was not made. */
struct js_permission *js_permission_copy(void);
void js_permission_free(struct js_permission *permission);

/* The same, where nothing can be thrown; with --permission-audit the answer is that it is allowed. */
bool js_permission_lets(enum js_scope scope, const char *resource);
/* A file of authorities that are trusted: the system's, or one that the environment named when permissions began. */
bool js_permission_is_trusted(const char *path);

/* The slow half of js_refused. */
bool js_permission_refuse(JSContextRef context, enum js_scope scope, const char *resource, const char *text);

/* Whether the operation is refused: then an error was thrown, and the caller returns null. With --permission-audit
 * violations are only reported, and the operation is allowed. */
static inline bool js_refused(JSContextRef context, enum js_scope scope, const char *resource) {
  return js_permission_here != NULL && js_permission_refuse(context, scope, resource, NULL);
}
/* The same, with another text in the error. */
static inline bool js_refused_text(JSContextRef context, enum js_scope scope, const char *resource, const char *text) {
  return js_permission_here != NULL && js_permission_refuse(context, scope, resource, text);
}

/* Whether one of the links on the way of a path may not be read: then an error was thrown. */
bool js_permission_refuse_links(JSContextRef context, const char *path);
static inline bool js_refused_links(JSContextRef context, const char *path) {
  return js_permission_here != NULL && js_permission_refuse_links(context, path);
}

/* An absolute path, as text: without `.`, `..`, empty parts and a slash at its end. The caller frees it. */
char *js_path_absolute(const char *path);

#endif
