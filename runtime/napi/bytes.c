/* Array buffers, plain and shared, and the views on them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/napi/napi.h"

/* ---- array buffers and views ---- */

static const struct {
  napi_typedarray_type type;
  unsigned char size;
  const char *name;
} views[] = {
    /* in the engine's order */
    {napi_int8_array, 1, "Int8Array"},
    {napi_uint8_array, 1, "Uint8Array"},
    {napi_uint8_clamped_array, 1, "Uint8ClampedArray"},
    {napi_int16_array, 2, "Int16Array"},
    {napi_uint16_array, 2, "Uint16Array"},
    {napi_int32_array, 4, "Int32Array"},
    {napi_uint32_array, 4, "Uint32Array"},
    {napi_float16_array, 2, "Float16Array"},
    {napi_float32_array, 4, "Float32Array"},
    {napi_float64_array, 8, "Float64Array"},
    {napi_bigint64_array, 8, "BigInt64Array"},
    {napi_biguint64_array, 8, "BigUint64Array"},
};

enum { VIEWS = sizeof views / sizeof *views };

static bool js_napi_is_view(napi_value value) {
  return js_view_kind(js_napi_value(value)) >= 0;
}

static bool is_typed_array(napi_value value) {
  int kind = js_view_kind(js_napi_value(value));
  return kind >= 0 && kind < VIEWS;
}

/* Plain or shared. */
static bool is_any_buffer(napi_value value) {
  return js_view_kind(js_napi_value(value)) == JS_VIEW_BUFFER;
}

static bool is_shared(napi_env env, napi_value value) {
  JSValueRef argument = js_napi_value(value);
  JSValueRef shared = is_any_buffer(value) ? js_napi_help(env, HELPER_IS_SHARED, 1, &argument) : NULL;
  return shared != NULL && js_to_boolean(env->context, shared);
}

/* The C API pins a buffer whose address it returns, so that it cannot be detached any more. So a buffer is read through
 * a view. A small view has no buffer when it is made; it gets one first, so that its bytes do not move. */
static bool js_napi_bytes(napi_env env, napi_value value, unsigned char **bytes, size_t *length) {
  JSContextRef context = env->context;
  JSValueRef view = js_napi_value(value);
  if (is_any_buffer(value))
    view = JSObjectMakeTypedArrayWithArrayBuffer(context, kJSTypedArrayTypeUint8Array, (JSObjectRef)value, NULL);
  else if (!js_napi_is_view(value))
    return false;
  else if (!js_view_has_buffer(view))
    js_get(context, (JSObjectRef)view, "buffer");
  if (view == NULL) { /* of a detached buffer */
    *bytes = NULL;
    *length = 0;
    return true;
  }
  return js_borrow_bytes(context, view, bytes, length);
}

napi_status napi_is_arraybuffer(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = is_any_buffer(value) && !is_shared(env, value);
  return js_napi_ok(env);
}

napi_status node_api_is_sharedarraybuffer(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = is_shared(env, value);
  return js_napi_ok(env);
}

napi_status napi_create_arraybuffer(napi_env env, size_t length, void **data, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  void *bytes = calloc(1, length > 0 ? length : 1);
  if (bytes == NULL) {
    napi_throw_range_error(env, NULL, "Array buffer allocation failed");
    return js_napi_fail(env, napi_pending_exception);
  }
  if (data != NULL)
    *data = bytes;
  return js_napi_give(env, js_buffer_adopt(env->context, bytes, length), result);
}

static void give_back(void *bytes, void *release) {
  (void)bytes;
  if (release != NULL)
    js_napi_lent_back(release);
}

/* An array buffer on the addon's own memory. NULL: an exception is pending. */
static JSObjectRef js_napi_external_buffer(napi_env env, void *data, size_t length, napi_finalize finalize,
                                           void *hint) {
  static unsigned char nothing;
  struct js_napi_release *release = finalize != NULL ? js_napi_lend(env, finalize, data, hint) : NULL;
  JSValueRef error = NULL;
  JSObjectRef buffer = JSObjectMakeArrayBufferWithBytesNoCopy(env->context, data != NULL ? data : &nothing, length,
                                                              give_back, release, &error);
  if (error != NULL) {
    js_napi_threw(env, error);
    return NULL;
  }
  JSValueRef argument = buffer;
  return js_napi_help(env, HELPER_LEND, 1, &argument) != NULL ? buffer : NULL;
}

napi_status napi_create_external_arraybuffer(napi_env env, void *data, size_t length, node_api_basic_finalize finalize,
                                             void *hint, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  JSValueRef buffer = js_napi_external_buffer(env, data, length, finalize, hint);
  if (buffer == NULL || (data == NULL && js_napi_help(env, HELPER_DETACH, 1, &buffer) == NULL))
    return napi_pending_exception;
  return js_napi_give(env, buffer, result); /* without memory, it counts as detached */
}

