/* Loading: the binding `addons`. A shared object has one of two entry points: a function with a well-known name or, in
 * old addons, a registration when it is loaded, which happens once in a process. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/bind/binding.h"
#include "runtime/napi/napi.h"
#include "runtime/order/version.h"
#include "runtime/permission/permission.h"

enum { VERSION_DEFAULT = 8, VERSION_LAST = 10, MESSAGE_MAX = 1024 };

static _Thread_local napi_module *registered; /* by the object that is being loaded */

/* Modules that registered themselves, for the next time they are loaded. */
struct known {
  struct known *next;
  void *library;
  napi_module *module;
};
static struct known *known;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

void napi_module_register(napi_module *module) {
  registered = module;
}

static napi_module *remember(void *library, napi_module *module) {
  pthread_mutex_lock(&known_lock);
  struct known *entry = known;
  while (entry != NULL && entry->library != library)
    entry = entry->next;
  if (entry == NULL && module != NULL && (entry = malloc(sizeof *entry)) != NULL) {
    *entry = (struct known){known, library, module};
    known = entry;
  }
  module = entry != NULL ? entry->module : NULL;
  pthread_mutex_unlock(&known_lock);
  return module;
}

/* An addon finds its own symbols before those of the program: the engine has loaded GLib, ICU and more, and two
 * versions of one library must not mix. A sanitizer needs the opposite. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { OWN_FIRST = 0 };
#else
enum { OWN_FIRST = RTLD_DEEPBIND };
#endif

/* If symbols were bound lazily, an addon for V8 would load, and end the process at its first call. So all symbols are
 * bound now. Only if the missing symbols are not V8's is the addon loaded lazily. */
static void *open_library(const char *path, int flags) {
  flags |= OWN_FIRST;
  void *library = dlopen(path, (flags & ~RTLD_LAZY) | RTLD_NOW);
  if (library != NULL || (flags & RTLD_LAZY) == 0)
    return library;
  const char *reason = dlerror();
  char *kept = strdup(reason != NULL ? reason : "");
  bool lazily = kept != NULL && strstr(kept, "undefined symbol: ") != NULL && strstr(kept, "symbol: _ZN") == NULL &&
                strstr(kept, "symbol: node_module_register") == NULL;
  free(kept);
  registered = NULL;
  return dlopen(path, lazily ? flags : (flags & ~RTLD_LAZY) | RTLD_NOW);
}

/* The loader names a symbol of V8 or of Node's C++ interface: not the addon is damaged, it is of another kind. */
static bool is_for_v8(const char *reason) {
  static const char *const signs[] = {"symbol: _ZN2v8",   "symbol: _ZNK2v8",           "symbol: _ZTIN2v8",
                                      "symbol: _ZN4node", "symbol: _ZN12v8_inspector", "symbol: node_module_register"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strstr(reason, signs[i]) != NULL)
      return true;
  return false;
}

static void explain(char *failure, size_t size, const char *reason) {
  snprintf(failure, size, "%s%s", reason,
           is_for_v8(reason)
               ? "\nThis addon was built for V8 (node.h or nan). rota has another engine and loads addons "
                 "for Node-API only.\nLook for a version or another package that uses Node-API, or for one "
                 "in JavaScript or WebAssembly (for better-sqlite3: node:sqlite)."
               : "");
}

static napi_env make_env(struct js_napi *thread, const char *url, int32_t version) {
  napi_env env = calloc(1, sizeof *env);
  if (env == NULL)
    js_napi_fatal("env", "out of memory");
  env->thread = thread;
  env->context = thread->context;
  env->version = version;
  env->file = strdup(url);
  env->queued_end = &env->queued;
  env->next = thread->envs;
  thread->envs = env;
  js_napi_hook_add(thread, js_napi_env_end, env);
  return env;
}

struct beginning {
  napi_addon_register_func function;
  int32_t version;
};

static struct beginning find_beginning(void *library) {
  struct beginning beginning = {NULL, VERSION_DEFAULT};
  napi_module *module = remember(library, registered);
  registered = NULL;
  void *function = dlsym(library, "napi_register_module_v1");
  void *version = dlsym(library, "node_api_module_get_api_version_v1");
  if (function != NULL)
    memcpy(&beginning.function, &function, sizeof function);
  else if (module != NULL)
    beginning.function = module->nm_register_func;
  if (version != NULL) {
    node_api_addon_get_api_version_func ask;
    memcpy(&ask, &version, sizeof version);
    beginning.version = ask();
  }
  return beginning;
}

