/* The JavaScript that comes with the program: embedded by runtime/tools/embed when building, compiled when first asked
 * for. Each file is wrapped as a function of (exports, require, module, process, internalBinding, primordials), those
 * of npm packages (internal/deps/) as one of (exports, require, module).
 *
 * With --loop=html the globals of timers are the browser's. The runtime's own modules need Node's: there each file is
 * wrapped once more, as a function of these. */
#include "runtime/order/builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/worker/worker.h"
#include "runtime/order/env.h"

/* The table is sorted by id. */
static const struct js_embedded *find(const char *id) {
  unsigned low = 0, high = js_embedded_count;
  while (low < high) {
    unsigned middle = low + (high - low) / 2;
    int order = strcmp(id, js_embedded[middle].id);
    if (order == 0)
      return &js_embedded[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

bool js_builtin_has(const char *id) {
  return find(id) != NULL;
}

const char *js_builtin_source(const char *id) {
  const struct js_embedded *file = find(id);
  return file != NULL ? file->source : NULL;
}

/* A function of Node's timers that gives the module's. */
static JSValueRef evaluate_for_html(JSContextRef context, const struct js_embedded *file, JSStringRef url,
                                    JSValueRef *error) {
  static const char head[] = "(function (setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, "
                             "clearImmediate) { return ",
                    tail[] = "\n})";
  size_t length = strlen(file->source);
  char *text = malloc(sizeof head + length + sizeof tail);
  if (text == NULL)
    return NULL;
  memcpy(text, head, sizeof head - 1);
  memcpy(text + sizeof head - 1, file->source, length);
  memcpy(text + sizeof head - 1 + length, tail, sizeof tail);
  JSStringRef string = JSStringCreateWithUTF8CString(text);
  JSValueRef function = JSEvaluateScript(context, string, NULL, url, 1, error);
  JSStringRelease(string);
  free(text);
  return function;
}

static JSValueRef evaluate(const struct js_env *env, const struct js_embedded *file, JSStringRef url,
                           JSValueRef *error) {
  if (env->html != NULL && strcmp(file->id, "internal/bootstrap") != 0)
    return evaluate_for_html(env->context, file, url, error);
  return js_builtin_evaluate(env->context, (unsigned)(file - js_embedded), url, error);
}

JSObjectRef js_builtin_compile(struct js_env *env, const char *id) {
  const struct js_embedded *file = find(id);
  if (file == NULL)
    return NULL;
  char name[256];
  snprintf(name, sizeof name, "node:%s", id);
  JSStringRef url = JSStringCreateWithUTF8CString(name);
  JSValueRef error = NULL;
  JSValueRef function = evaluate(env, file, url, &error);
  JSStringRelease(url);
  if (error != NULL) {
    js_worker_check(env);
    if (env->stopping)
      return NULL; /* a worker was ended here */
    char *message = js_to_text(env->context, error, NULL);
    fprintf(stderr, "%s:%d: %s\n", name,
            JSValueIsObject(env->context, error)
                ? (int)js_to_integer(env->context, js_get(env->context, (JSObjectRef)error, "line"))
                : 0,
            message != NULL ? message : "");
    free(message);
    return NULL;
  }
  return (JSObjectRef)function;
}

/* What programs may require, in the order of their names. Others are looked up one by one (js_builtin_has). */
JSValueRef js_builtin_ids(JSContextRef context) {
  JSObjectRef list = js_array(context, 0, NULL);
  unsigned length = 0;
  for (unsigned i = 0; i < js_embedded_count; i++)
    if (strncmp(js_embedded[i].id, "internal/", strlen("internal/")) != 0)
      JSObjectSetPropertyAtIndex(context, list, length++, js_string(context, js_embedded[i].id), NULL);
  return list;
}
