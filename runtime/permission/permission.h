/* Permissions: what this program may do (--permission).
 *
 * Each operation asks here, in C, with the very bytes that it hands to the system, at the place where it does so: no
 * JavaScript of ours or of the program's stands between the question and the deed. A path is compared as text: made
 * absolute, without `.` and `..`; links are not followed, as in Node. A worker has what its maker has at that time, and
 * may give up more, never get more. */
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
/* For a thread that is about to be made; free gives it back if it was not. */
struct js_permission *js_permission_copy(void);
void js_permission_free(struct js_permission *permission);

/* Without a resource, whether all of the scope is allowed. Nobody is told. */
bool js_permission_has(enum js_scope scope, const char *resource);

/* The same, where nothing can be thrown; what is only to be told of is let be. */
bool js_permission_lets(enum js_scope scope, const char *resource);
/* A file of authorities that are trusted: the system's, or one that the environment named when permissions began. */
bool js_permission_is_trusted(const char *path);

/* The slow half of js_refused. */
bool js_permission_refuse(JSContextRef context, enum js_scope scope, const char *resource, const char *text);

/* Whether something must not be done: then an error was thrown, and the caller returns null. When violations are only
 * to be told of (--permission-audit), it may be done. */
static inline bool js_refused(JSContextRef context, enum js_scope scope, const char *resource) {
  return js_permission_here != NULL && js_permission_refuse(context, scope, resource, NULL);
}
/* The same, with another text in the error. */
static inline bool js_refused_text(JSContextRef context, enum js_scope scope, const char *resource, const char *text) {
  return js_permission_here != NULL && js_permission_refuse(context, scope, resource, text);
}

/* An absolute path, as text: without `.`, `..`, empty parts and a slash at its end. The caller frees it. */
char *js_path_absolute(const char *path);

#endif