napi_status node_api_create_sharedarraybuffer(napi_env env, size_t length, void **data, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  JSValueRef argument = js_number(env->context, (double)length);
  JSValueRef buffer = js_napi_help(env, HELPER_SHARED, 1, &argument);
  if (buffer == NULL)
    return napi_pending_exception;
  if (data != NULL)
    *data = JSObjectGetArrayBufferBytesPtr(env->context, (JSObjectRef)buffer, NULL);
  return js_napi_give(env, buffer, result);
}

/* The engine shares only memory that it has allocated itself; the API has a status for that. */
napi_status node_api_create_external_sharedarraybuffer(napi_env env, void *data, size_t length,
                                                       node_api_noenv_finalize finalize, void *hint,
                                                       napi_value *result) {
  (void)data;
  (void)length;
  (void)finalize;
  (void)hint;
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  return js_napi_fail(env, napi_no_external_buffers_allowed);
}

napi_status napi_get_arraybuffer_info(napi_env env, napi_value value, void **data, size_t *length) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  if (!is_any_buffer(value))
    return js_napi_fail(env, napi_invalid_arg);
  unsigned char *bytes = NULL;
  size_t count = 0;
  js_napi_bytes(env, value, &bytes, &count);
  if (data != NULL)
    *data = bytes;
  if (length != NULL)
    *length = count;
  return js_napi_ok(env);
}

napi_status napi_detach_arraybuffer(napi_env env, napi_value value) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  if (!is_any_buffer(value) || is_shared(env, value))
    return js_napi_fail(env, napi_arraybuffer_expected);
  JSValueRef argument = js_napi_value(value);
  if (js_napi_help(env, HELPER_DETACH, 1, &argument) != NULL)
    return js_napi_ok(env);
  env->exception = NULL;
  return js_napi_fail(env, napi_detachable_arraybuffer_expected);
}

napi_status napi_is_detached_arraybuffer(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = false;
  if (!is_any_buffer(value) || is_shared(env, value))
    return js_napi_ok(env);
  JSValueRef argument = js_napi_value(value);
  JSValueRef detached = js_napi_help(env, HELPER_IS_DETACHED, 1, &argument);
  *result = detached != NULL && js_to_boolean(env->context, detached);
  return js_napi_ok(env);
}

/* ---- views ---- */

napi_status napi_is_typedarray(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = is_typed_array(value);
  return js_napi_ok(env);
}

napi_status napi_is_dataview(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = js_view_kind(js_napi_value(value)) == VIEWS;
  return js_napi_ok(env);
}

static napi_status refuse(napi_env env, const char *code, const char *message, napi_status status) {
  napi_throw_range_error(env, code, message);
  return js_napi_fail(env, status);
}

static napi_status make_view(napi_env env, int kind, napi_value buffer, size_t offset, size_t length,
                             napi_value *result) {
  JSValueRef arguments[] = {js_integer(kind), js_napi_value(buffer), js_number(env->context, (double)offset),
                            js_number(env->context, (double)length)};
  JSValueRef view = js_napi_help(env, HELPER_VIEW, 4, arguments);
  return view != NULL ? js_napi_give(env, view, result) : napi_pending_exception;
}

napi_status napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length, napi_value buffer,
                                   size_t offset, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, buffer);
  NAPI_NEEDS(env, result);
  if (!is_any_buffer(buffer))
    return js_napi_fail(env, napi_invalid_arg);
  int kind = 0;
  while (kind < VIEWS && views[kind].type != type)
    kind++;
  if (kind == VIEWS)
    return js_napi_fail(env, napi_invalid_arg);
  size_t size = views[kind].size, room = JSObjectGetArrayBufferByteLength(env->context, (JSObjectRef)buffer, NULL);
  if (offset % size != 0) {
    char message[100];
    snprintf(message, sizeof message, "start offset of %s should be a multiple of %zu", views[kind].name, size);
    return refuse(env, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT", message, napi_generic_failure);
  }
  if (offset > room || length > (room - offset) / size)
    return refuse(env, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH", "Invalid typed array length", napi_generic_failure);
  return make_view(env, kind, buffer, offset, length, result);
}

napi_status napi_create_dataview(napi_env env, size_t length, napi_value buffer, size_t offset, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, buffer);
  NAPI_NEEDS(env, result);
  if (!is_any_buffer(buffer))
    return js_napi_fail(env, napi_invalid_arg);
  size_t room = JSObjectGetArrayBufferByteLength(env->context, (JSObjectRef)buffer, NULL);
  if (offset > room || length > room - offset)
    return refuse(env, "ERR_NAPI_INVALID_DATAVIEW_ARGS",
                  "byte_offset + byte_length should be less than or "
                  "equal to the size in bytes of the array passed in",
                  napi_pending_exception);
  return make_view(env, VIEWS, buffer, offset, length, result);
}

