/* The JavaScript that comes with the program: embedded by tools/embed when building, compiled when first asked for.
 * Each file is wrapped as a function of (exports, require, module, process, internalBinding, primordials), those of npm
 * packages (internal/deps/) as one of (exports, require, module). */
#include "runtime/bind/worker/worker.h"
#include "runtime/order/env.h"

#include <stdio.h>
#include <string.h>

struct rota_embedded {
  const char *id;
  const char *source; /* the wrapped text, ASCII, ending with a zero */
};

extern const struct rota_embedded rota_embedded[];
extern const unsigned rota_embedded_count;

/* The table is sorted by id. */
static const struct rota_embedded *find(const char *id) {
  unsigned low = 0, high = rota_embedded_count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    int order = strcmp(id, rota_embedded[middle].id);
    if (order == 0)
      return &rota_embedded[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

bool rota_builtin_has(const char *id) {
  return find(id) != NULL;
}

JSObjectRef rota_builtin_compile(struct rota_env *env, const char *id) {
  const struct rota_embedded *file = find(id);
  if (file == NULL)
    return NULL;
  char name[256];
  snprintf(name, sizeof name, "node:%s", id);
  JSStringRef url = JSStringCreateWithUTF8CString(name);
  JSStringRef text = JSStringCreateWithUTF8CString(file->source);
  JSValueRef error = NULL;
  JSValueRef function = JSEvaluateScript(env->context, text, NULL, url, 1, &error);
  JSStringRelease(text);
  JSStringRelease(url);
  if (error != NULL) {
    rota_worker_poll(env);
    if (env->stopping)
      return NULL; /* a worker was ended here */
    char *message = rota_to_text(env->context, error, NULL);
    fprintf(stderr, "%s:%d: %s\n", name,
            (int)rota_to_integer(env->context, rota_get(env->context, (JSObjectRef)error, "line")), message);
    return NULL;
  }
  return (JSObjectRef)function;
}

/* Ours; the many files of packages are asked for one by one (rota_builtin_has). */
JSValueRef rota_builtin_ids(JSContextRef context) {
  JSObjectRef list = rota_array(context, 0, NULL);
  unsigned length = 0;
  for (unsigned i = 0; i < rota_embedded_count; i++)
    if (strncmp(rota_embedded[i].id, "internal/deps/", strlen("internal/deps/")) != 0)
      JSObjectSetPropertyAtIndex(context, list, length++, rota_string(context, rota_embedded[i].id), NULL);
  return list;
}