static JSValueRef begin(JSContextRef context, struct js_napi *thread, struct beginning beginning, const char *url,
                        JSValueRef exports) {
  napi_env env = make_env(thread, url, beginning.version);
  size_t used = thread->used;
  napi_value result = beginning.function(env, (napi_value)(uintptr_t)exports);
  thread->used = used;
  JSValueRef error = env->exception;
  env->exception = NULL;
  if (error != NULL)
    return js_throw(context, error);
  return result != NULL ? js_napi_value(result) : js_undefined(context);
}

/* open(path, url, exports, flags, helpers, outcome) -> the result of the addon's entry point; exceptions are passed on.
 * If an addon cannot be loaded, the reason is in outcome.failure. */
static JSValueRef open_addon(JSContextRef context, struct js_frame *frame) {
  struct js_env *runtime = js_env_here;
  if (js_refused(context, JS_SCOPE_ADDON, NULL))
    return NULL;
  struct js_napi *thread = js_napi_here(runtime);
  if (thread == NULL)
    return js_throw_text(context, "out of memory");
  if (thread->helpers[0] == NULL)
    for (unsigned i = 0; i < HELPER_COUNT; i++) {
      thread->helpers[i] =
          (JSObjectRef)JSObjectGetPropertyAtIndex(context, (JSObjectRef)js_arg(context, frame, 4), i, NULL);
      JSValueProtect(context, thread->helpers[i]);
    }
  char *path = js_to_text(context, js_arg(context, frame, 0), NULL);
  char *url = js_to_text(context, js_arg(context, frame, 1), NULL);
  JSValueRef exports = js_arg(context, frame, 2), result = js_undefined(context);
  char failure[MESSAGE_MAX] = "";
  registered = NULL;
  void *library = open_library(path, (int)js_to_integer(context, js_arg(context, frame, 3)));
  const char *reason = library == NULL ? dlerror() : NULL;
  bool is_old = registered != NULL || (library != NULL && remember(library, NULL) != NULL);
  struct beginning beginning = library != NULL ? find_beginning(library) : (struct beginning){NULL, 0};
  if (library == NULL)
    explain(failure, sizeof failure, reason != NULL ? reason : "cannot be loaded");
  else if (beginning.function == NULL && !is_old)
    snprintf(failure, sizeof failure, "Module did not self-register: '%s'.", path);
  else if (beginning.version > VERSION_LAST && beginning.version != NAPI_VERSION_EXPERIMENTAL)
    snprintf(failure, sizeof failure,
             "%s requires Node-API version %d, but this version of Node.js only supports version %d add-ons.", path,
             (int)beginning.version, VERSION_LAST);
  else if (beginning.function == NULL)
    result = js_throw_text(context, "Module has no declared entry point.");
  else
    result = begin(context, thread, beginning, url, exports);
  if (failure[0] != 0)
    js_set(context, (JSObjectRef)js_arg(context, frame, 5), "failure", js_string(context, failure));
  free(path);
  free(url);
  return result;
}

/* isExternal(value) */
static JSValueRef is_external(JSContextRef context, struct js_frame *frame) {
  struct js_napi *thread = js_env_here->napi;
  const struct js_napi_record *record = thread != NULL ? js_napi_record_of(thread, js_arg(context, frame, 0)) : NULL;
  return js_boolean(context, record != NULL && record->external);
}

/* address(value) -> an external's, in hexadecimal */
static JSValueRef address(JSContextRef context, struct js_frame *frame) {
  struct js_napi *thread = js_env_here->napi;
  const struct js_napi_record *record = thread != NULL ? js_napi_record_of(thread, js_arg(context, frame, 0)) : NULL;
  char text[32];
  snprintf(text, sizeof text, "%llx", record != NULL ? (unsigned long long)(uintptr_t)record->external_data : 0);
  return js_string(context, text);
}

JSObjectRef js_binding_addons(struct js_env *env) {
  static const struct js_method methods[] = {
      {"open", open_addon, 6}, {"isExternal", is_external, 1}, {"address", address, 1}, {NULL, NULL, 0}};
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  return binding;
}

/* ---- queries of an addon about its environment ---- */

napi_status napi_get_version(node_api_basic_env env, uint32_t *result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = VERSION_LAST;
  return js_napi_ok(env);
}

napi_status napi_get_node_version(node_api_basic_env env, const napi_node_version **result) {
  static const napi_node_version version = {JS_NODE_MAJOR, JS_NODE_MINOR, JS_NODE_PATCH, "node"};
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = &version;
  return js_napi_ok(env);
}

napi_status napi_get_uv_event_loop(node_api_basic_env env, struct uv_loop_s **loop) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, loop);
  *loop = env->thread->runtime->loop;
  return js_napi_ok(env);
}

napi_status node_api_get_module_file_name(node_api_basic_env env, const char **result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  *result = env->file;
  return js_napi_ok(env);
}