/* The common part of both kinds of views. The bytes do not move while the view lives. */
static void describe(napi_env env, napi_value view, size_t *length, void **data, napi_value *buffer, size_t *offset) {
  unsigned char *bytes = NULL;
  size_t count = 0;
  if (length != NULL || data != NULL)
    js_napi_bytes(env, view, &bytes, &count);
  if (length != NULL)
    *length = count;
  if (data != NULL)
    *data = bytes;
  if (buffer != NULL)
    *buffer = js_napi_keep(env, js_get(env->context, (JSObjectRef)view, "buffer"));
  if (offset != NULL)
    *offset = (size_t)js_to_number(env->context, js_get(env->context, (JSObjectRef)view, "byteOffset"));
}

napi_status napi_get_typedarray_info(napi_env env, napi_value value, napi_typedarray_type *type, size_t *length,
                                     void **data, napi_value *buffer, size_t *offset) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  if (!is_typed_array(value))
    return js_napi_fail(env, napi_invalid_arg);
  int kind = js_view_kind(js_napi_value(value));
  describe(env, value, length, data, buffer, offset);
  if (length != NULL)
    *length /= views[kind].size;
  if (type != NULL)
    *type = views[kind].type;
  return js_napi_ok(env);
}

napi_status napi_get_dataview_info(napi_env env, napi_value value, size_t *length, void **data, napi_value *buffer,
                                   size_t *offset) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  if (js_view_kind(js_napi_value(value)) != VIEWS)
    return js_napi_fail(env, napi_invalid_arg);
  describe(env, value, length, data, buffer, offset);
  return js_napi_ok(env);
}

/* ---- Buffers ---- */

/* Node's Buffers. */

static napi_status wrap_bytes(napi_env env, JSValueRef memory, size_t offset, size_t length, napi_value *result) {
  JSValueRef arguments[] = {memory, js_number(env->context, (double)offset), js_number(env->context, (double)length)};
  JSValueRef buffer = js_napi_help(env, HELPER_BUFFER, 3, arguments);
  return buffer != NULL ? js_napi_give(env, buffer, result) : napi_pending_exception;
}

napi_status napi_create_buffer(napi_env env, size_t length, void **data, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  void *bytes = malloc(length > 0 ? length : 1);
  if (bytes == NULL)
    return js_napi_fail(env, napi_generic_failure);
  if (data != NULL)
    *data = bytes;
  return wrap_bytes(env, js_buffer_adopt(env->context, bytes, length), 0, length, result);
}

napi_status napi_create_buffer_copy(napi_env env, size_t length, const void *from, void **data, napi_value *result) {
  void *bytes = NULL;
  napi_status status = napi_create_buffer(env, length, &bytes, result);
  if (status != napi_ok)
    return status;
  if (length > 0 && bytes != NULL)
    memcpy(bytes, from, length);
  if (data != NULL)
    *data = bytes;
  return napi_ok;
}

napi_status napi_create_external_buffer(napi_env env, size_t length, void *data, node_api_basic_finalize finalize,
                                        void *hint, napi_value *result) {
  NAPI_ENTER(env);
  NAPI_NEEDS(env, result);
  JSObjectRef memory = js_napi_external_buffer(env, data, length, finalize, hint);
  return memory != NULL ? wrap_bytes(env, memory, 0, length, result) : napi_pending_exception;
}

napi_status node_api_create_buffer_from_arraybuffer(napi_env env, napi_value memory, size_t offset, size_t length,
                                                    napi_value *result) {
  size_t room = 0;
  NAPI_ENTER(env);
  NAPI_NEEDS(env, memory);
  NAPI_NEEDS(env, result);
  bool is_buffer = false;
  napi_is_arraybuffer(env, memory, &is_buffer);
  if (!is_buffer)
    return js_napi_fail(env, napi_arraybuffer_expected);
  napi_get_arraybuffer_info(env, memory, NULL, &room);
  if (offset > room || length > room - offset)
    return napi_throw_range_error(env, "ERR_OUT_OF_RANGE", "The byte offset + length is out of range");
  return wrap_bytes(env, js_napi_value(memory), offset, length, result);
}

napi_status napi_is_buffer(napi_env env, napi_value value, bool *result) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  NAPI_NEEDS(env, result);
  *result = js_napi_is_view(value);
  return js_napi_ok(env);
}

napi_status napi_get_buffer_info(napi_env env, napi_value value, void **data, size_t *length) {
  NAPI_BEGIN(env);
  NAPI_NEEDS(env, value);
  unsigned char *bytes;
  size_t count;
  if (!js_napi_is_view(value) || !js_napi_bytes(env, value, &bytes, &count))
    return js_napi_fail(env, napi_invalid_arg);
  if (data != NULL)
    *data = bytes;
  if (length != NULL)
    *length = count;
  return js_napi_ok(env);
}
