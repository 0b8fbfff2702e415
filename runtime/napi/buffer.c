/* Node's Buffers. */
#include "runtime/napi/bytes.h"

#include <stdlib.h>
#include <string.h>

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
  size_t room;
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
