/* Status, errors and exceptions. An exception is pending when JavaScript threw under an addon, or the addon threw
 * itself: it stays in the env until the addon takes it, or returns to JavaScript, where it is thrown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/napi/napi.h"

static const char *const messages[] = {
    NULL,
    "Invalid argument",
    "An object was expected",
    "A string was expected",
    "A string or symbol was expected",
    "A function was expected",
    "A number was expected",
    "A boolean was expected",
    "An array was expected",
    "Unknown failure",
    "An exception is pending",
    "The async work item was cancelled",
    "napi_escape_handle already called on scope",
    "Invalid handle scope usage",
    "Invalid callback scope usage",
    "Thread-safe function queue is full",
    "Thread-safe function handle is closing",
    "A bigint was expected",
    "A date was expected",
    "An arraybuffer was expected",
    "A detachable arraybuffer was expected",
    "Main thread would deadlock",
    "External buffers are not allowed",
    "Cannot run JavaScript",
};

napi_status js_napi_threw(napi_env env, JSValueRef exception) {
  env->exception = exception;
  return js_napi_fail(env, napi_pending_exception);
}

/* Older versions of the API have only one status for JavaScript that cannot run. */
napi_status js_napi_refuse_javascript(napi_env env) {
  return js_napi_fail(env, env->version >= 10 ? napi_cannot_run_js : napi_pending_exception);
}

void js_napi_fatal(const char *location, const char *message) {
  fflush(stdout);
  fprintf(stderr, "FATAL ERROR: %s %s\n", location, message);
  abort();
}

void js_napi_check_collector(napi_env env) {
  (void)env;
  js_napi_fatal("", "Finalizer is calling a function that may affect GC state.\n"
                    "The finalizers are run directly from GC and must not affect GC state.\n"
                    "Use `node_api_post_finalizer` from inside of the finalizer to work around this issue.\n"
                    "It schedules the call as a new task in the event loop.");
}

napi_status napi_get_last_error_info(node_api_basic_env env, const napi_extended_error_info **result) {
  NAPI_NEEDS_ENV(env);
  NAPI_NEEDS(env, result);
  env->last.error_message = messages[env->last.error_code];
  if (env->last.error_code == napi_ok) {
    env->last.engine_error_code = 0;
    env->last.engine_reserved = NULL;
  }
  *result = &env->last;
  return napi_ok;
}

static char *copy_text(const char *text, size_t length) {
  if (length == NAPI_AUTO_LENGTH)
    length = text != NULL ? strlen(text) : 0;
  char *copy = malloc(length + 1);
  if (copy != NULL && length > 0)
    memcpy(copy, text, length);
  if (copy != NULL)
    copy[length] = 0;
  return copy;
}

void napi_fatal_error(const char *location, size_t location_length, const char *message, size_t message_length) {
  js_napi_fatal(copy_text(location, location_length), copy_text(message, message_length));
}

napi_status napi_throw(napi_env env, napi_value error) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, error);
  env->exception = js_napi_value(error);
  return js_napi_ok(env);
}

napi_status napi_is_exception_pending(napi_env env, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  *result = env->exception != NULL;
  return js_napi_ok(env);
}

napi_status napi_get_and_clear_last_exception(napi_env env, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, result);
  if (env->exception == NULL)
    return napi_get_undefined(env, result);
  *result = js_napi_keep(env, env->exception);
  env->exception = NULL;
  return js_napi_ok(env);
}

napi_status napi_is_error(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = js_cell_kind(js_napi_value(value)) == env->thread->kinds.error;
  return js_napi_ok(env);
}

/* ---- new errors; their kinds are the numbers in runtime/lib/modules/addons.js ---- */

enum { ERROR_PLAIN, ERROR_TYPE, ERROR_RANGE, ERROR_SYNTAX };

static bool is_text(napi_env env, JSValueRef value) {
  return js_cell_kind(value) == env->thread->kinds.string;
}

static napi_status create(napi_env env, int kind, napi_value code, napi_value message, napi_value *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, message);
  NAPI_NEEDS(env, result);
  if (!is_text(env, js_napi_value(message)) || (code != NULL && !is_text(env, js_napi_value(code))))
    return js_napi_fail(env, napi_string_expected);
  JSValueRef arguments[] = {js_integer(kind), js_napi_value(message),
                            code != NULL ? js_napi_value(code) : js_undefined(env->context)};
  JSValueRef error = js_napi_help(env, HELPER_MAKE_ERROR, 3, arguments);
  return error != NULL ? js_napi_give(env, error, result) : napi_pending_exception;
}

napi_status napi_create_error(napi_env env, napi_value code, napi_value message, napi_value *result) {
  return create(env, ERROR_PLAIN, code, message, result);
}

napi_status napi_create_type_error(napi_env env, napi_value code, napi_value message, napi_value *result) {
  return create(env, ERROR_TYPE, code, message, result);
}

napi_status napi_create_range_error(napi_env env, napi_value code, napi_value message, napi_value *result) {
  return create(env, ERROR_RANGE, code, message, result);
}

napi_status node_api_create_syntax_error(napi_env env, napi_value code, napi_value message, napi_value *result) {
  return create(env, ERROR_SYNTAX, code, message, result);
}

void js_napi_set_type_error(napi_env env, const char *message) {
  JSValueRef arguments[] = {js_integer(ERROR_TYPE), js_string(env->context, message)};
  env->exception = js_napi_help(env, HELPER_MAKE_ERROR, 2, arguments);
}

static napi_status throw_new(napi_env env, int kind, const char *code, const char *message) {
  NAPI_ENTER(env);
  JSValueRef undefined = js_undefined(env->context);
  JSValueRef arguments[] = {js_integer(kind), message != NULL ? js_string(env->context, message) : undefined,
                            code != NULL ? js_string(env->context, code) : undefined};
  JSValueRef error = js_napi_help(env, HELPER_MAKE_ERROR, 3, arguments);
  if (error == NULL)
    return napi_pending_exception;
  env->exception = error;
  return js_napi_ok(env);
}

napi_status napi_throw_error(napi_env env, const char *code, const char *message) {
  return throw_new(env, ERROR_PLAIN, code, message);
}

napi_status napi_throw_type_error(napi_env env, const char *code, const char *message) {
  return throw_new(env, ERROR_TYPE, code, message);
}

napi_status napi_throw_range_error(napi_env env, const char *code, const char *message) {
  return throw_new(env, ERROR_RANGE, code, message);
}

napi_status node_api_throw_syntax_error(napi_env env, const char *code, const char *message) {
  return throw_new(env, ERROR_SYNTAX, code, message);
}

napi_status napi_fatal_exception(napi_env env, napi_value error) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, error);
  js_napi_uncaught(env, js_napi_value(error));
  return js_napi_ok(env);
}
