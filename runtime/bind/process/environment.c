/* The environment, as the program sees and changes it: `process.env`.
 *
 * It is the process's own, which the C library and other libraries read, too. Some of them take the names of files from
 * it whenever they need one: iconv (GCONV_PATH) and OpenSSL (OPENSSL_CONF) load code from there. So with --permission
 * the program changes a copy, unless it may load addons anyway; only variables that name no code reach the libraries.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/engine/engine.h"
#include "runtime/permission/permission.h"

/* All threads with this environment see one copy. */
static struct {
  pthread_mutex_t lock;
  bool is_made;
  uv_env_item_t *items; /* names and values are allocated */
  int count;
} copy = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What the loop and the runtime ask for themselves. */
static bool is_harmless(const char *name) {
  return strcmp(name, "HOME") == 0 || strcmp(name, "TZ") == 0 || strcmp(name, "UV_THREADPOOL_SIZE") == 0;
}

static bool is_kept_apart(void) {
  return js_permission_here != NULL && !js_permission_lets(JS_SCOPE_ADDON, NULL);
}

static int make_copy(void) {
  uv_env_item_t *items;
  int count;
  int err = copy.is_made ? UV_EALREADY : uv_os_environ(&items, &count);
  if (err != 0)
    return err == UV_EALREADY ? 0 : err;
  copy.items = calloc((size_t)count + 1, sizeof *copy.items);
  for (int i = 0; copy.items != NULL && i < count; i++) {
    uv_env_item_t *item = &copy.items[copy.count];
    *item = (uv_env_item_t){strdup(items[i].name), strdup(items[i].value)};
    if (item->name != NULL && item->value != NULL)
      copy.count++;
  }
  uv_os_free_environ(items, count);
  copy.is_made = copy.items != NULL;
  return copy.is_made ? 0 : UV_ENOMEM;
}

static uv_env_item_t *find(const char *name) {
  for (int i = 0; i < copy.count; i++)
    if (strcmp(copy.items[i].name, name) == 0)
      return &copy.items[i];
  return NULL;
}

static void remove_from_copy(const char *name) {
  uv_env_item_t *item = find(name);
  if (item == NULL)
    return;
  free(item->name);
  free(item->value);
  memmove(item, item + 1, (size_t)(copy.items + --copy.count - item) * sizeof *item);
}

/* Without a value the variable goes. */
static void change_copy(const char *name, const char *value) {
  if (make_copy() != 0)
    return;
  remove_from_copy(name);
  uv_env_item_t *more = value != NULL ? realloc(copy.items, ((size_t)copy.count + 1) * sizeof *more) : NULL;
  if (more == NULL)
    return;
  copy.items = more;
  more[copy.count] = (uv_env_item_t){strdup(name), strdup(value)};
  if (more[copy.count].name != NULL && more[copy.count].value != NULL)
    copy.count++;
}

static void change(const char *name, const char *value) {
  if (is_kept_apart()) {
    pthread_mutex_lock(&copy.lock);
    change_copy(name, value);
    pthread_mutex_unlock(&copy.lock);
    if (!is_harmless(name))
      return;
  }
  if (value != NULL)
    uv_os_setenv(name, value);
  else
    uv_os_unsetenv(name);
}

/* What the program sees. The lock is held until end_list, also after an error. */
static int list_all(uv_env_item_t **items, int *count) {
  pthread_mutex_lock(&copy.lock);
  int err = 0;
  if (!copy.is_made) {
    err = uv_os_environ(items, count);
  } else {
    *items = copy.items;
    *count = copy.count;
  }
  return err;
}

static void end_list(uv_env_item_t *items, int count) {
  if (items != copy.items)
    uv_os_free_environ(items, count);
  pthread_mutex_unlock(&copy.lock);
}

/* ---- methods of the binding `process` ---- */

static JSValueRef env_get(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  if (name == NULL)
    return js_undefined(context);
  pthread_mutex_lock(&copy.lock);
  const uv_env_item_t *item = copy.is_made ? find(name) : NULL;
  const char *value = copy.is_made ? (item != NULL ? item->value : NULL) : getenv(name);
  JSValueRef answer = value != NULL ? js_string(context, value) : js_undefined(context);
  pthread_mutex_unlock(&copy.lock);
  free(name);
  return answer;
}

static JSValueRef env_set(JSContextRef context, struct js_frame *frame) {
  char *name = js_to_text(context, js_arg(context, frame, 0), NULL);
  char *value = js_argc(frame) > 1 ? js_to_text(context, frame->arguments[1], NULL) : NULL;
  if (name != NULL && (value != NULL || js_argc(frame) < 2))
    change(name, value);
  if (name != NULL && strcmp(name, "TZ") == 0)
    js_time_zone_set(context, getenv(name));
  free(name);
  free(value);
  return js_undefined(context);
}

static JSValueRef env_names(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_env_item_t *items = NULL;
  int count = 0;
  JSObjectRef list = js_array(context, 0, NULL);
  if (list_all(&items, &count) == 0)
    for (int i = 0; i < count; i++)
      JSObjectSetPropertyAtIndex(context, list, (unsigned)i, js_string(context, items[i].name), NULL);
  end_list(items, count);
  return list;
}

/* envText() -> all of it as one text, a zero behind each name=value */
static JSValueRef env_text(JSContextRef context, struct js_frame *frame) {
  (void)frame;
  uv_env_item_t *items = NULL;
  int count = 0;
  if (list_all(&items, &count) != 0)
    count = 0;
  size_t length = 0;
  for (int i = 0; i < count; i++)
    length += strlen(items[i].name) + strlen(items[i].value) + 2;
  char *text = malloc(length + 1), *at = text;
  for (int i = 0; text != NULL && i < count; i++)
    at += sprintf(at, "%s=%s", items[i].name, items[i].value) + 1;
  end_list(items, count);
  JSValueRef value = text != NULL ? js_text(context, text, length) : js_string(context, "");
  free(text);
  return value;
}

const struct js_method js_environment_methods[] = {
    {"envGet", env_get, 1},   {"envSet", env_set, 2}, {"envNames", env_names, 0},
    {"envText", env_text, 0}, {NULL, NULL, 0},
};
