#include "runtime/permission/permission.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/order/env.h"
#include "runtime/permission/paths.h"

/* Variables that name files of authorities. They are read once: later changes by the program have no effect. */
static const char *const trusting[] = {"NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"};
enum { TRUSTED_COUNT = 2 };

struct js_permission {
  bool audits; /* and lets it happen */
  bool whole[JS_SCOPE_COUNT];
  char *trusted[TRUSTED_COUNT];
  struct js_paths paths[2]; /* read, write */
  JSObjectRef
      make_error; /* makeError(scope, resource, text): publishes the refusal to its listeners, and makes the error */
};

_Thread_local struct js_permission *js_permission_here;

/* Options that allow something. Those for paths have a value. */
static const struct {
  const char *option;
  enum js_scope scope;
} grants[] = {
    {"allow-addons", JS_SCOPE_ADDON}, {"allow-child-process", JS_SCOPE_CHILD},
    {"allow-ffi", JS_SCOPE_FFI},      {"allow-inspector", JS_SCOPE_INSPECTOR},
    {"allow-net", JS_SCOPE_NET},      {"allow-openssl-store", JS_SCOPE_STORE},
    {"allow-wasi", JS_SCOPE_WASI},    {"allow-worker", JS_SCOPE_WORKER},
};

static int allow_path(struct js_permission *permission, enum js_scope scope, const char *path) {
  if (strcmp(path, "*") != 0)
    return js_paths_add(&permission->paths[scope], path);
  permission->whole[scope] = true;
  return 0;
}

static int allow_paths(struct js_permission *permission, enum js_scope scope, const struct js_option_words *words,
                       const char *option) {
  int err = 0, at = 0;
  for (const char *path; err == 0 && (path = js_words_next_value(words, option, &at)) != NULL;)
    err = allow_path(permission, scope, path);
  return err;
}

int js_permission_begin(const struct js_option_words *words, const char *script) {
  bool enforces = js_words_has(words, "permission");
  if (js_permission_here != NULL || (!enforces && !js_words_has(words, "permission-audit")))
    return 0;
  struct js_permission *permission = calloc(1, sizeof *permission);
  if (permission == NULL)
    return UV_ENOMEM;
  permission->audits = !enforces;
  for (int i = 0; i < TRUSTED_COUNT; i++) {
    const char *value = getenv(trusting[i]);
    permission->trusted[i] = value != NULL ? strdup(value) : NULL;
  }
  for (size_t i = 0; i < sizeof grants / sizeof *grants; i++)
    permission->whole[grants[i].scope] = js_words_has(words, grants[i].option);
  int err = allow_paths(permission, JS_SCOPE_READ, words, "allow-fs-read");
  if (err == 0)
    err = allow_paths(permission, JS_SCOPE_WRITE, words, "allow-fs-write");
  if (err == 0)
    err = allow_paths(permission, JS_SCOPE_READ, words, "require");
  if (err == 0 && script != NULL)
    err = js_paths_add(&permission->paths[JS_SCOPE_READ], script);
  if (err != 0)
    js_permission_free(permission);
  else
    js_permission_here = permission;
  return err;
}

struct js_permission *js_permission_copy(void) {
  const struct js_permission *from = js_permission_here;
  struct js_permission *copy = from != NULL ? calloc(1, sizeof *copy) : NULL;
  if (copy == NULL)
    return NULL;
  *copy = *from;
  copy->make_error = NULL;
  for (int i = 0; i < TRUSTED_COUNT; i++)
    copy->trusted[i] = from->trusted[i] != NULL ? strdup(from->trusted[i]) : NULL;
  for (int i = 0; i < 2; i++)
    copy->paths[i] = (struct js_paths){0};
  for (int i = 0; i < 2; i++)
    if (js_paths_copy(&copy->paths[i], &from->paths[i]) != 0) {
      js_permission_free(copy);
      return NULL;
    }
  return copy;
}

void js_permission_free(struct js_permission *permission) {
  if (permission == NULL)
    return;
  for (int i = 0; i < 2; i++)
    js_paths_clear(&permission->paths[i]);
  for (int i = 0; i < TRUSTED_COUNT; i++)
    free(permission->trusted[i]);
  free(permission);
}

/* Without a resource, whether all of the scope is allowed. Nothing is reported. */
static bool js_permission_has(enum js_scope scope, const char *resource) {
  const struct js_permission *permission = js_permission_here;
  if (permission == NULL)
    return true;
  if (scope == JS_SCOPE_NONE)
    return false;
  if (permission->whole[scope] || resource == NULL || scope > JS_SCOPE_WRITE)
    return permission->whole[scope];
  return js_paths_have(&permission->paths[scope], resource);
}

