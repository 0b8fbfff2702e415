/* The part of Node-API, and of V8, that is used here and in api/: Node's binary has both, and exports them.
 *
 * Node-API's functions are called as its documentation declares them. V8's are C++; they are found by their names at
 * run time (engine.c), since not every Node has all of them. */
#ifndef GRAFT_NAMES_NODE_API_H
#define GRAFT_NAMES_NODE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uchar.h>

#include "uv.h"

typedef struct napi_env__ *napi_env;
typedef struct napi_value__ *napi_value; /* where a handle of V8's lies: what V8 calls Local */
typedef struct napi_ref__ *napi_ref;
typedef struct napi_handle_scope__ *napi_handle_scope;
typedef struct napi_callback_info__ *napi_callback_info;
typedef struct napi_async_cleanup_hook_handle__ *napi_async_cleanup_hook_handle;
typedef struct napi_threadsafe_function__ *napi_threadsafe_function;
typedef void (*napi_threadsafe_call)(napi_env env, napi_value callback, void *context, void *data);
typedef napi_value (*napi_callback)(napi_env env, napi_callback_info info);
typedef void (*napi_async_cleanup_hook)(napi_async_cleanup_hook_handle handle, void *data);

enum { NAPI_OK = 0, NAPI_FUNCTION = 7, NAPI_VERSION = 8 };
#define NAPI_AUTO_LENGTH SIZE_MAX

int napi_add_async_cleanup_hook(napi_env env, napi_async_cleanup_hook hook, void *data,
                                napi_async_cleanup_hook_handle *handle);
int napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle);
int napi_call_function(napi_env env, napi_value self, napi_value function, size_t argc, const napi_value *argv,
                       napi_value *result);
int napi_call_threadsafe_function(napi_threadsafe_function function, void *data, int mode);
int napi_create_double(napi_env env, double value, napi_value *result);
int napi_create_function(napi_env env, const char *name, size_t length, napi_callback callback, void *data,
                         napi_value *result);
int napi_create_int32(napi_env env, int32_t value, napi_value *result);
int napi_create_object(napi_env env, napi_value *result);
int napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref *result);
int napi_create_string_utf8(napi_env env, const char *text, size_t length, napi_value *result);
int napi_create_threadsafe_function(napi_env env, napi_value function, napi_value resource, napi_value name,
                                    size_t queue_max, size_t threads, void *finalize_data, void *finalize,
                                    void *context, napi_threadsafe_call call, napi_threadsafe_function *result);
int napi_get_and_clear_last_exception(napi_env env, napi_value *result);
int napi_get_array_length(napi_env env, napi_value array, uint32_t *result);
int napi_get_boolean(napi_env env, bool value, napi_value *result);
int napi_get_cb_info(napi_env env, napi_callback_info info, size_t *argc, napi_value *argv, napi_value *self,
                     void **data);
int napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value *result);
int napi_get_global(napi_env env, napi_value *result);
int napi_get_named_property(napi_env env, napi_value object, const char *name, napi_value *result);
int napi_get_reference_value(napi_env env, napi_ref reference, napi_value *result);
int napi_get_undefined(napi_env env, napi_value *result);
int napi_get_uv_event_loop(napi_env env, uv_loop_t **loop);
int napi_get_value_bool(napi_env env, napi_value value, bool *result);
int napi_get_value_double(napi_env env, napi_value value, double *result);
int napi_get_value_int32(napi_env env, napi_value value, int32_t *result);
int napi_get_value_string_utf8(napi_env env, napi_value value, char *text, size_t size, size_t *length);
int napi_get_value_string_utf16(napi_env env, napi_value value, char16_t *text, size_t size, size_t *length);
int napi_open_handle_scope(napi_env env, napi_handle_scope *scope);
int napi_close_handle_scope(napi_env env, napi_handle_scope scope);
int napi_release_threadsafe_function(napi_threadsafe_function function, int mode);
int napi_run_script(napi_env env, napi_value script, napi_value *result);
int napi_typeof(napi_env env, napi_value value, int *type);
int napi_set_named_property(napi_env env, napi_value object, const char *name, napi_value value);

#endif