bool js_permission_lets(enum js_scope scope, const char *resource) {
  return js_permission_has(scope, resource) || js_permission_here->audits;
}

bool js_permission_is_trusted(const char *path) {
  static const char *const places[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                                       "/etc/ssl/cert.pem"};
  const struct js_permission *permission = js_permission_here;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(path, places[i]) == 0)
      return true;
  for (int i = 0; permission != NULL && i < TRUSTED_COUNT; i++)
    if (permission->trusted[i] != NULL && strcmp(path, permission->trusted[i]) == 0)
      return true;
  return permission == NULL;
}

bool js_permission_refuse(JSContextRef context, enum js_scope scope, const char *resource, const char *text) {
  struct js_permission *permission = js_permission_here;
  if (js_permission_has(scope, resource != NULL ? resource : ""))
    return false;
  JSValueRef error = NULL, thrown = NULL;
  if (permission->make_error != NULL) {
    JSValueRef arguments[] = {js_number(context, scope), js_string(context, resource != NULL ? resource : ""),
                              text != NULL ? js_string(context, text) : js_undefined(context)};
    error = JSObjectCallAsFunction(context, permission->make_error, NULL, 3, arguments, &thrown);
  }
  if (permission->audits && thrown == NULL && scope != JS_SCOPE_NONE)
    return false;
  if (thrown != NULL || error != NULL)
    js_throw(context, thrown != NULL ? thrown : error);
  else
    js_throw_text(context, "Access to this API has been restricted");
  return true;
}

/* ---- the binding `permission` ---- */

static enum js_scope scope_of(JSContextRef context, struct js_frame *frame) {
  int64_t scope = js_to_integer(context, js_arg(context, frame, 0));
  return scope >= 0 && scope < JS_SCOPE_COUNT ? (enum js_scope)scope : JS_SCOPE_NONE;
}

/* has(scope[, resource]) */
static JSValueRef has(JSContextRef context, struct js_frame *frame) {
  char *resource = js_argc(frame) > 1 ? js_to_text(context, frame->arguments[1], NULL) : NULL;
  bool answer = js_permission_has(scope_of(context, frame), resource);
  free(resource);
  return js_boolean(context, answer);
}

/* drop(scope[, resource]): for good. A path must be one that was given. */
static JSValueRef drop(JSContextRef context, struct js_frame *frame) {
  struct js_permission *permission = js_permission_here;
  enum js_scope scope = scope_of(context, frame);
  if (permission == NULL || scope == JS_SCOPE_NONE)
    return js_undefined(context);
  char *resource = js_argc(frame) > 1 ? js_to_text(context, frame->arguments[1], NULL) : NULL;
  if (resource == NULL) {
    permission->whole[scope] = false;
    if (scope <= JS_SCOPE_WRITE)
      js_paths_clear(&permission->paths[scope]);
  } else if (scope <= JS_SCOPE_WRITE && !permission->whole[scope]) {
    js_paths_remove(&permission->paths[scope], resource);
  }
  free(resource);
  return js_undefined(context);
}

/* check(scope, resource[, text]): throws if it is not allowed */
static JSValueRef check(JSContextRef context, struct js_frame *frame) {
  char *resource = js_to_text(context, js_arg(context, frame, 1), NULL);
  char *text = js_argc(frame) > 2 ? js_to_text(context, frame->arguments[2], NULL) : NULL;
  bool refused = js_refused_text(context, scope_of(context, frame), resource, text);
  free(resource);
  free(text);
  return refused ? NULL : js_undefined(context);
}

/* onRefusal(makeError) */
static JSValueRef on_refusal(JSContextRef context, struct js_frame *frame) {
  if (js_permission_here != NULL && js_permission_here->make_error == NULL) {
    js_permission_here->make_error = (JSObjectRef)js_arg(context, frame, 0);
    JSValueProtect(context, js_permission_here->make_error);
  }
  return js_undefined(context);
}

JSObjectRef js_binding_permission(struct js_env *env) {
  static const struct js_method methods[] = {
      {"has", has, 2}, {"drop", drop, 2}, {"check", check, 3}, {"onRefusal", on_refusal, 1}, {NULL, NULL, 0},
  };
  JSObjectRef binding = js_object(env->context);
  js_set_methods(env->context, binding, methods);
  js_set(env->context, binding, "isOn", js_boolean(env->context, js_permission_here != NULL));
  js_set(env->context, binding, "audits",
         js_boolean(env->context, js_permission_here != NULL && js_permission_here->audits));
  return binding;
}
